// Waits a moment for elements that are still being looked at: of a collection of common
// size all are there then.
#pragma once

#include <chrono>

#include "providers/capability/collection.h"

namespace lode {

inline void settle(Collection& collection) {
  constexpr std::chrono::milliseconds kPatience{250};
  if (collection.loading()) collection.wait_loaded(std::chrono::steady_clock::now() + kPatience);
}

}  // namespace lode
