// A child process with pipes to its standard input and output, and what it
// writes to standard error kept.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode::transcripts {

class Child {
 public:
  // arguments: the program's path first. environment: "NAME=value"; empty: ours.
  static Result<std::unique_ptr<Child>> start(std::vector<std::string> arguments,
                                              const std::vector<std::string>& environment = {});
  // Kills it if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int input() const { return input_; }
  int output() const { return output_; }
  void close_input();
  // Everything it has written to standard error.
  std::string errors() const;
  // Waits until that holds a whole line with the words; for no words, not at all.
  // Error: it does not in time.
  Status await_words(std::string_view words, std::chrono::milliseconds patience) const;

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
