// Where lines of a pipe go: standard output, or a test's memory.
#pragma once

#include <string>

namespace lode {

// Any thread. Lines come out whole and in the order of the calls.
class LineSink {
 public:
  virtual ~LineSink() = default;
  // line has no newline in it; one is added.
  virtual void write(std::string line) = 0;
};

}  // namespace lode
