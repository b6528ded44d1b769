// The engine's lists: what all providers have, in pages, of what the caller may
// know.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "engine/asking.h"
#include "engine/cursor.h"

namespace lode {
namespace {

// Stamps of a page that is kept.
constexpr std::uint64_t kAsBefore = 1;
constexpr std::uint64_t kDiffers = 2;

Error unknown_cursor() { return invalid("the cursor names what is no longer there; start again"); }

const std::string& key_of(const TemplateEntry& entry) { return entry.uri_template; }
const std::string& key_of(const Tool& tool) { return tool.name; }

// Pages over data that manifests hold. Items are keyed by name, in the order of
// their manifests.
template <class T, class Items, class As, class Shown>
Result<Page<T>> page_of(const Catalog& catalog, List list, std::string_view cursor,
                        std::size_t limit, Items&& items, As&& entry, Shown&& shown) {
  auto start = Cursor::decode(list, cursor);
  if (!start) return std::move(start).error();
  bool begun = start->provider.empty();
  Page<T> page;
  Cursor last;
  for (const auto& member : catalog.members()) {
    const Manifest& manifest = *member->manifest;
    for (const auto& item : items(manifest)) {
      if (!shown(item)) continue;
      if (begun && page.items.size() == limit) {
        page.next = last.encode(list);
        return page;
      }
      if (begun) {
        page.items.push_back(entry(item));
        last = {manifest.name, key_of(entry(item))};
      } else {
        begun = manifest.name == start->provider && key_of(entry(item)) == start->key;
      }
    }
  }
  if (!begun) return unknown_cursor();
  return page;
}

bool out_of_time(const Exchange& exchange) {
  return exchange.stop.stop_requested() || std::chrono::steady_clock::now() >= exchange.deadline;
}

// A page is as fresh as the parts that it is made of.
template <class T>
void add_freshness(Page<T>& page, std::optional<Freshness> part) {
  if (!part) page.fresh_while.reset();
  if (!page.fresh_while) return;
  std::ranges::move(part->made_from, std::back_inserter(page.fresh_while->made_from));
  std::ranges::move(part->stamps, std::back_inserter(page.fresh_while->stamps));
}

// Takes the items of one provider that are shown, until there are as many as there may be.
struct Filling {
  const Exchange& exchange;
  std::size_t part;  // items to look at in one call
  std::size_t most;  // items in all

  // Leaves in query.after where the next page begins; empty: the provider has no more.
  // REQUIRES: there is room for one.
  template <class T, class Fetch, class Shown>
  Status run(Page<T>& whole, ListQuery& query, Fetch&& fetch, Shown&& shown) const;
};

template <class T, class Fetch, class Shown>
Status Filling::run(Page<T>& whole, ListQuery& query, Fetch&& fetch, Shown&& shown) const {
  auto& items = whole.items;
  query.limit = most - items.size();
  do {
    auto page = fetch(query);
    if (!page) return std::move(page).error();
    add_freshness(whole, std::move(page->fresh_while));
    std::vector<T> taken;
    std::size_t seen = 0;
    while (seen < page->items.size() && items.size() + taken.size() < most) {
      auto& item = page->items[seen++];
      if (shown(item)) taken.push_back(std::move(item));
    }
    // Only the last item of a part has a key: the part is asked for again, to end here.
    if (seen < page->items.size() && seen < query.limit) {
      query.limit = seen;
      continue;
    }
    std::move(taken.begin(), taken.end(), std::back_inserter(items));
    query.after = std::move(page->next);
    // If the page is not full, something was hidden. Where much is, small parts would be many.
    query.limit = part;
  } while (!query.after.empty() && items.size() < most && !out_of_time(exchange));
  // Another caller may have the time for more.
  if (!query.after.empty() && items.size() < most) whole.fresh_while.reset();
  return {};
}

// Pages over what providers with a role list themselves, one provider after the other.
struct Gathering {
  const Catalog& catalog;
  Log& log;
  const Exchange& exchange;
  List list;
  std::size_t page;   // items in a page
  std::size_t total;  // items in all pages

