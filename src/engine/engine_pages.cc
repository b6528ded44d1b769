// Pages of the list of resources, kept while nothing in them can have changed.
//
// Most clients ask for the same page again and again. It stands in the cache by its cursor and
// for who asked, and dies with what it is made of like all contents there. Whoever gets it from
// there was shown the same by the same policy, exposure list and catalog; so nothing is asked
// but whether these are still in force, and the stamps that providers gave.
#include <string>
#include <utility>

#include "engine/asking.h"
#include "engine/listed_page.h"

namespace lode {

// As an address with a query: one drop of the address outdates all pages.
std::string Engine::page_key(std::string_view cursor) {
  std::string key(kListedPages);
  if (!cursor.empty()) key.append("?").append(cursor);
  return key;
}

std::shared_ptr<const Cached> Engine::fresh_page(const Admission& gate, const Principal& who,
                                                 std::string_view cursor) const {
  auto cached = cache_.find(page_key(cursor), who.audience());
  const ListedPage* page = cached ? cached->contents().page.get() : nullptr;
  const bool fresh = page != nullptr && gate.is_current(*page) &&
                     gate.is_current(cached->contents()) && is_as_read(cached->contents());
  return fresh ? cached : nullptr;
}

Result<std::shared_ptr<const Cached>> Engine::listed(const Exchange& asked,
                                                     std::string_view cursor) const {
  Asking asking(*this, asked, Action::list, kResourceList);
  if (auto kept = fresh_page(asking.gate(), asking.who(), cursor)) {
    return asking.done(Result<std::shared_ptr<const Cached>>(std::move(kept)));
  }
  const auto work_out = [&]() -> Result<std::optional<Cache::Loaded>> {
    auto loaded = work_out_page(asking, cursor);
    if (!loaded) return std::move(loaded).error();
    return std::optional(std::move(*loaded));
  };
  return asking.done(cache_.load(page_key(cursor), asking.who().audience(), work_out));
}

Result<Page<Entry>> Engine::resources(const Exchange& asked, std::string_view cursor) const {
  const auto cached = listed(asked, cursor);
  if (!cached) return cached.error();
  const ListedPage& page = *(*cached)->contents().page;
  return Page<Entry>{page.entries, page.next};
}

std::shared_ptr<const Cached> Engine::warm_list(const Exchange& exchange,
                                                std::string_view cursor) const {
  const auto began = std::chrono::steady_clock::now();
  auto cached = fresh_page(admission(), exchange.who, cursor);
  if (cached && access_) {
    tell_warm({exchange.who, Action::list, kResourceList, Access::Verdict::allowed}, exchange,
              began);
  }
  return cached;
}

}  // namespace lode
