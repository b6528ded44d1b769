#include "transport/line_reader.h"

#include <utility>

namespace lode {

void LineReader::take(std::string_view bytes, const Line& line, const TooLong& too_long) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    if (!skipping_ && line_.size() + part.size() > line_bytes_) {
      skipping_ = true;
      line_.clear();
      line_.shrink_to_fit();
      too_long();
    }
    if (!skipping_) line_.append(part);
    if (end == std::string_view::npos) return;
    if (!std::exchange(skipping_, false)) line(line_);
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void LineReader::end(const Line& line) {
  if (!line_.empty() && !skipping_) line(std::exchange(line_, {}));
}

}  // namespace lode
