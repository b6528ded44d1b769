#include "transport/memory.h"

#include <utility>

namespace lode {

void MemorySink::write(std::string line) {
  {
    Lock lock(mutex_);
    lines_.push_back(std::move(line));
  }
  wake_.notify_one();
}

std::optional<std::string> MemorySink::next(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  Lock lock(mutex_);
  while (lines_.empty()) {
    if (!wake_.wait_until(mutex_, until)) return std::nullopt;
  }
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

}  // namespace lode
