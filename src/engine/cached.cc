#include "engine/cached.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lode {
namespace {

// Of the objects around the text: the entry, its keys, a place in two tables.
constexpr std::size_t kEntryOverhead = 512;

std::size_t size_of(const Contents& contents, const DropClock::Origin& origin) {
  std::size_t size = kEntryOverhead + contents.description.size() +
                     origin.sources.size() * sizeof(DropClock::Source);
  for (const Content& item : contents.items) {
    size += sizeof(Content) + item.uri.size() + item.mime.size() + item.bytes.size() +
            item.name.size() + item.description.size() + item.version.size();
  }
  // A tree of values takes several times the room of its text.
  if (contents.structured) size += 4 * to_text(*contents.structured).size();
  return size;
}

}  // namespace

Cached::Cached(Contents contents, std::chrono::steady_clock::time_point expires,
               DropClock::Origin origin)
    : contents_(std::move(contents)),
      expires_(expires),
      origin_(std::move(origin)),
      size_(size_of(contents_, origin_)) {}

// Escapes make a rendering somewhat longer than its text.
std::size_t Cached::bytes() const {
  return size_ + std::max(size_ + size_ / 8, rendered_size_.load());
}

std::optional<TokenCount> Cached::known_tokens() const {
  if (!counted_.load(std::memory_order_acquire)) return std::nullopt;
  return tokens_;
}

TokenCount Cached::tokens() const {
  if (const auto known = known_tokens()) return *known;
  const Lock lock(counting_);
  if (!counted_.load(std::memory_order_relaxed)) {
    tokens_ = count_tokens(contents_);
    counted_.store(true, std::memory_order_release);
  }
  return tokens_;
}

const SharedText& Cached::rendered(std::size_t slot,
                                   const std::function<std::string(const Contents&)>& make) const {
  assert(slot < kSlots);
  if (const auto* ready = ready_[slot].load(std::memory_order_acquire)) return *ready;
  Lock lock(mutex_);
  if (rendered_[slot] == nullptr) {
    rendered_[slot] = std::make_unique<const SharedText>(make(contents_), size_);
    rendered_size_ += rendered_[slot]->text.size();
    ready_[slot].store(rendered_[slot].get(), std::memory_order_release);
  }
  return *rendered_[slot];
}

}  // namespace lode
