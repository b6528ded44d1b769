// What wakes the processes that share a database.
//
// Whoever has committed a change rings; every watch of the same bell, in this and in
// other processes, becomes readable. A file that the others watch is one way
// (file_bell.h), a database's own notifications are another.
//
// A ring carries nothing and may be lost: its writer died before it rang, or a
// connection broke. So a watch also wakes by itself at every tick: the bell is for
// speed, the tick for certainty. It may also wake for nothing. What makes the bell
// heard again after a loss (the file is made anew, the connection opened again) belongs
// into silence(), which runs at least once a tick and may block.
#pragma once

#include <chrono>
#include <memory>

#include "base/result.h"

namespace lode {

class BellWatch {
 public:
  virtual ~BellWatch() = default;

  // Readable from a ring or a tick until silence(); the same descriptor as long as the
  // watch lives, whatever becomes of what is behind it.
  virtual int descriptor() const = 0;

  // A ring that comes while this runs makes the descriptor readable again. One thread
  // at a time.
  virtual void silence() = 0;
};

// Any thread. Outlives its watches.
class Bell {
 public:
  virtual ~Bell() = default;

  // After the commit of what the others shall look for. Does what it can; the tick
  // makes good what it cannot. Uses no connection of the database that was written.
  virtual void ring() const = 0;

  // Rings from now on wake the watch.
  virtual Result<std::unique_ptr<BellWatch>> watch(std::chrono::milliseconds tick) const = 0;
};

}  // namespace lode
