// Lines on descriptors: standard input and output as a transport.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "base/memory_budget.h"
#include "base/mutex.h"
#include "transport/line_reader.h"
#include "transport/line_sink.h"

namespace lode {

// Writes lines to a descriptor so that a client that does not read blocks
// nobody: at once where that cannot block (the pipe is empty and has room for all
// that waits), else from a thread of its own. What waits is bounded: when more than
// the limit waits before a line comes, the client is given up, and `overflowed` runs
// once.
class StdioSink final : public LineSink {
 public:
  // The descriptor stays the caller's. memory: counts what waits; null: nobody
  // counts.
  StdioSink(int descriptor, std::size_t pending_bytes, std::function<void()> overflowed,
            MemoryShare* memory = nullptr);
  // Writes what waits, unless the client was given up.
  ~StdioSink() override;
  StdioSink(const StdioSink&) = delete;
  StdioSink& operator=(const StdioSink&) = delete;

  void write(std::string line) override LODE_EXCLUDES(mutex_);
  // From hold() to release(), lines of the thread that called them wait for each
  // other, up to what a pipe takes, and are then written together. A line of
  // another thread takes them along.
  void hold() LODE_EXCLUDES(mutex_);
  void release() LODE_EXCLUDES(mutex_);
  // True while more than half the limit waits: a reader should stop taking
  // requests in.
  bool congested() const LODE_EXCLUDES(mutex_);

 private:
  void run() LODE_EXCLUDES(mutex_);
  bool held(std::size_t more) const LODE_REQUIRES(mutex_);
  bool can_write_now(std::size_t size) const LODE_REQUIRES(mutex_);
  bool write_now(std::string& line) LODE_REQUIRES(mutex_);
  bool flush_now() LODE_REQUIRES(mutex_);
  void wait_behind(std::string line) LODE_REQUIRES(mutex_);

  const int fd_;
  const std::size_t room_;  // of an empty pipe; 0: it is no pipe
  const std::size_t limit_;
  const std::function<void()> overflowed_;
  mutable Mutex mutex_;
  Condition wake_;
  std::string waiting_ LODE_GUARDED_BY(mutex_);
  MemoryCharge charge_ LODE_GUARDED_BY(mutex_);  // of what waits and what is being written
  std::thread::id holder_ LODE_GUARDED_BY(mutex_);
  bool due_ LODE_GUARDED_BY(mutex_) = false;  // what waits is the thread's to write
  std::size_t writing_ LODE_GUARDED_BY(mutex_) = 0;
  bool broken_ LODE_GUARDED_BY(mutex_) = false;
  bool ending_ LODE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// Reads lines from a descriptor until its end, or until stop().
class StdioReader {
 public:
  struct Handlers {
    std::function<void(std::string_view line)> line;
    LineReader::TooLong too_long;
    std::function<bool()> congested;  // true: wait before reading on
    // Around the lines of one read, if it brought several: true before them,
    // false after.
    std::function<void(bool)> several = [](bool) {};
  };

  StdioReader(int descriptor, std::size_t line_bytes);
  ~StdioReader();
  StdioReader(const StdioReader&) = delete;
  StdioReader& operator=(const StdioReader&) = delete;

  void run(const Handlers& handlers);
  // From any thread, or a signal handler: run() returns soon.
  void stop();

 private:
  bool wait(const Handlers& handlers);
  void take(std::string_view bytes, const Handlers& handlers);

  const int fd_;
  int stop_fd_;
  LineReader lines_;
};

}  // namespace lode
