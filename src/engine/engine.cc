#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/cursor.h"

namespace lode {
namespace {

// The wall around a provider: whatever it throws becomes one error, and the
// log, not the client, hears what it was.
template <class F>
auto guarded(Log& log, const Provider& provider, F&& work) -> decltype(work()) {
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

Error unknown_cursor() { return invalid("the cursor names what is no longer there; start again"); }

// A page over data that manifests hold. Items are keyed by name, in the order
// of their manifests.
template <class T, class Items, class Key>
Result<Page<T>> page_of(const Catalog& catalog, List list, std::string_view cursor,
                        std::size_t limit, Items&& items, Key&& key) {
  auto start = Cursor::decode(list, cursor);
  if (!start) return std::move(start).error();
  bool begun = start->provider.empty();
  Page<T> page;
  Cursor last;
  for (const auto& provider : catalog.providers()) {
    const auto& manifest = provider->manifest();
    for (const auto& item : items(manifest)) {
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

Engine::Engine(const Catalog& catalog, Log& log, EngineLimits limits)
    : catalog_(catalog), log_(log), limits_(limits) {}

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
  Page<Entry> page;
  ListQuery query{std::move(start->key), 0};
  for (; at != providers.end(); ++at, query.after.clear()) {
    query.limit = limits_.page - page.items.size();
    if (query.limit == 0) {
      page.next = Cursor{(*at)->manifest().name, ""}.encode(List::resources);
      break;
    }
    auto part = guarded(log_, **at, [&] { return (*at)->list(exchange, query); });
    if (!part) {
      if (part.error().code == Code::invalid) return std::move(part).error();
      log_.warning("list failed",
                   {{"provider", (*at)->manifest().name}, {"message", part.error().message}});
      continue;  // one provider's trouble must not hide the others' resources
    }
    std::move(part->items.begin(), part->items.end(), std::back_inserter(page.items));
    if (!part->next.empty()) {
      page.next = Cursor{(*at)->manifest().name, part->next}.encode(List::resources);
      break;
    }
  }
  return page;
}

Result<Page<TemplateEntry>> Engine::templates(const Exchange&, std::string_view cursor) const {
  return page_of<TemplateEntry>(
      catalog_, List::templates, cursor, limits_.page,
      [](const Manifest& m) -> const auto& { return m.templates; },
      [](const TemplateEntry& t) { return t.uri_template; });
}

Result<Page<Tool>> Engine::tools(const Exchange&, std::string_view cursor) const {
  return page_of<Tool>(
      catalog_, List::tools, cursor, limits_.page,
      [](const Manifest& m) -> const auto& { return m.tools; },
      [](const Tool& t) { return t.name; });
}

Result<Page<Prompt>> Engine::prompts(const Exchange&, std::string_view cursor) const {
  return page_of<Prompt>(
      catalog_, List::prompts, cursor, limits_.page,
      [](const Manifest& m) -> const auto& { return m.prompts; },
      [](const Prompt& p) { return p.name; });
}

Result<Outcome> Engine::read(const Exchange& exchange, std::string_view text) const {
  auto uri = Uri::parse(text);
  if (!uri) return std::move(uri).error();
  Provider* provider = catalog_.find(*uri);
  if (provider == nullptr) return not_found("no such resource");
  auto outcome = guarded(log_, *provider, [&] { return provider->read(exchange, *uri); });
  if (!outcome) return outcome;
  const auto* contents = std::get_if<Contents>(&*outcome);
  if (contents != nullptr && contents->items.empty()) return not_found("no such resource");
  return outcome;
}

Result<Outcome> Engine::call(const Exchange& exchange, std::string_view name,
                             const Json& arguments) const {
  const ToolRoute* route = catalog_.find_tool(name);
  if (route == nullptr) return not_found(fmt::format("no tool has the name \"{}\"", name));
  if (auto problems = route->input.validate(arguments); !problems.empty()) {
    return failure(sentence(route->tool->name, problems));
  }
  Provider& provider = *route->provider;
  const Uri uri = tool_uri(name);
  auto outcome = guarded(log_, provider, [&] { return provider.invoke(exchange, uri, arguments); });
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
  if (route == nullptr) return not_found(fmt::format("no prompt has the name \"{}\"", name));
  for (const auto& argument : route->prompt->arguments) {
    if (argument.required && !arguments.contains(argument.name)) {
      return invalid(fmt::format("the prompt {} needs the argument \"{}\"", name, argument.name));
    }
  }
  Provider& provider = *route->provider;
  const Uri uri = prompt_uri(name);
  return guarded(log_, provider, [&] { return provider.invoke(exchange, uri, arguments); });
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
  if (query.value.size() > limits_.argument_bytes) {
    return invalid(fmt::format("the value to complete is over {} bytes", limits_.argument_bytes));
  }
  auto found = guarded(log_, *provider, [&] { return provider->complete(exchange, query); });
  if (found && found->values.size() > limits_.completions) {
    if (!found->total) found->total = found->values.size();
    found->values.resize(limits_.completions);
  }
  return found;
}

void Engine::watch(const Uri& uri, bool on) const {
  if (Provider* provider = catalog_.find(uri)) {
    auto done = guarded(log_, *provider, [&]() -> Status {
      provider->watch(uri, on);
      return {};
    });
    if (!done) log_.warning("watch failed", {{"uri", uri.text()}});
  }
}

}  // namespace lode
