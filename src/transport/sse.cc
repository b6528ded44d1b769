#include "transport/sse.h"

#include <algorithm>
#include <string_view>

namespace lode {
namespace {

constexpr std::string_view kData = "data: ";

// A message is one line, and long: that case is one search and one copy.
void append_data(std::string& out, std::string_view data) {
  const bool one_line =
      data.find('\n') == std::string_view::npos && data.find('\r') == std::string_view::npos;
  while (!one_line) {
    const auto end = std::min(data.find_first_of("\r\n"), data.size());
    out.append(kData).append(data.substr(0, end)).append("\n");
    if (end == data.size()) return;
    data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  out.append(kData).append(data).append("\n");
}

}  // namespace

std::string sse_text(const Event& event) {
  using namespace std::string_view_literals;
  std::string out;
  out.reserve(event.data.size() + event.id.size() + 40);
  const bool id = !event.id.empty() && event.id.find_first_of("\r\n\0"sv) == std::string::npos;
  if (id) out.append("id: ").append(event.id).append("\n");
  if (event.retry) out.append("retry: ").append(std::to_string(event.retry->count())).append("\n");
  append_data(out, event.data);
  out += '\n';
  return out;
}

}  // namespace lode
