// Pieces of header fields.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace lode {

inline std::string_view trim_field(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

inline std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return out;
}

// Calls f with each item of a comma-separated list.
template <class F>
void each_item(std::string_view list, F&& f) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    f(trim_field(list.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

// The value of the parameter q among "; a=b; q=0.5"; nothing said is "1".
inline std::string_view quality(std::string_view parameters) {
  const auto q = parameters.find("q=");
  if (q == std::string_view::npos) return "1";
  return trim_field(parameters.substr(q + 2, parameters.find(';', q) - q - 2));
}

// Whether a quality is 0, which refuses.
inline bool refuses(std::string_view quality) {
  return quality.find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace lode
