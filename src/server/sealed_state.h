// State that travels through the client and comes back unaltered.
//
// A multi-round-trip request gives its state to the client and gets it back
// with the answers. The client may read nothing in it, change nothing, use it
// for another request or as another caller, and not for long: it is encrypted
// and authenticated (AES-256-GCM) together with what it is bound to.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lode {

class StateSeal {
 public:
  using Clock = std::chrono::system_clock;

  // A random key: what this process sealed, only this process opens.
  explicit StateSeal(std::chrono::seconds lifetime);

  // bound_to: the caller and the request, in any unambiguous form.
  std::string seal(std::string_view state, std::string_view bound_to, Clock::time_point now) const;
  // Nothing: not ours, altered, expired, or bound to something else.
  std::optional<std::string> open(std::string_view sealed, std::string_view bound_to,
                                  Clock::time_point now) const;

 private:
  std::array<unsigned char, 32> key_{};
  std::chrono::seconds lifetime_;
};

// Bytes from the system's random source, in hexadecimal.
std::string random_hex(std::size_t bytes);

}  // namespace lode
