// A bell for the processes on one machine: a file in the directory that they share.
//
// To ring it is to write a byte into it; the others watch it with inotify. Nothing
// needs to run for it and nothing is left behind by a process that dies. Where the
// system has no more watches, the tick remains.
#pragma once

#include <string>
#include <utility>

#include "store/bell.h"

namespace lode {

class FileBell final : public Bell {
 public:
  // A file in a directory that exists.
  explicit FileBell(std::string path) : path_(std::move(path)) {}

  void ring() const override;
  Result<std::unique_ptr<BellWatch>> watch(std::chrono::milliseconds tick) const override;

 private:
  const std::string path_;
};

}  // namespace lode
