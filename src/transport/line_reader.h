// Lines from bytes that arrive piece by piece: how messages are told apart on a
// pipe. Where the pieces end changes nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/id_scan.h"

namespace lode {

class LineReader {
 public:
  using Line = std::function<void(std::string_view line)>;  // without its newline
  // Once for each line over the limit, at its end; id: of the request that it held,
  // as JSON text, or empty (protocol/id_scan.h).
  using TooLong = std::function<void(const std::string& id)>;

  explicit LineReader(std::size_t line_bytes) : line_bytes_(line_bytes) {}

  void take(std::string_view bytes, const Line& line, const TooLong& too_long);
  // After the last byte: a last line without its newline is still a line.
  void end(const Line& line, const TooLong& too_long);

 private:
  void finish(const Line& line, const TooLong& too_long);

  const std::size_t line_bytes_;
  std::string line_;
  std::optional<IdScan> skipping_;  // inside a line that is too long
};

}  // namespace lode
