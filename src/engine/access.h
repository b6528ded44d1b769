// What was asked and decided, for whoever counts or keeps it: metrics, the audit.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "base/principal.h"
#include "engine/action.h"

namespace lode {

class Cached;

// One request of the engine. Valid during the call that it is handed to.
struct Access {
  enum class Verdict : std::uint8_t { allowed, refused, failed };

  const Principal& who;
  Action action;
  std::string_view address;  // canonical, if it came so far; of a list, its name
  Verdict verdict;
  std::string_view version{};                // of what was read
  std::size_t bytes = 0;                     // of it
  std::shared_ptr<const Cached> contents{};  // of a reading: knows its tokens, or counts them
  std::chrono::steady_clock::duration took{};
  std::string_view trace{};  // the client's trace id; empty: it gave none
  // Addresses beside the one asked for that a list, a search or a tool had decided.
  std::size_t asked = 0;
  std::size_t refused = 0;
};

// Called once for each request, on the thread that answers it: cheap, any thread.
using AccessLog = std::function<void(const Access&)>;

}  // namespace lode
