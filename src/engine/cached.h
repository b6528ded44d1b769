// One entry of the cache: contents that never change, and their renderings.
//
// Held by shared_ptr<const Cached>: who got one may keep it after the cache
// has let it go. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/shared_text.h"
#include "engine/content.h"
#include "engine/drop_clock.h"

namespace lode {

class Cached {
 public:
  // How many renderings an entry can keep: one for each way in which the
  // contents look on the wire.
  static constexpr std::size_t kSlots = 4;

  Cached(Contents contents, std::chrono::steady_clock::time_point expires,
         DropClock::Origin origin);

  const Contents& contents() const { return contents_; }
  // When the cache stops giving it out, by the cache's clock. In the past if
  // it was not to be kept at all.
  std::chrono::steady_clock::time_point expires() const { return expires_; }

  const DropClock::Origin& origin() const { return origin_; }

  // The rendering in the slot, made at the first call. Several callers wait
  // for the one that makes it; if `make` throws, the next one tries again.
  // Valid as long as this entry.
  // REQUIRES: slot < kSlots; whoever uses a slot makes the same text.
  const SharedText& rendered(std::size_t slot,
                             const std::function<std::string(const Contents&)>& make) const
      LODE_EXCLUDES(mutex_);

  // What the contents cost a model, counted at the first call: not for the
  // transport's thread.
  TokenCount tokens() const LODE_EXCLUDES(counting_);
  // The same if it has been counted.
  std::optional<TokenCount> known_tokens() const;

  // Bytes of memory, about: the contents and the renderings, of which one is
  // counted before it is made. Grows with those that follow.
  std::size_t bytes() const;

 private:
  const Contents contents_;
  const std::chrono::steady_clock::time_point expires_;
  const DropClock::Origin origin_;
  const std::size_t size_;

  mutable std::array<std::atomic<const SharedText*>, kSlots> ready_{};
  mutable std::atomic<std::size_t> rendered_size_{0};
  mutable std::atomic<bool> counted_{false};
  mutable Mutex counting_;     // not mutex_: a rendering does not wait for a count
  mutable TokenCount tokens_;  // written once, under counting_, before counted_ is set
  mutable Mutex mutex_;
  mutable std::array<std::unique_ptr<const SharedText>, kSlots> rendered_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
