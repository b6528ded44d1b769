#include "base/whole_number.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

namespace lode {
namespace {

std::optional<std::size_t> count_of(const Json& value) {
  if (const auto* number = value.if_int64()) {
    return *number < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(*number));
  }
  if (const auto* number = value.if_uint64()) return *number;
  const auto* number = value.if_double();
  // Written so that no number at all (NaN) is refused too.
  const bool fits = number != nullptr && *number >= 0 &&
                    *number <= static_cast<double>(kMostWholeNumber) &&
                    std::trunc(*number) == *number;
  return fits ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

}  // namespace

Result<std::size_t> whole_number(const Json& value, std::string_view name, std::size_t least,
                                 std::size_t most) {
  const auto count = count_of(value);
  if (count && *count >= least && *count <= most) return *count;
  return invalid(fmt::format("\"{}\" must be a whole number from {} to {}", name, least, most));
}

}  // namespace lode
