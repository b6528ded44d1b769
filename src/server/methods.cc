#include "server/methods.h"

#include <algorithm>
#include <array>
#include <functional>

#include "engine/listed_page.h"
#include "protocol/mcp.h"
#include "server/call.h"
#include "server/callers.h"
#include "server/header_params.h"
#include "server/render.h"
#include "server/server.h"

namespace lode {
namespace {

constexpr Revision kFirst = Revision::v2024_11_05;

// Who is refused something as a visitor hears how to ask as the owner.
Handled failed(const Error& error, const Call& call, std::string_view uri = {}) {
  auto told = wire_error(error, call.revision(), uri);
  const bool visitor = call.who().name == Principal::visitor().name;
  if (error.code == Code::denied && visitor) {
    told.message.append(" without a credential; ").append(kHowToBeOwner);
  }
  return told;
}

Handled missing(std::string_view parameter) {
  return invalid_params("the parameter \"" + std::string(parameter) + "\" is missing or no string");
}

// ---- lists ----

// No list of the engine gives out this one.
constexpr std::string_view kForeignCursor = "?";

// The cursor of a request, and those of its answer. of: what is listed, where the method alone
// does not say it.
class SealedCursors {
 public:
  SealedCursors(Server& server, const Call& call, std::string_view of = {})
      : seal_(server.cursors()),
        given_(call.params()["cursor"]),
        now_(StateSeal::Clock::now()),
        binding_(state_binding(call.who(), call.message().method, of)) {}

  std::optional<WireError> wrong() const {
    if (!given_ || given_.string()) return std::nullopt;
    return invalid_params("\"cursor\" is no string");
  }
  // Of the engine.
  std::string asked() const {
    std::string cursor(given_.string().value_or(""));
    if (cursor.empty()) return cursor;
    return seal_.open(cursor, binding_, now_).value_or(std::string(kForeignCursor));
  }
  bool is_first() const { return !given_ || given_.string() == std::string_view(); }
  // Of the client.
  std::string sealed(std::string_view next) const {
    return next.empty() ? std::string() : seal_.seal(next, binding_, now_);
  }
  // The same without waiting; nothing: it might.
  std::optional<std::string> sealed_at_once(std::string_view next) const {
    return next.empty() ? std::optional(std::string()) : seal_.seal_at_once(next, binding_, now_);
  }

