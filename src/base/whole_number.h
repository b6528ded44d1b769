// Counts that callers give as JSON: "limit": 20.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace lode {

// The greatest whole number below which every program reads all of them alike.
inline constexpr std::size_t kMostWholeNumber = (std::size_t{1} << 53) - 1;

// The value as a count, however it is written (20, 20.0, 2e1). Code::invalid: it is no
// number, has a fraction, or is not from least to most; the message begins with the name.
Result<std::size_t> whole_number(const Json& value, std::string_view name, std::size_t least,
                                 std::size_t most = kMostWholeNumber);

}  // namespace lode
