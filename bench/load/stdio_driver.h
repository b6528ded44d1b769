// Loads a server over its standard input and output.
#pragma once

#include <unordered_map>

#include "driver.h"

namespace lode::bench {

class StdioDriver : public Driver {
 public:
  // REQUIRES: the process has pipes and outlives the driver.
  StdioDriver(Process& process, Era era);
  ~StdioDriver() override;
  StdioDriver(const StdioDriver&) = delete;
  StdioDriver& operator=(const StdioDriver&) = delete;

  Nanoseconds greet() override;
  void run(Round& round) override;

 private:
  void send(std::string_view message);
  void flush();
  void fill(Round& round, Nanoseconds at);
  // Waits for bytes and splits them into lines.
  void step();
  void read_lines();
  void take(std::string_view line, Nanoseconds at);

  Process& process_;
  const Era era_;
  int epoll_ = -1;
  bool writing_ = false;  // waits until the pipe takes more
  std::string out_;
  std::string line_;  // the beginning of one
  std::string buffer_;
  Round* round_ = nullptr;                                    // null while greeting
  std::unordered_map<std::uint64_t, Nanoseconds> in_flight_;  // when each was sent
  bool greeted_ = false;
};

}  // namespace lode::bench
