// Waits for elements that are still being looked at.
#pragma once

#include <chrono>

#include "base/result.h"
#include "engine/exchange.h"
#include "providers/capability/collection.h"

namespace lode {

// A moment: of a collection of common size all are there then. For who says so if not.
inline void settle(Collection& collection) {
  constexpr std::chrono::milliseconds kPatience{250};
  if (collection.loading()) collection.wait_loaded(std::chrono::steady_clock::now() + kPatience);
}

// Until all are there: for lists and searches, which must not look complete before.
// Code::unavailable: they are not there by the deadline.
inline Status wait_for_all(Collection& collection, const Exchange& exchange) {
  constexpr std::chrono::milliseconds kRetry{1000};
  if (!collection.loading() || collection.wait_loaded(exchange.deadline)) return {};
  return Error{Code::unavailable, "the elements are still being read; try again", kRetry};
}

}  // namespace lode
