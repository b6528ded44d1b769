// Lines from bytes that arrive piece by piece: how messages are told apart on a
// pipe. Where the pieces end changes nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace lode {

class LineReader {
 public:
  using Line = std::function<void(std::string_view line)>;  // without its newline
  using TooLong = std::function<void()>;                    // once for each line over the limit

  explicit LineReader(std::size_t line_bytes) : line_bytes_(line_bytes) {}

  void take(std::string_view bytes, const Line& line, const TooLong& too_long);
  // After the last byte: a last line without its newline is still a line.
  void end(const Line& line);

 private:
  const std::size_t line_bytes_;
  std::string line_;
  bool skipping_ = false;  // inside a line that is too long
};

}  // namespace lode
