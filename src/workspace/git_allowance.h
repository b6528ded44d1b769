// What libgit2 may use up while it reads a repository: memory, and time.
//
// A repository may be anybody's. A few bytes of it can stand for gigabytes: an object
// that is compressed well, a base that a small object is a difference to, a chain of
// such differences that never ends, trees that hold each other many times over. Their
// sizes are written down in several places, and asking for them first is no way out:
// the library follows a chain to its end to tell a size.
//
// So all memory that the library takes is counted here. When the allowance of the
// thread is used up, the library gets no more: whatever it is doing then fails, and it
// gives back what it has. Time is not its affair: who calls it asks between two calls.
#pragma once

#include <git2.h>
#include <git2/sys/alloc.h>

#include <chrono>
#include <cstddef>
#include <stop_token>

namespace lode {

// While it exists, the thread that made it has this allowance. It outlives what the
// library made meanwhile. One for each thread at a time.
class GitAllowance {
 public:
  GitAllowance(std::size_t bytes, std::chrono::steady_clock::time_point deadline,
               std::stop_token stop);
  ~GitAllowance();
  GitAllowance(const GitAllowance&) = delete;
  GitAllowance& operator=(const GitAllowance&) = delete;

  // Whether memory was refused because there would have been too much.
  bool memory_was_refused() const { return refused_; }
  // Whether there is no time left, or the caller gave up.
  bool is_over() const;

  // What the library is given as its allocator. A thread without an allowance has no
  // limit: it starts the library, or ends.
  static git_allocator allocator();

 private:
  friend struct GitMemory;

  const std::size_t bytes_;
  const std::chrono::steady_clock::time_point deadline_;
  const std::stop_token stop_;
  std::size_t used_ = 0;
  bool refused_ = false;
};

}  // namespace lode
