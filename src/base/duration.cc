#include "base/duration.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace lode {
namespace {

constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
    {"ns", 1},
    {"us", 1'000},
    {"\u00B5s", 1'000},  // the micro sign
    {"\u03BCs", 1'000},  // the Greek letter
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60 * 1'000'000'000ULL},
    {"h", 3600 * 1'000'000'000ULL},
};

constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits at the front; nullopt if they are too many.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1)) {
    if (number > (kMost - 9) / 10) return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(text[0] - '0');
  }
  return number;
}

// The digits after the point as a share of the unit, rounded as Go rounds it.
std::uint64_t share_of(std::string_view digits, std::uint64_t unit) {
  std::uint64_t number = 0;
  double scale = 1;
  for (char digit : digits) {
    if (number > (kMost - 9) / 10) break;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    scale *= 10;
  }
  const auto share = static_cast<double>(number) * (static_cast<double>(unit) / scale);
  return static_cast<std::uint64_t>(share);
}

std::uint64_t take_unit(std::string_view& text) {
  const auto end = text.find_first_of(".0123456789");
  const auto name = text.substr(0, end);
  text.remove_prefix(name.size());
  for (const auto& [unit, size] : kUnits) {
    if (unit == name) return size;
  }
  return 0;
}

// One number with its unit; nullopt if it is none, or too long.
std::optional<std::uint64_t> take_part(std::string_view& text) {
  const auto before = text.size();
  const auto whole = take_number(text);
  bool digits = text.size() < before;
  std::string_view fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    fraction = text.substr(0, text.find_first_not_of("0123456789"));
    text.remove_prefix(fraction.size());
    digits = digits || !fraction.empty();
  }
  const auto unit = take_unit(text);
  if (!whole || !digits || unit == 0 || *whole > kMost / unit) return std::nullopt;
  return *whole * unit + share_of(fraction, unit);
}

// The number of units with up to nine decimals and no trailing zeros.
std::string decimal(std::uint64_t value, std::uint64_t unit) {
  std::string text = std::to_string(value / unit);
  std::uint64_t rest = value % unit;
  if (rest > 0) text += '.';
  for (; rest > 0; rest = rest * 10 % unit) text += static_cast<char>('0' + rest * 10 / unit);
  return text;
}

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const auto refused = [text] {
    return invalid(fmt::format("\"{}\" is no duration such as 300ms, 5m or 1h30m", text));
  };
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest[0] == '-';
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  if (rest == "0") return std::chrono::nanoseconds(0);
  if (rest.empty()) return refused();
  std::uint64_t sum = 0;
  while (!rest.empty()) {
    const auto part = take_part(rest);
    if (!part || *part > kMost - sum) return refused();
    sum += *part;
  }
  const auto count = static_cast<std::int64_t>(sum);
  return std::chrono::nanoseconds(negative ? -count : count);
}

std::string format_duration(std::chrono::nanoseconds duration) {
  if (duration.count() == 0) return "0s";
  const bool negative = duration.count() < 0;
  const auto bits = static_cast<std::uint64_t>(duration.count());
  const std::uint64_t size = negative ? 0 - bits : bits;
  std::string text = negative ? "-" : "";
  if (size < 1'000) return text + std::to_string(size) + "ns";
  if (size < 1'000'000) return text + decimal(size, 1'000) + "\u00B5s";
  if (size < 1'000'000'000) return text + decimal(size, 1'000'000) + "ms";
  const auto minutes = size / (60 * 1'000'000'000ULL);
  if (minutes >= 60) text += std::to_string(minutes / 60) + "h";
  if (minutes >= 1) text += std::to_string(minutes % 60) + "m";
  return text + decimal(size % (60 * 1'000'000'000ULL), 1'000'000'000) + "s";
}

}  // namespace lode
