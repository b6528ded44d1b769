// State that travels through the client and comes back unaltered.
//
// A multi-round-trip request gives its state to the client and gets it back
// with the answers. The client may read nothing in it, change nothing, use it
// for another request or as another caller, and not for long: it is encrypted
// and authenticated (AES-256-GCM) together with what it is bound to. So are the cursors
// of lists.
//
// Any process that shares the key ring opens it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/key_ring.h"
#include "base/principal.h"

namespace lode {

class StateSeal {
 public:
  using Clock = std::chrono::system_clock;

  // REQUIRES: the ring outlives it. Null: what it sealed, only it opens.
  explicit StateSeal(std::chrono::seconds lifetime, KeyRing* shared = nullptr)
      : lifetime_(lifetime), keys_(shared == nullptr ? &own_ : shared) {}
  StateSeal(const StateSeal&) = delete;
  StateSeal& operator=(const StateSeal&) = delete;

  // bound_to: see state_binding().
  std::string seal(std::string_view state, std::string_view bound_to, Clock::time_point now) const;
  // The same without waiting. Nothing: seal() might wait.
  std::optional<std::string> seal_at_once(std::string_view state, std::string_view bound_to,
                                          Clock::time_point now) const;
  // Nothing: not ours, altered, expired, or bound to something else.
  std::optional<std::string> open(std::string_view sealed, std::string_view bound_to,
                                  Clock::time_point now) const;

 private:
  std::string seal_with(const SealingKey& key, std::string_view state, std::string_view bound_to,
                        Clock::time_point now) const;

  const std::chrono::seconds lifetime_;
  ProcessKeyRing own_;
  KeyRing* const keys_;
};

// What a state is good for: this caller with the roles and scopes that it has now, and
// this request.
std::string state_binding(const Principal& who, std::string_view method, std::string_view request);

}  // namespace lode
