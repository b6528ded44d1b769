#include "search/vocabulary.h"

#include <cassert>
#include <limits>

#include "search/analyzer.h"

namespace lode {

std::uint32_t Vocabulary::keep(std::string_view text) {
  assert(text_.size() + text.size() <= std::numeric_limits<std::uint32_t>::max());
  const auto at = static_cast<std::uint32_t>(text_.size());
  text_ += text;
  return at;
}

TermId Vocabulary::intern(std::string_view term, std::string_view surface) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint8_t>::max();
  if (surface.size() > kMost) surface = term;
  const auto found = ids_.find(term);
  if (found == ids_.end()) {
    Entry entry;
    entry.term = keep(term);
    entry.surface = surface == term ? entry.term : keep(surface);
    entry.term_size = static_cast<std::uint8_t>(term.size());
    entry.surface_size = static_cast<std::uint8_t>(surface.size());
    const auto id = static_cast<TermId>(entries_.size());
    entries_.push_back(entry);
    ids_.insert(id);
    return id;
  }
  if (shows_better(surface, this->surface(*found))) {
    auto& entry = entries_[*found];
    entry.surface = surface == term ? entry.term : keep(surface);
    entry.surface_size = static_cast<std::uint8_t>(surface.size());
  }
  return *found;
}

std::optional<TermId> Vocabulary::find(std::string_view term) const {
  const auto found = ids_.find(term);
  if (found == ids_.end()) return std::nullopt;
  return *found;
}

std::size_t Vocabulary::bytes() const {
  // The set keeps a byte of its own for each place.
  return text_.capacity() + entries_.capacity() * sizeof(Entry) +
         ids_.bucket_count() * (sizeof(TermId) + 1);
}

}  // namespace lode
