// Durations as Go writes them: "300ms", "1.5h", "2h45m".
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lode {

// Numbers, each with an optional fraction and a unit (ns, us, µs, ms, s, m, h),
// one after another, with an optional sign before them all; "0" needs no unit.
// What is finer than a nanosecond is cut off. The error says what is accepted.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

// The shortest exact form that Go prints: "1h30m0s", "1.5s", "300ms", "0s".
std::string format_duration(std::chrono::nanoseconds duration);

}  // namespace lode
