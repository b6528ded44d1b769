// The engine's lists: what all providers have, in pages, of what the caller may
// know.
#include <algorithm>
#include <utility>

#include "engine/cursor.h"
#include "engine/engine.h"
#include "engine/provider_wall.h"

namespace lode {
namespace {

Error unknown_cursor() { return invalid("the cursor names what is no longer there; start again"); }

// Pages over data that manifests hold. Items are keyed by name, in the order of
// their manifests.
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

// Pages over what providers list themselves, one provider after the other.
struct Gathering {
  const Catalog& catalog;
  Log& log;
  const Principal& who;
  List list;
  std::size_t page;   // items in a page
  std::size_t total;  // items in all pages

  template <class T, class Fetch, class Shown>
  Result<Page<T>> run(std::string_view cursor, Fetch&& fetch, Shown&& shown) const;
};

template <class T, class Fetch, class Shown>
Result<Page<T>> Gathering::run(std::string_view cursor, Fetch&& fetch, Shown&& shown) const {
  auto start = Cursor::decode(list, cursor);
  if (!start) return std::move(start).error();
  const auto& providers = catalog.providers();
  auto at = providers.begin();
  if (!start->provider.empty()) {
    at = std::find_if(at, providers.end(),
                      [&](const auto& p) { return p->manifest().name == start->provider; });
    if (at == providers.end()) return unknown_cursor();
  }
  Page<T> gathered;
  const std::size_t most = std::min(page, total - std::min(total, start->before));
  const auto continue_at = [&](const Provider& provider, const std::string& key) {
    const std::size_t before = start->before + gathered.items.size();
    if (before < total) {
      gathered.next = Cursor{provider.manifest().name, key, before}.encode(list);
    }
  };
  ListQuery query{std::move(start->key), 0};
  for (; at != providers.end(); ++at, query.after.clear()) {
    query.limit = most - gathered.items.size();
    if (query.limit == 0) {
      continue_at(**at, "");
      break;
    }
    auto part = guarded(log, **at, who, [&] { return fetch(**at, query); });
    if (!part) {
      if (part.error().code == Code::invalid) return std::move(part).error();
      log.warning("list failed",
                  {{"provider", (*at)->manifest().name}, {"message", part.error().message}});
      continue;  // one provider's trouble must not hide what the others have
    }
    for (auto& item : part->items) {
      if (shown(item)) gathered.items.push_back(std::move(item));
    }
    if (!part->next.empty()) {
      continue_at(**at, part->next);
      break;
    }
  }
  return gathered;
}

}  // namespace

Offer Engine::offer() const {
  Offer offer;
  for (const auto& provider : catalog_.providers()) {
    const auto& manifest = provider->manifest();
    offer.resources |= !manifest.roots.empty();
    offer.tools |= !manifest.tools.empty();
    offer.prompts |= !manifest.prompts.empty() || manifest.more_prompts;
    offer.skills |= manifest.skills;
  }
  offer.completions = offer.resources || offer.prompts;
  return offer;
}

bool Engine::shows(const Principal& who, std::string_view text) const {
  const auto uri = Uri::parse(text);
  return uri && options_.exposure.shows(*uri) && permits(who, Action::list, *uri);
}

bool Engine::lists(const Principal& who, const Result<Uri>& uri) const {
  return uri && permits(who, Action::list, *uri);
}

Result<Page<Entry>> Engine::resources(const Exchange& exchange, std::string_view cursor) const {
  return Gathering{catalog_, log_, exchange.who, List::resources, options_.page, options_.list_max}
      .run<Entry>(
          cursor, [&](Provider& p, const ListQuery& query) { return p.list(exchange, query); },
          [&](const Entry& entry) { return shows(exchange.who, entry.uri); });
}

Result<Page<Prompt>> Engine::prompts(const Exchange& exchange, std::string_view cursor) const {
  return Gathering{catalog_, log_, exchange.who, List::prompts, options_.page, options_.list_max}
      .run<Prompt>(
          cursor, [&](Provider& p, const ListQuery& query) { return p.prompts(exchange, query); },
          [&](const Prompt& p) { return lists(exchange.who, prompt_uri(p.name)); });
}

Result<Page<Skill>> Engine::skills(const Exchange& exchange, std::string_view cursor) const {
  auto page =
      Gathering{catalog_, log_, exchange.who, List::skills, options_.page, options_.list_max}
          .run<Skill>(
              cursor,
              [&](Provider& p, const ListQuery& query) { return p.skills(exchange, query); },
              [&](const Skill& skill) { return shows(exchange.who, skill.uri); });
  if (!page) return page;
  for (auto& skill : page->items) drop_hidden_files(exchange.who, skill);
  return page;
}

Result<Page<Entry>> Engine::children(const Exchange& exchange, std::string_view text,
                                     std::string_view cursor) const {
  auto target = resolve(exchange.who, Action::read, text);
  if (!target) return std::move(target).error();
  auto start = Cursor::decode(List::children, cursor);
  if (!start) return std::move(start).error();
  Provider& provider = *target->provider;
  auto page = guarded(log_, provider, exchange.who, [&] {
    return provider.children(exchange, target->uri, {start->key, options_.page});
  });
  if (!page) return page;
  std::erase_if(page->items, [&](const Entry& e) { return !shows(exchange.who, e.uri); });
  if (!page->next.empty()) {
    page->next = Cursor{provider.manifest().name, page->next}.encode(List::children);
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
      [&](const Tool& t) { return lists(exchange.who, tool_uri(t.name)); });
}

}  // namespace lode
