#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/utf8.h"
#include "engine/cursor.h"

namespace lode {
namespace {

// The wall around a provider: whatever it throws becomes one error, and the
// log, not the client, hears what it was.
template <class F>
auto walled(Log& log, const Provider& provider, F&& work) -> decltype(work()) {
  std::string what = "unknown exception";
  try {
    return work();
  } catch (const std::exception& e) {
    what = e.what();
  } catch (...) {
  }
  const auto& name = provider.manifest().name;
  log.error("provider threw", {{"provider", name}, {"what", what}});
  return internal(fmt::format("the provider {} failed", name));
}

// The same, for a call that the provider may be too busy for.
template <class F>
auto guarded(Log& log, Provider& provider, F&& work) -> decltype(work()) {
  const ProviderCall call(provider);
  if (!call.admitted()) return call.busy();
  return walled(log, provider, std::forward<F>(work));
}

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

Error unknown_cursor() { return invalid("the cursor names what is no longer there; start again"); }

// A page over data that manifests hold, of what may be shown. Items are keyed by
// name, in the order of their manifests.
template <class T, class Items, class Key, class Shown>
Result<Page<T>> page_of(const Catalog& catalog, List list, std::string_view cursor,
                        std::size_t limit, Items&& items, Key&& key, Shown&& shown) {
  auto start = Cursor::decode(list, cursor);
  if (!start) return std::move(start).error();
  bool begun = start->provider.empty();
  Page<T> page;
  Cursor last;
  for (const auto& provider : catalog.providers()) {
    const auto& manifest = provider->manifest();
    for (const auto& item : items(manifest)) {
      if (!shown(item)) continue;
      if (begun && page.items.size() == limit) {
        page.next = last.encode(list);
        return page;
      }
      if (begun) {
        page.items.push_back(item);
        last = {manifest.name, key(item)};
      } else {
        begun = manifest.name == start->provider && key(item) == start->key;
      }
    }
  }
  if (!begun) return unknown_cursor();
  return page;
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
  return policy_.current()->permits(who, action, uri);
}

Result<Engine::Target> Engine::resolve(const Principal& who, Action action,
                                       std::string_view text) const {
  auto uri = Uri::parse(text);
  if (!uri) return std::move(uri).error();
  Provider* provider = catalog_.find(*uri);
  if (provider == nullptr) return no_such_resource();
  Target target{provider->canonical(*uri), provider};
  if (!options_.exposure.shows(target.uri)) return no_such_resource();
  const auto policy = policy_.current();
  if (policy->permits(who, action, target.uri)) return target;
  if (!policy->permits(who, Action::list, target.uri)) return no_such_resource();
  return Error{Code::denied, fmt::format("not permitted: {} this resource", to_string(action)), {}};
}

Result<Uri> Engine::admit(const Principal& who, Action action, std::string_view text) const {
  auto target = resolve(who, action, text);
  if (!target) return std::move(target).error();
  return std::move(target->uri);
}

// ---- lists ----

Offer Engine::offer() const {
  Offer offer;
  for (const auto& provider : catalog_.providers()) {
    const auto& manifest = provider->manifest();
    offer.resources |= !manifest.roots.empty();
    offer.tools |= !manifest.tools.empty();
    offer.prompts |= !manifest.prompts.empty();
  }
  offer.completions = offer.resources || offer.prompts;
  return offer;
}

Result<Page<Entry>> Engine::resources(const Exchange& exchange, std::string_view cursor) const {
  auto start = Cursor::decode(List::resources, cursor);
  if (!start) return std::move(start).error();
  const auto& providers = catalog_.providers();
  auto at = providers.begin();
  if (!start->provider.empty()) {
    at = std::find_if(at, providers.end(),
                      [&](const auto& p) { return p->manifest().name == start->provider; });
    if (at == providers.end()) return unknown_cursor();
  }
  const auto policy = policy_.current();
  const auto listed = [&](const Entry& entry) {
    const auto uri = Uri::parse(entry.uri);
    return uri && options_.exposure.shows(*uri) &&
           policy->permits(exchange.who, Action::list, *uri);
  };
  Page<Entry> page;
  ListQuery query{std::move(start->key), 0};
  const std::size_t most =
      std::min(options_.page, options_.list_max - std::min(options_.list_max, start->before));
  const auto continue_at = [&](const std::string& provider, const std::string& key) {
    const std::size_t shown = start->before + page.items.size();
    if (shown < options_.list_max) page.next = Cursor{provider, key, shown}.encode(List::resources);
  };
  for (; at != providers.end(); ++at, query.after.clear()) {
    query.limit = most - page.items.size();
    if (query.limit == 0) {
      continue_at((*at)->manifest().name, "");
      break;
    }
    auto part = guarded(log_, **at, [&] { return (*at)->list(exchange, query); });
    if (!part) {
      if (part.error().code == Code::invalid) return std::move(part).error();
      log_.warning("list failed",
                   {{"provider", (*at)->manifest().name}, {"message", part.error().message}});
      continue;  // one provider's trouble must not hide the others' resources
    }
    for (auto& entry : part->items) {
      if (listed(entry)) page.items.push_back(std::move(entry));
    }
    if (!part->next.empty()) {
      continue_at((*at)->manifest().name, part->next);
      break;
    }
  }
  return page;
}

Result<Page<TemplateEntry>> Engine::templates(const Exchange&, std::string_view cursor) const {
  return page_of<TemplateEntry>(
      catalog_, List::templates, cursor, options_.page,
      [](const Manifest& m) -> const auto& { return m.templates; },
      [](const TemplateEntry& t) { return t.uri_template; },
      [&](const TemplateEntry& t) { return options_.exposure.shows_some(t.uri_template); });
}

Result<Page<Tool>> Engine::tools(const Exchange& exchange, std::string_view cursor) const {
  return page_of<Tool>(
      catalog_, List::tools, cursor, options_.page,
      [](const Manifest& m) -> const auto& { return m.tools; },
      [](const Tool& t) { return t.name; },
      [&](const Tool& t) { return permits(exchange.who, Action::list, tool_uri(t.name)); });
}

Result<Page<Prompt>> Engine::prompts(const Exchange& exchange, std::string_view cursor) const {
  return page_of<Prompt>(
      catalog_, List::prompts, cursor, options_.page,
      [](const Manifest& m) -> const auto& { return m.prompts; },
      [](const Prompt& p) { return p.name; },
      [&](const Prompt& p) { return permits(exchange.who, Action::list, prompt_uri(p.name)); });
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

Result<Outcome> Engine::ask(const Exchange& exchange, const Target& target) const {
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
  const ProviderCall call(*target->provider);
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

// ---- tools and prompts ----

Result<Outcome> Engine::call(const Exchange& exchange, std::string_view name,
                             const Json& arguments) const {
  const ToolRoute* route = catalog_.find_tool(name);
  const Uri uri = tool_uri(name);
  if (route == nullptr || !permits(exchange.who, Action::list, uri)) {
    return not_found(fmt::format("no tool has the name \"{}\"", name));
  }
  if (!permits(exchange.who, Action::call, uri)) {
    return Error{Code::denied, fmt::format("not permitted: call {}", name), {}};
  }
  if (auto problems = route->input.validate(arguments); !problems.empty()) {
    return failure(sentence(route->tool->name, problems));
  }
  Provider& provider = *route->provider;
  auto outcome =
      checked(log_, provider,
              guarded(log_, provider, [&] { return provider.invoke(exchange, uri, arguments); }));
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
  const PromptRoute* route = catalog_.find_prompt(name);
  const Uri uri = prompt_uri(name);
  if (route == nullptr || !permits(exchange.who, Action::read, uri)) {
    return not_found(fmt::format("no prompt has the name \"{}\"", name));
  }
  for (const auto& argument : route->prompt->arguments) {
    if (argument.required && !arguments.contains(argument.name)) {
      return invalid(fmt::format("the prompt {} needs the argument \"{}\"", name, argument.name));
    }
  }
  Provider& provider = *route->provider;
  return checked(log_, provider, guarded(log_, provider, [&] {
                   return provider.invoke(exchange, uri, arguments);
                 }));
}

Result<Completions> Engine::complete(const Exchange& exchange, const CompletionQuery& query) const {
  Provider* provider = nullptr;
  if (query.of == CompletionQuery::Of::prompt) {
    const auto* route = catalog_.find_prompt(query.name);
    if (route == nullptr)
      return not_found(fmt::format("no prompt has the name \"{}\"", query.name));
    provider = route->provider;
  } else {
    provider = catalog_.find_template(query.name);
    if (provider == nullptr) {
      auto uri = Uri::parse(query.name);
      provider = uri ? catalog_.find(*uri) : nullptr;
    }
    if (provider == nullptr) {
      return not_found(fmt::format("no resource template is \"{}\"", query.name));
    }
  }
  if (query.value.size() > options_.argument_bytes) {
    return invalid(fmt::format("the value to complete is over {} bytes", options_.argument_bytes));
  }
  auto found = guarded(log_, *provider, [&] { return provider->complete(exchange, query); });
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
