// A server that is started, watched and ended.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "plan.h"

namespace lode::bench {

using Nanoseconds = std::uint64_t;

Nanoseconds now();

// CPU time of this process, in seconds.
double own_cpu();

struct Memory {
  double rss_kb = 0;
  double pss_kb = 0;
};

// A process of its own group. It dies with this one, whatever happens.
class Process {
 public:
  // Starts it; over stdio with pipes, else with /dev/null.
  Process(const ServerSpec& spec, Transport transport);
  // Ends it as the specification wants: the end of its input, SIGTERM, SIGKILL.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const std::string& name() const { return name_; }
  Nanoseconds began() const { return began_; }
  int input() const { return input_; }    // write requests here
  int output() const { return output_; }  // read answers here

  double cpu() const;  // seconds, all threads
  Memory memory() const;
  int threads() const;
  void tell(int signal) const;
  // True once it has ended.
  bool ended();

 private:
  void run_child(const ServerSpec& spec, const int* in, const int* out) const;
  bool wait(double seconds);

  const std::string name_;
  Nanoseconds began_ = 0;
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
};

}  // namespace lode::bench
