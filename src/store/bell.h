// Wakes the other processes on the same state directory.
//
// The bell is a file. To ring it is to write a byte into it; the others watch
// it with inotify. Nothing needs to run for it and nothing is left behind by a
// process that dies. A ring may be lost (a process died before it rang, the
// file was removed, the system ran out of watches), so a watch also wakes by
// itself at every tick: the bell is for speed, the tick for certainty.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace lode {

// Constant after construction; any thread.
class Bell {
 public:
  // A file in a directory that exists.
  explicit Bell(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  // Does what it can; the tick makes good what it cannot.
  void ring() const;

 private:
  std::string path_;
};

class BellWatch {
 public:
  static Result<BellWatch> open(const Bell& bell, std::chrono::milliseconds tick);

  // Readable from a ring or a tick until hush().
  int descriptor() const { return epoll_.get(); }

  // A ring that comes while this runs makes the descriptor readable again. One
  // thread at a time.
  void hush();

 private:
  BellWatch(std::string path, Descriptor epoll, Descriptor timer, Descriptor inotify)
      : path_(std::move(path)),
        epoll_(std::move(epoll)),
        timer_(std::move(timer)),
        inotify_(std::move(inotify)) {}

  void watch_file() const;

  std::string path_;
  Descriptor epoll_;
  Descriptor timer_;
  Descriptor inotify_;  // not open: there are too many; the tick remains
};

}  // namespace lode
