#include "transport/http_conditional.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "transport/http.h"

namespace lode {
namespace {

constexpr std::string_view kUnit = "bytes=";

// Digits alone; empty is nothing too. A number that is too large is the largest: no body has so
// many bytes.
std::optional<std::size_t> parse_number(std::string_view text) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ptr != end) return std::nullopt;
  if (read.ec == std::errc::result_out_of_range) return std::numeric_limits<std::size_t>::max();
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

// The last so many bytes.
HttpRange last_bytes(std::size_t count, std::size_t size) {
  const auto taken = std::min(count, size);
  if (taken == 0) return {HttpRange::Kind::unsatisfiable};
  return {HttpRange::Kind::part, size - taken, taken};
}

HttpRange parse_range(std::string_view text, std::size_t size) {
  const auto dash = text.find('-');
  if (dash == text.npos) return {};
  const auto begin = text.substr(0, dash);
  const auto end = text.substr(dash + 1);
  const auto first = parse_number(begin);
  const auto last = parse_number(end);
  if (begin.empty()) return last ? last_bytes(*last, size) : HttpRange();
  if (!first || (!last && !end.empty()) || (last && *last < *first)) return {};
  if (*first >= size) return {HttpRange::Kind::unsatisfiable};
  const auto until = last ? std::min(*last, size - 1) : size - 1;
  return {HttpRange::Kind::part, *first, until - *first + 1};
}

}  // namespace

bool has_tag(const HttpRequest& request, std::string_view etag) {
  bool found = false;
  for (const auto& [name, value] : request.headers) {
    if (name != "if-none-match") continue;
    each_item(value, [&](std::string_view item) {
      if (item.starts_with("W/")) item.remove_prefix(2);
      found |= item == "*" || item == etag;
    });
  }
  return found;
}

HttpRange wanted_range(const HttpRequest& request, std::string_view etag, std::size_t size) {
  const auto* range = request.header("range");
  if (range == nullptr || request.method != "GET" || request.count("range") != 1) return {};
  const auto* version = request.header("if-range");
  if (version != nullptr && *version != etag) return {};
  if (!lower_case(*range).starts_with(kUnit) || range->find(',') != range->npos) return {};
  return parse_range(trim_field(std::string_view(*range).substr(kUnit.size())), size);
}

}  // namespace lode
