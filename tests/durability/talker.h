// A helper process that a test talks with, line by line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transcripts/child.h"

namespace lode {

class Talker {
 public:
  // arguments: what helper.cc takes; before: a program that runs it, with its
  // own arguments.
  explicit Talker(const std::vector<std::string>& arguments,
                  const std::vector<std::string>& before = {});

  // The commands begin with the first line.
  void say(const std::string& line);

  // Nothing: it has ended, or says nothing for long.
  std::optional<std::string> hear();
  // All lines until the end.
  std::vector<std::string> hear_all();

  // Ends it at once, wherever it is.
  void kill();

  // Error: it ended badly, with what it wrote to standard error.
  Status wait();

 private:
  std::unique_ptr<transcripts::Child> child_;
  std::string unread_;
};

}  // namespace lode
