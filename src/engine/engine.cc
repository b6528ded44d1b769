#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/credentials.h"
#include "base/utf8.h"
#include "engine/provider_wall.h"

namespace lode {
namespace {

constexpr std::size_t kShownName = 128;  // bytes of a caller's name that an error repeats

// Text that is none would spoil the whole message that it stands in.
Result<Outcome> checked(Log& log, const Provider& provider, Result<Outcome> outcome) {
  const auto* contents = outcome ? std::get_if<Contents>(&*outcome) : nullptr;
  if (contents == nullptr) return outcome;
  const auto broken = [](const Content& item) {
    return item.form == Content::Form::text && !valid_utf8(item.bytes);
  };
  if (std::none_of(contents->items.begin(), contents->items.end(), broken)) return outcome;
  const auto& name = provider.manifest().name;
  log.error("provider gave text that is not UTF-8", {{"provider", name}});
  return internal(fmt::format("the provider {} failed", name));
}

Error no_such_resource() { return not_found("no such resource"); }

bool matches_any(const std::vector<Glob>& globs, const Uri& uri) {
  if (globs.empty()) return false;
  const auto address = uri.without_query();
  return std::any_of(globs.begin(), globs.end(),
                     [&](const Glob& glob) { return glob.matches(address.text()); });
}

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

Engine::Engine(const EngineParts& parts, EngineOptions options)
    : catalog_(parts.catalog),
      policy_(parts.policy),
      cache_(parts.cache),
      log_(parts.log),
      options_(std::move(options)),
      subscription_(parts.events.listen([this](const Change& change) { forget(change); })) {}

void Engine::forget(const Change& change) const {
  if (change.kind == Change::Kind::resource) cache_.drop(change.uri);
  if (change.kind == Change::Kind::tree) cache_.drop_all();
}

// ---- gates ----

bool Engine::permits(const Principal& who, Action action, const Uri& uri) const {
  const auto policy = policy_.current();
  if (!policy->permits(who, action, uri)) return false;
  if (!policy->has_denies()) return true;
  const Provider* provider = catalog_.find(uri);
  return provider == nullptr || !denies_file(*policy, who, action, *provider, uri);
}

bool Engine::denies_file(const Policy& policy, const Principal& who, Action action,
                         const Provider& provider, const Uri& uri) {
  if (!policy.has_denies()) return false;
  const auto file = provider.file_behind(uri);
  return file && policy.denies(who, action, *file);
}

Result<Engine::Target> Engine::resolve(const Principal& who, Action action,
                                       std::string_view text) const {
  auto uri = Uri::parse(text);
  if (!uri) return std::move(uri).error();
  if (uri->has_query() && has_credential(uri->query())) return credential_in_query();
  Provider* provider = catalog_.find(*uri);
  if (provider == nullptr) return no_such_resource();
  Target target{provider->canonical(*uri), provider};
  if (!options_.exposure.shows(target.uri)) return no_such_resource();
  const auto policy = policy_.current();
  const auto may = [&](Action wanted) {
    return policy->permits(who, wanted, target.uri) &&
           !denies_file(*policy, who, wanted, *provider, target.uri);
  };
  if (may(action)) return target;
  if (!may(Action::list)) return no_such_resource();
  return Error{Code::denied, fmt::format("not permitted: {} this resource", to_string(action)), {}};
}

Result<Uri> Engine::admit(const Principal& who, Action action, std::string_view text) const {
  auto target = resolve(who, action, text);
  if (!target) return std::move(target).error();
  return std::move(target->uri);
}

// ---- reading ----

std::shared_ptr<const Cached> Engine::fresh(const Principal& who, const Target& target) const {
  auto cached = cache_.find(target.uri.text(), who.name);
  if (!cached || cached->contents().stamp == 0) return cached;
  if (target.provider->stamp(target.uri) == cached->contents().stamp) return cached;
  cache_.drop(target.uri.text());
  return nullptr;
}

std::shared_ptr<const Cached> Engine::warm(const Principal& who, std::string_view text) const {
  auto target = resolve(who, Action::read, text);
  return target ? fresh(who, *target) : nullptr;
}

bool Engine::named(const Principal& who, const Target& target) const {
  return matches_any(target.provider->manifest().named_only, target.uri) &&
         (options_.exposure.names(target.uri) || policy_.current()->names(who, target.uri));
}

Result<Outcome> Engine::ask(const Exchange& asked, const Target& target) const {
  Exchange exchange = asked;
  exchange.named = named(asked.who, target);
  Provider& provider = *target.provider;
  auto outcome = checked(
      log_, provider, walled(log_, provider, [&] { return provider.read(exchange, target.uri); }));
  auto* contents = outcome ? std::get_if<Contents>(&*outcome) : nullptr;
  if (contents == nullptr) return outcome;
  if (contents->items.empty()) return no_such_resource();
  for (auto& item : contents->items) {
    if (item.uri.empty()) item.uri = target.uri.text();
  }
  return outcome;
}

// What is not for sharing (an upstream's answer, a question) stays with the
// caller that loaded it.
Result<Reading> Engine::load(const Exchange& exchange, const Target& target) const {
  std::optional<Reading> own;
  auto loaded =
      cache_.get(target.uri.text(), exchange.who.name, {exchange.deadline, exchange.stop},
                 [&]() -> Result<std::optional<Cache::Loaded>> {
                   auto outcome = ask(exchange, target);
                   if (!outcome) return std::move(outcome).error();
                   if (auto* verbatim = std::get_if<Verbatim>(&*outcome))
                     own = std::move(*verbatim);
                   if (auto* needs = std::get_if<NeedsInput>(&*outcome)) own = std::move(*needs);
                   if (own) return std::optional<Cache::Loaded>();
                   auto& contents = std::get<Contents>(*outcome);
                   contents.ttl = std::min(contents.ttl, options_.cache_ttl);
                   auto sources = contents.made_from;
                   return std::optional(Cache::Loaded{std::move(contents), std::move(sources)});
                 });
  if (!loaded) return std::move(loaded).error();
  if (own) return std::move(*own);
  return Reading(std::move(*loaded));
}

// A load that another caller began may be older than a change that nobody has
// announced yet.
bool Engine::outdated(const Reading& reading, const Target& target) {
  const auto* cached = std::get_if<std::shared_ptr<const Cached>>(&reading);
  if (cached == nullptr || (*cached)->contents().stamp == 0) return false;
  return (*cached)->contents().stamp != target.provider->stamp(target.uri);
}

Result<Reading> Engine::read(const Exchange& exchange, std::string_view text) const {
  auto target = resolve(exchange.who, Action::read, text);
  if (!target) return std::move(target).error();
  const bool first = exchange.answers.responses.empty() && exchange.answers.state.empty();
  if (first) {
    if (auto cached = fresh(exchange.who, *target)) return Reading(std::move(cached));
  }
  // Who waits for another's load is counted too: it holds a worker as well.
  const ProviderCall call(*target->provider, exchange.who);
  if (!call.admitted()) return call.busy();
  if (first) {
    auto reading = load(exchange, *target);
    if (!reading || !outdated(*reading, *target)) return reading;
    cache_.drop(target->uri.text());
    return load(exchange, *target);
  }
  // What came of a dialogue is for nobody else, and not for keeping.
  auto outcome = ask(exchange, *target);
  if (!outcome) return std::move(outcome).error();
  if (auto* verbatim = std::get_if<Verbatim>(&*outcome)) return Reading(std::move(*verbatim));
  if (auto* needs = std::get_if<NeedsInput>(&*outcome)) return Reading(std::move(*needs));
  auto& contents = std::get<Contents>(*outcome);
  contents.ttl = std::chrono::milliseconds(0);
  contents.scope = Scope::private_;
  return Reading(std::make_shared<const Cached>(std::move(contents), Cache::Clock::time_point{},
                                                DropClock::Origin{}));
}

Result<Skill> Engine::skill(const Exchange& exchange, std::string_view text) const {
  auto target = resolve(exchange.who, Action::read, text);
  if (!target) return std::move(target).error();
  auto skill = guarded(log_, *target->provider, exchange.who,
                       [&] { return target->provider->skill(exchange, target->uri); });
  if (skill) drop_hidden_files(exchange.who, *skill);
  return skill;
}

void Engine::drop_hidden_files(const Principal& who, Skill& skill) const {
  std::erase_if(skill.files,
                [&](const SkillFile& file) { return !admit(who, Action::read, file.uri).ok(); });
}

// ---- tools and prompts ----

Result<Outcome> Engine::call(const Exchange& exchange, std::string_view name,
                             const Json& arguments) const {
  const ToolRoute* route = catalog_.find_tool(name);
  const auto uri = tool_uri(name);
  if (route == nullptr || !uri || !permits(exchange.who, Action::list, *uri)) {
    return not_found(fmt::format("no tool has the name \"{}\"", cut_text(name, kShownName)));
  }
  if (!permits(exchange.who, Action::call, *uri)) {
    return Error{Code::denied, fmt::format("not permitted: call {}", name), {}};
  }
  if (auto problems = route->input.validate(arguments); !problems.empty()) {
    return failure(sentence(route->tool->name, problems));
  }
  Provider& provider = *route->provider;
  auto outcome = checked(log_, provider, guarded(log_, provider, exchange.who, [&] {
                           return provider.invoke(exchange, *uri, arguments);
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

Result<Outcome> Engine::prompt(const Exchange& exchange, std::string_view name,
                               const JsonObject& arguments) const {
  const auto route = catalog_.find_prompt(name);
  const auto uri = prompt_uri(name);
  if (!route || !uri || !permits(exchange.who, Action::read, *uri)) return no_such_prompt(name);
  for (const auto& argument : route->prompt.arguments) {
    if (argument.required && !arguments.contains(argument.name)) {
      return invalid(fmt::format("the prompt {} needs the argument \"{}\"", name, argument.name));
    }
  }
  Provider& provider = *route->provider;
  return checked(log_, provider, guarded(log_, provider, exchange.who, [&] {
                   return provider.invoke(exchange, *uri, arguments);
                 }));
}

Result<Completions> Engine::complete(const Exchange& exchange, const CompletionQuery& query) const {
  Provider* provider = nullptr;
  if (query.of == CompletionQuery::Of::prompt) {
    const auto route = catalog_.find_prompt(query.name);
    const auto uri = prompt_uri(query.name);
    if (!route || !uri || !permits(exchange.who, Action::complete, *uri)) {
      return no_such_prompt(query.name);
    }
    provider = route->provider;
  } else {
    provider = catalog_.find_template(query.name);
    if (provider == nullptr) {
      auto uri = Uri::parse(query.name);
      provider = uri ? catalog_.find(*uri) : nullptr;
    }
    if (provider == nullptr) {
      return not_found(
          fmt::format("no resource template is \"{}\"", cut_text(query.name, kShownName)));
    }
  }
  if (query.value.size() > options_.argument_bytes) {
    return invalid(fmt::format("the value to complete is over {} bytes", options_.argument_bytes));
  }
  auto found =
      guarded(log_, *provider, exchange.who, [&] { return provider->complete(exchange, query); });
  if (found) drop_unpermitted(exchange.who, query, *found);
  if (found && found->values.size() > options_.completions) {
    if (!found->total) found->total = found->values.size();
    found->values.resize(options_.completions);
  }
  return found;
}

// A value that completes an address must not show one that is hidden.
void Engine::drop_unpermitted(const Principal& who, const CompletionQuery& query,
                              Completions& found) const {
  if (query.of != CompletionQuery::Of::resource) return;
  auto pattern = UriTemplate::parse(query.name);
  if (!pattern) return;
  Bindings values;
  for (const auto& [name, value] : query.context) {
    if (value.is_string()) values[std::string(name)] = std::string(value.get_string());
  }
  const auto hidden = [&](const std::string& value) {
    values[query.argument] = value;
    return !admit(who, Action::complete, pattern->expand(values)).ok();
  };
  const auto before = found.values.size();
  std::erase_if(found.values, hidden);
  if (found.values.size() != before) found.total.reset();
}

void Engine::watch(const Uri& uri, bool on) const {
  if (Provider* provider = catalog_.find(uri)) {
    auto done = walled(log_, *provider, [&]() -> Status {
      provider->watch(uri, on);
      return {};
    });
    if (!done) log_.warning("watch failed", {{"uri", uri.text()}});
  }
}

}  // namespace lode
