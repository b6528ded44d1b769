// The engine's tools, prompts and completions: what providers work out for a caller.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "engine/asking.h"

namespace lode {
namespace {

constexpr std::size_t kShownName = 128;  // bytes of a caller's name that an error repeats

Error no_such_prompt(std::string_view name) {
  return not_found(fmt::format("no prompt has the name \"{}\"", cut_text(name, kShownName)));
}

bool mendable(Code code) {
  return code == Code::invalid || code == Code::not_found || code == Code::conflict ||
         code == Code::unsupported;
}

Outcome failure(std::string message) {
  Contents contents;
  contents.items.push_back(Content::text(std::move(message)));
  contents.failed = true;
  return contents;
}

std::string sentence(const std::string& tool, const std::vector<SchemaProblem>& problems) {
  std::string text = fmt::format("The arguments of {} do not fit its input schema:", tool);
  for (const auto& problem : problems) text.append("\n- ").append(problem.text());
  return text;
}

}  // namespace

// ---- tools and prompts ----

Result<Outcome> Engine::call(const Exchange& asked, std::string_view name,
                             const Json& arguments) const {
  const auto uri = tool_uri(name);
  Asking asking(*this, asked, Action::call, uri ? uri->text() : name);
  return asking.done(call(asking, name, uri, arguments));
}

Result<Outcome> Engine::call(Asking& asking, std::string_view name, const Result<Uri>& uri,
                             const Json& arguments) const {
  const ToolRoute* route = asking.catalog().find_tool(name);
  if (route == nullptr || !lists(asking, uri)) {
    return not_found(fmt::format("no tool has the name \"{}\"", cut_text(name, kShownName)));
  }
  if (!asking.exchange().may(Action::call, *uri)) {
    return Error{Code::denied, fmt::format("not permitted: call {}", name), {}};
  }
  if (auto problems = route->input->validate(arguments); !problems.empty()) {
    return failure(sentence(route->tool->name, problems));
  }
  const Member& member = *route->member;
  Tools* tools = member.provider->tools();
  if (tools == nullptr) return internal(fmt::format("the provider {} failed", member.name()));
  auto outcome = checked(log_, member, guarded(log_, member, asking.who(), [&] {
                           return tools->call(asking.exchange(), name, arguments);
                         }));
  if (!outcome && mendable(outcome.error().code)) return failure(outcome.error().message);
  if (!outcome || !route->output) return outcome;

  const auto* contents = std::get_if<Contents>(&*outcome);
  if (contents == nullptr || contents->failed) return outcome;
  if (!contents->structured || !route->output->validate(*contents->structured).empty()) {
    log_.error("tool broke its output schema", {{"tool", name}});
    return internal(fmt::format("the answer of {} does not fit its output schema", name));
  }
  return outcome;
}

// A prompt may be called by several names; rules speak of the one that is listed.
std::optional<PromptRoute> Engine::find_prompt(Asking& asking, Action action,
                                               std::string_view name) {
  auto route = asking.catalog().find_prompt(name);
  if (!route) return std::nullopt;
  const auto uri = prompt_uri(route->prompt.name);
  if (!uri) return std::nullopt;
  asking.about(*uri);
  if (!asking.exchange().may(action, *uri)) return std::nullopt;
  return route;
}

Result<Outcome> Engine::prompt(const Exchange& asked, std::string_view name,
                               const JsonObject& arguments) const {
  Asking asking(*this, asked, Action::read, name);
  return asking.done(prompt(asking, name, arguments));
}

Result<Outcome> Engine::prompt(Asking& asking, std::string_view name,
                               const JsonObject& arguments) const {
  const auto route = find_prompt(asking, Action::read, name);
  if (!route) return no_such_prompt(name);
  for (const auto& argument : route->prompt.arguments) {
    if (argument.required && !arguments.contains(argument.name)) {
      return invalid(fmt::format("the prompt {} needs the argument \"{}\"", name, argument.name));
    }
  }
  const Member& member = *route->member;
  return checked(log_, member, guarded(log_, member, asking.who(), [&] {
                   return member.provider->prompts()->get(asking.exchange(), name, arguments);
                 }));
}

// ---- completion ----

Result<Completions> Engine::complete(const Exchange& asked, const CompletionQuery& query) const {
  Asking asking(*this, asked, Action::complete, query.name);
  if (query.value.size() > options_.argument_bytes) {
    return asking.done(Result<Completions>(
        invalid(fmt::format("the value to complete is over {} bytes", options_.argument_bytes))));
  }
  auto found = query.of == CompletionQuery::Of::prompt ? complete_prompt(asking, query)
                                                       : complete_resource(asking, query);
  if (found && found->values.size() > options_.completions) {
    if (!found->total) found->total = found->values.size();
    found->values.resize(options_.completions);
  }
  return asking.done(std::move(found));
}

Result<Completions> Engine::complete_prompt(Asking& asking, const CompletionQuery& query) const {
  const auto route = find_prompt(asking, Action::complete, query.name);
  if (!route) return no_such_prompt(query.name);
  return guarded(log_, *route->member, asking.who(), [&] {
    return route->member->provider->prompts()->complete(asking.exchange(), query);
  });
}

Result<Completions> Engine::complete_resource(Asking& asking, const CompletionQuery& query) const {
  const Catalog& catalog = asking.catalog();
  const Member* member = catalog.find_template(query.name);
  if (member == nullptr) {
    const auto uri = catalog.parse(query.name);
    member = uri ? catalog.find(*uri) : nullptr;
  }
  Resources* resources = member == nullptr ? nullptr : member->provider->resources();
  if (resources == nullptr) {
    return not_found(
        fmt::format("no resource template is \"{}\"", cut_text(query.name, kShownName)));
  }
  auto found = guarded(log_, *member, asking.who(),
                       [&] { return resources->complete(asking.exchange(), query); });
  if (found) drop_unpermitted(asking, query, *found);
  return found;
}

// A value that completes an address must not show one that is hidden. An address that has
// other gaps is none yet: its provider has asked about what it knows.
void Engine::drop_unpermitted(const Asking& asking, const CompletionQuery& query,
                              Completions& found) {
  auto pattern = UriTemplate::parse(query.name);
  if (!pattern) return;
  Bindings values;
  for (const auto& [name, value] : query.context) {
    if (value.is_string()) values[std::string(name)] = std::string(value.get_string());
  }
  const auto is_gap = [&](const TemplateVariable& variable) {
    const bool in_query = variable.op == '?' || variable.op == '&';
    return !in_query && variable.name != query.argument && !values.contains(variable.name);
  };
  if (std::ranges::any_of(pattern->variables(), is_gap)) return;
  const auto hidden = [&](const std::string& value) {
    values[query.argument] = value;
    return !asking.gate().admit(asking.who(), Action::complete, pattern->expand(values)).ok();
  };
  const auto before = found.values.size();
  std::erase_if(found.values, hidden);
  if (found.values.size() != before) found.total.reset();
}

}  // namespace lode