 private:
  const StateSeal& seal_;
  const JsonView given_;
  const StateSeal::Clock::time_point now_;
  const std::string binding_;
};

template <class List, class Render>
Handled list(Server& server, Call& call, List&& list_of, Render&& render,
             std::string_view of = {}) {
  const SealedCursors cursors(server, call, of);
  if (auto wrong = cursors.wrong()) return std::move(*wrong);
  auto page = list_of(server.engine(), call.exchange(), cursors.asked());
  if (!page) return failed(page.error(), call);
  page->next = cursors.sealed(page->next);
  return render(server.renderer(), *page, call.revision());
}

Handled list_resources(Server& server, Call& call) {
  const SealedCursors cursors(server, call);
  if (auto wrong = cursors.wrong()) return std::move(*wrong);
  const auto cached = server.engine().listed(call.exchange(), cursors.asked());
  if (!cached) return failed(cached.error(), call);
  const auto next = cursors.sealed((*cached)->contents().page->next);
  return server.renderer().listed(*cached, next, call.revision());
}

// The first page alone: to open a cursor may take the file of the keys.
std::optional<Payload> warm_resources(Server& server, Call& call) {
  const SealedCursors cursors(server, call);
  if (!cursors.is_first()) return std::nullopt;
  const auto cached = server.engine().warm_list(call.exchange(), "");
  if (!cached) return std::nullopt;
  const auto next = cursors.sealed_at_once(cached->contents().page->next);
  if (!next) return std::nullopt;
  return server.renderer().listed(cached, *next, call.revision());
}

Handled list_templates(Server& server, Call& call) {
  return list(server, call, std::mem_fn(&Engine::templates), std::mem_fn(&Renderer::templates));
}

Handled list_tools(Server& server, Call& call) {
  return list(server, call, std::mem_fn(&Engine::tools), std::mem_fn(&Renderer::tools));
}

Handled list_prompts(Server& server, Call& call) {
  return list(server, call, std::mem_fn(&Engine::prompts), std::mem_fn(&Renderer::prompts));
}

Handled list_skills(Server& server, Call& call) {
  return list(server, call, std::mem_fn(&Engine::skills), std::mem_fn(&Renderer::skills));
}

Handled list_directory(Server& server, Call& call) {
  const auto uri = call.params()["uri"].string();
  if (!uri) return missing("uri");
  const auto children = [&](const Engine& engine, const Exchange& exchange,
                            std::string_view cursor) {
    return engine.children(exchange, *uri, cursor);
  };
  return list(server, call, children, std::mem_fn(&Renderer::resources), *uri);
}

Handled get_skill(Server& server, Call& call) {
  const auto uri = call.params()["uri"].string();
  if (!uri) return missing("uri");
  auto skill = server.engine().skill(call.exchange(), *uri);
  if (!skill) return failed(skill.error(), call, *uri);
  return server.renderer().skill(*skill, call.revision());
}

// ---- what may need input ----

Handled passed_on(Verbatim& answer, Call& call) {
  call.count_tokens = [json = answer.json] {
    return TokensServed{{}, count_or_estimate(json), json.size()};
  };
  return std::move(answer.json);
}

template <class Render>
Handled rendered(Result<Outcome> outcome, Server& server, Call& call, Render&& render) {
  if (!outcome) return failed(outcome.error(), call);
  if (auto* needs = std::get_if<NeedsInput>(&*outcome)) return std::move(*needs);
  if (auto* verbatim = std::get_if<Verbatim>(&*outcome)) return passed_on(*verbatim, call);
  auto contents = std::make_shared<const Contents>(std::move(std::get<Contents>(*outcome)));
  call.count_tokens = [contents] { return tokens_of({}, *contents, count_tokens(*contents)); };
  return render(server.renderer(), *contents, call.revision());
}

Handled read_resource(Server& server, Call& call) {
  const auto uri = call.params()["uri"].string();
  if (!uri) return missing("uri");
  auto reading = server.engine().read(call.exchange(), *uri);
  if (!reading) return failed(reading.error(), call, *uri);
  if (auto* needs = std::get_if<NeedsInput>(&*reading)) return std::move(*needs);
  if (auto* verbatim = std::get_if<Verbatim>(&*reading)) return passed_on(*verbatim, call);
  const auto& cached = std::get<std::shared_ptr<const Cached>>(*reading);
  // Before it is rendered: contents that do not fit are let go again.
  call.working = MemoryCharge(*call.memory, cached->bytes());
  if (!call.memory->fits()) return failed(Call::busy_error(), call);
  call.contents = cached;
  return server.renderer().read(cached, call.revision());
}

std::optional<Payload> warm_read(Server& server, Call& call) {
  const auto uri = call.params()["uri"].string();
  call.contents = uri ? server.engine().warm(call.exchange(), *uri) : nullptr;
  if (!call.contents) return std::nullopt;
  return server.renderer().read(call.contents, call.revision());
}

Handled call_tool(Server& server, Call& call) {
  const auto name = call.params()["name"].string();
  if (!name) return missing("name");
  const JsonView given = call.params()["arguments"];
  if (given && !given.is_object()) return invalid_params("\"arguments\" is no object");
  const Json arguments = given ? given.copy() : Json(JsonObject());
  const auto catalog = server.engine().catalog();
  const auto* route = catalog->find_tool(*name);
  if (call.headers && route != nullptr) {
    if (auto problem = check_param_headers(*call.headers, route->tool->input_schema, arguments)) {
      return header_mismatch(std::move(*problem));
    }
  }
  return rendered(server.engine().call(call.exchange(), *name, arguments), server, call,
                  std::mem_fn(&Renderer::called));
}

Handled get_prompt(Server& server, Call& call) {
  const auto name = call.params()["name"].string();
  if (!name) return missing("name");
  const JsonView given = call.params()["arguments"];
  if (given && !given.is_object()) return invalid_params("\"arguments\" is no object");
  JsonObject arguments;
  bool strings = true;
  given.each_member([&](std::string_view key, JsonView value) {
    strings &= value.string().has_value();
    arguments[boost::json::string_view(key.data(), key.size())] = value.copy();
  });
  if (!strings) return invalid_params("the arguments of a prompt are strings");
  return rendered(server.engine().prompt(call.exchange(), *name, arguments), server, call,
                  std::mem_fn(&Renderer::prompted));
}

// ---- completion ----

Handled complete(Server& server, Call& call) {
  const JsonView ref = call.params()["ref"];
  const JsonView argument = call.params()["argument"];
  const auto type = ref["type"].string().value_or("");
  CompletionQuery query;
  if (type != "ref/prompt" && type != "ref/resource") {
    return invalid_params("\"ref.type\" is neither \"ref/prompt\" nor \"ref/resource\"");
  }
  query.of = type == "ref/prompt" ? CompletionQuery::Of::prompt : CompletionQuery::Of::resource;
  const auto name = ref[type == "ref/prompt" ? "name" : "uri"].string();
  if (!name) return missing(type == "ref/prompt" ? "ref.name" : "ref.uri");
  const auto variable = argument["name"].string();
  const auto value = argument["value"].string();
  if (!variable) return missing("argument.name");
  if (!value) return missing("argument.value");
  query.name = *name;
  query.argument = *variable;
  query.value = *value;
  call.params()["context"]["arguments"].each_member([&](std::string_view key, JsonView v) {
    if (v.string()) query.context[boost::json::string_view(key.data(), key.size())] = v.copy();
  });
  auto found = server.engine().complete(call.exchange(), query);
  if (!found) return failed(found.error(), call);
  return server.renderer().completed(*found, call.revision());
}

// ---- the server itself ----

Handled discover(Server& server, Call& call) {
  ResultText result(server.renderer(), call.revision());
  auto& w = result.writer();
  w.key("supportedVersions").begin_array().value(to_string(kNewest)).end_array();
  w.raw_member("capabilities", server.capabilities(call.revision()));
  w.member_if("instructions", server.options().instructions(call.exchange().who));
  result.cacheable(std::chrono::milliseconds(0), Scope::private_);
  return result.finish();
}

Handled ping(Server& server, Call& call) { return server.renderer().empty(call.revision()); }

// ---- legacy: what a session holds ----

Handled set_level(Server& server, Call& call) {
  const auto level = call.params()["level"].string().value_or("");
  const auto* found = std::find(mcp::kLogLevels.begin(), mcp::kLogLevels.end(), level);
  if (found == mcp::kLogLevels.end()) return invalid_params("\"level\" is no level of RFC 5424");
  if (call.session) {
    call.session->log_level(static_cast<Severity>(found - mcp::kLogLevels.begin()));
  }
  return server.renderer().empty(call.revision());
}

Handled subscription(Server& server, Call& call, bool on) {
  const auto uri = call.params()["uri"].string();
  if (!uri) return missing("uri");
  if (!call.session) return invalid_request("subscriptions need a session; initialize first");
  auto& listeners = server.listeners();
  const auto id = call.session->listener.load();
  if (!on) {
    listeners.unsubscribe(id, *uri);
  } else if (auto status = listeners.subscribe(id, *uri, server.options().subscriptions); !status) {
    return failed(status.error(), call, *uri);
  }
  return server.renderer().empty(call.revision());
}

Handled subscribe(Server& server, Call& call) { return subscription(server, call, true); }
Handled unsubscribe(Server& server, Call& call) { return subscription(server, call, false); }

constexpr auto kResources = &Offer::resources;
constexpr auto kTools = &Offer::tools;
constexpr auto kPrompts = &Offer::prompts;
constexpr auto kSkills = &Offer::skills;
constexpr auto kCompletions = &Offer::completions;
constexpr bool Offer::*kAlways = nullptr;

// `initialize` is not here: it makes a session, which is the transports' edge's
// affair (pipe.cc, endpoint.cc).
constexpr std::array kMethods = {
    Method{"completion/complete", kFirst, kNewest, kCompletions, "", true, complete},
    Method{"logging/setLevel", kFirst, kNewestLegacy, kAlways, "", false, set_level},
    Method{"ping", kFirst, kNewestLegacy, kAlways, "", false, ping},
    Method{"prompts/get", kFirst, kNewest, kPrompts, "name", true, get_prompt},
    Method{"prompts/list", kFirst, kNewest, kPrompts, "", true, list_prompts},
    Method{"resources/directory/read", kNewest, kNewest, kSkills, "", true, list_directory},
    Method{"resources/list", kFirst, kNewest, kResources, "", true, list_resources, warm_resources},
    Method{"resources/read", kFirst, kNewest, kResources, "uri", true, read_resource, warm_read},
    Method{"resources/subscribe", kFirst, kNewestLegacy, kResources, "", true, subscribe},
    Method{"resources/templates/list", kFirst, kNewest, kResources, "", true, list_templates},
    Method{"resources/unsubscribe", kFirst, kNewestLegacy, kResources, "", true, unsubscribe},
    Method{"server/discover", kNewest, kNewest, kAlways, "", true, discover},
    Method{"skills/get", kNewest, kNewest, kSkills, "", true, get_skill},
    Method{"skills/list", kNewest, kNewest, kSkills, "", true, list_skills},
    Method{"subscriptions/listen", kNewest, kNewest, kAlways, "", false, nullptr},
    Method{"tools/call", kFirst, kNewest, kTools, "name", true, call_tool},
    Method{"tools/list", kFirst, kNewest, kTools, "", true, list_tools},
};

}  // namespace

const Method* find_method(std::string_view name, Revision revision) {
  for (const auto& method : kMethods) {
    if (method.name == name) {
      return revision >= method.from && revision <= method.until ? &method : nullptr;
    }
  }
  return nullptr;
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names = {"unknown"};
  for (const auto& method : kMethods) names.push_back(method.name);
  return names;
}

}  // namespace lode
