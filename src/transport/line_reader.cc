#include "transport/line_reader.h"

#include <utility>

namespace lode {

void LineReader::take(std::string_view bytes, const Line& line, const TooLong& too_long) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    if (!skipping_ && line_.size() + part.size() > line_bytes_) {
      skipping_.emplace().feed(line_);
      std::string().swap(line_);
    }
    if (skipping_) {
      skipping_->feed(part);
    } else {
      line_.append(part);
    }
    if (end == std::string_view::npos) return;
    finish(line, too_long);
    bytes.remove_prefix(end + 1);
  }
}

void LineReader::finish(const Line& line, const TooLong& too_long) {
  if (const auto skipped = std::exchange(skipping_, std::nullopt)) {
    too_long(skipped->id());
  } else {
    line(line_);
  }
  line_.clear();
}

void LineReader::end(const Line& line, const TooLong& too_long) {
  if (skipping_ || !line_.empty()) finish(line, too_long);
}

}  // namespace lode