  template <class T, class Role, class Fetch, class Shown>
  Result<Page<T>> run(std::string_view cursor, Role* (Provider::*role)(), Fetch&& fetch,
                      Shown&& shown) const;
};

template <class T, class Role, class Fetch, class Shown>
Result<Page<T>> Gathering::run(std::string_view cursor, Role* (Provider::*role)(), Fetch&& fetch,
                               Shown&& shown) const {
  auto start = Cursor::decode(list, cursor);
  if (!start) return std::move(start).error();
  const auto& members = catalog.members();
  auto at = members.begin();
  if (!start->provider.empty()) {
    at = std::find_if(at, members.end(),
                      [&](const auto& m) { return m->name() == start->provider; });
    if (at == members.end()) return unknown_cursor();
  }
  Page<T> gathered;
  gathered.fresh_while.emplace();
  const Filling filling{exchange, page, std::min(page, total - std::min(total, start->before))};
  const auto continue_at = [&](const Member& member, const std::string& key) {
    const std::size_t before = start->before + gathered.items.size();
    if (before < total) {
      gathered.next = Cursor{member.name(), key, before}.encode(list);
    }
  };
  ListQuery query{std::move(start->key), 0};
  for (; at != members.end(); ++at, query.after.clear()) {
    Role* const having = ((*at)->provider.get()->*role)();
    if (having == nullptr) continue;
    if (gathered.items.size() == filling.most) {
      continue_at(**at, "");
      break;
    }
    const auto guarded_fetch = [&](const ListQuery& part) {
      return guarded(log, **at, exchange.who, [&] { return fetch(*having, part); });
    };
    if (auto filled = filling.run(gathered, query, guarded_fetch, shown); !filled) {
      gathered.fresh_while.reset();
      const Code code = filled.error().code;
      if (code == Code::invalid) return std::move(filled).error();
      log.warning("list failed",
                  {{"provider", (*at)->name()}, {"message", filled.error().message}});
      // What is broken stays so, and must not hide what the others have.
      if (code != Code::unavailable && code != Code::timeout) continue;
      // What is busy has more to show: who goes on asks it again.
      if (gathered.items.empty()) return std::move(filled).error();
      continue_at(**at, query.after);
      break;
    }
    if (!query.after.empty()) {
      continue_at(**at, query.after);
      break;
    }
  }
  return gathered;
}

}  // namespace

// Whether the address may appear in a list.
bool Engine::shows(const Asking& asking, std::string_view text) {
  const auto uri = asking.catalog().parse(text);
  return uri && asking.gate().exposes(*uri) && asking.exchange().may(Action::list, *uri);
}

bool Engine::lists(const Asking& asking, const Result<Uri>& uri) {
  return uri && asking.exchange().may(Action::list, *uri);
}

// Its own addresses outdate a page too: what they say stands in it.
Result<Cache::Loaded> Engine::work_out_page(const Asking& asking, std::string_view cursor) const {
  auto page = Gathering{asking.catalog(), log_,          asking.exchange(),
                        List::resources,  options_.page, options_.list_max}
                  .run<Entry>(
                      cursor, &Provider::resources,
                      [&](Resources& resources, const ListQuery& query) {
                        return resources.list(asking.exchange(), query);
                      },
                      [&](const Entry& entry) { return shows(asking, entry.uri); });
  if (!page) return std::move(page).error();
  Cache::Loaded loaded;
  const auto& policy = asking.gate().policy();
  if (page->fresh_while && !policy->tells_files_apart()) {
    loaded.contents.ttl = options_.cache_ttl;
    loaded.made_from = std::move(page->fresh_while->made_from);
    for (const auto& entry : page->items) loaded.made_from.push_back(entry.uri);
    loaded.contents.stamp = kAsBefore;
    loaded.contents.stamp_now = [stamps = std::move(page->fresh_while->stamps)] {
      const auto same = [](const Freshness::Stamp& stamp) { return stamp.now() == stamp.taken; };
      return std::ranges::all_of(stamps, same) ? kAsBefore : kDiffers;
    };
  } else {
    loaded.contents.ttl = std::chrono::milliseconds(0);
  }
  loaded.contents.decided_by = policy;
  auto listed = asking.gate().empty_page();
  listed.entries = std::move(page->items);
  listed.next = std::move(page->next);
  loaded.contents.page = std::make_shared<const ListedPage>(std::move(listed));
  return loaded;
}

Result<Page<Prompt>> Engine::prompts(const Exchange& asked, std::string_view cursor) const {
  Asking asking(*this, asked, Action::list, "prompts");
  return asking.done(Gathering{asking.catalog(), log_, asking.exchange(), List::prompts,
                               options_.page, options_.list_max}
                         .run<Prompt>(
                             cursor, &Provider::prompts,
                             [&](Prompts& prompts, const ListQuery& query) {
                               return prompts.list(asking.exchange(), query);
                             },
                             [&](const Prompt& prompt) {
                               const auto uri = prompt_uri(prompt.name);
                               return lists(asking, uri) &&
                                      asking.exchange().may(Action::read, *uri);
                             }));
}

Result<Page<Skill>> Engine::skills(const Exchange& asked, std::string_view cursor) const {
  Asking asking(*this, asked, Action::list, "skills");
  auto page = asking.done(Gathering{asking.catalog(), log_, asking.exchange(), List::skills,
                                    options_.page, options_.list_max}
                              .run<Skill>(
                                  cursor, &Provider::skills,
                                  [&](Skills& skills, const ListQuery& query) {
                                    return skills.list(asking.exchange(), query);
                                  },
                                  [&](const Skill& skill) { return shows(asking, skill.uri); }));
  if (!page) return page;
  for (auto& skill : page->items) drop_hidden_files(asking, skill);
  return page;
}

Result<Page<Entry>> Engine::children(const Exchange& asked, std::string_view text,
                                     std::string_view cursor) const {
  Asking asking(*this, asked, Action::read, text);
  return asking.done(children(asking, text, cursor));
}

Result<Page<Entry>> Engine::children(Asking& asking, std::string_view text,
                                     std::string_view cursor) const {
  auto target = asking.gate().admit(asking.who(), Action::read, text);
  if (!target) return std::move(target).error();
  asking.about(target->uri);
  auto start = Cursor::decode(List::children, cursor);
  if (!start) return std::move(start).error();
  const Member& member = *target->member;
  const auto fetch = [&](const ListQuery& part) {
    return guarded(log_, member, asking.who(), [&] {
      return member.provider->resources()->children(asking.exchange(), target->uri, part);
    });
  };
  Page<Entry> page;
  ListQuery query{std::move(start->key), 0};
  auto filled = Filling{asking.exchange(), options_.page, options_.page}.run(
      page, query, fetch, [&](const Entry& entry) { return shows(asking, entry.uri); });
  if (!filled) return std::move(filled).error();
  if (!query.after.empty()) page.next = Cursor{member.name(), query.after}.encode(List::children);
  return page;
}

Result<Page<TemplateEntry>> Engine::templates(const Exchange& asked,
                                              std::string_view cursor) const {
  Asking asking(*this, asked, Action::list, "templates");
  return asking.done(page_of<TemplateEntry>(
      asking.catalog(), List::templates, cursor, options_.page,
      [](const Manifest& m) -> const auto& { return m.routes; },
      [](const Route& r) -> const auto& { return r.entry; },
      [&](const Route& r) {
        return r.listed && asking.exchange().offers_some(r.entry.uri_template);
      }));
}

Result<Page<Tool>> Engine::tools(const Exchange& asked, std::string_view cursor) const {
  Asking asking(*this, asked, Action::list, "tools");
  return asking.done(page_of<Tool>(
      asking.catalog(), List::tools, cursor, options_.page,
      [](const Manifest& m) -> const auto& { return m.tools; },
      [](const Tool& t) -> const auto& { return t; },
      [&](const Tool& t) { return lists(asking, tool_uri(t.name)); }));
}

}  // namespace lode
