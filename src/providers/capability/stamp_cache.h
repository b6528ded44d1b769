// What was worked out from files, kept for as long as they stay as they were.
//
// Bounded: what is put fills one half; when that is full it becomes the other
// half, whose values go unless they were asked for meanwhile. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"

namespace lode {

template <class Value>
class StampCache {
 public:
  explicit StampCache(std::size_t most_bytes) : half_(most_bytes / 2) {}

  // Null: unknown, or known of a file that was another then.
  std::shared_ptr<const Value> find(const std::string& key, std::uint64_t stamp)
      LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    auto found = young_.find(key);
    if (found == young_.end()) {
      auto node = old_.extract(key);
      if (node.empty()) return nullptr;
      found = keep(key, std::move(node.mapped()));
    }
    return found->second.stamp == stamp ? found->second.value : nullptr;
  }

  // bytes: about what the value takes.
  void put(const std::string& key, std::uint64_t stamp, std::shared_ptr<const Value> value,
           std::size_t bytes) LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    old_.erase(key);
    keep(key, {stamp, std::move(value), bytes + key.size() + sizeof(Kept)});
  }

 private:
  struct Kept {
    std::uint64_t stamp = 0;
    std::shared_ptr<const Value> value;
    std::size_t bytes = 0;
  };
  using Half = std::unordered_map<std::string, Kept>;

  typename Half::iterator keep(const std::string& key, Kept kept) LODE_REQUIRES(mutex_) {
    if (const auto known = young_.find(key); known != young_.end()) bytes_ -= known->second.bytes;
    if (bytes_ + kept.bytes > half_) {
      old_ = std::exchange(young_, {});
      bytes_ = 0;
    }
    bytes_ += kept.bytes;
    return young_.insert_or_assign(key, std::move(kept)).first;
  }

  const std::size_t half_;
  Mutex mutex_;
  Half young_ LODE_GUARDED_BY(mutex_);
  Half old_ LODE_GUARDED_BY(mutex_);
  std::size_t bytes_ LODE_GUARDED_BY(mutex_) = 0;  // of young_
};

}  // namespace lode
