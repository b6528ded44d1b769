// A child process with pipes to its standard input and output, and what it
// writes to standard error kept.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace lode::transcripts {

class Child {
 public:
  // arguments: the program's path first.
  static Result<std::unique_ptr<Child>> start(std::vector<std::string> arguments);
  // Kills it if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int input() const { return input_; }
  int output() const { return output_; }
  void close_input();
  // Everything it has written to standard error.
  std::string errors() const;

  void terminate() const;
  // Waits for its end. Error: it did not end in time, or not well.
  Status wait(std::chrono::milliseconds patience);

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;

  Child(pid_t pid, int input, int output, File errors);

  pid_t pid_;  // -1: waited for
  int input_;
  int output_;
  const File errors_;
};

}  // namespace lode::transcripts
