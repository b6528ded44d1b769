// A small file of secrets that the processes of one user share.
//
// It can be relied on only if it is a regular file of this user that nobody else can
// read; anything else at its name counts as nothing, and goes when the file is written.
// A reader sees the whole of one version. Writers take turns, in all processes, by a
// lock on a file beside it (secrets.lock), so that what two make at once is one.
//
// Any thread. The directory exists.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/result.h"

namespace lode {

class SecretFile {
 public:
  static constexpr std::size_t kMostBytes = 4096;

  // Which version of the file it is; all zero: there is none.
  struct Stamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t changed = 0;  // nanoseconds, of a clock that may tick slowly

    bool operator==(const Stamp&) const = default;
  };
  struct Contents {
    std::string bytes;
    Stamp stamp;
  };

  // Told that a writer has waited for a moment, and goes on to: the file whose lock
  // others hold.
  using Waits = std::function<void(const std::string& lock)>;

  // lock_time: how long a writer waits for others. waits: may be missing.
  explicit SecretFile(std::string path,
                      std::chrono::milliseconds lock_time = std::chrono::seconds(5),
                      Waits waits = {})
      : path_(std::move(path)), lock_time_(lock_time), waits_(std::move(waits)) {}

  const std::string& path() const { return path_; }

  // Code::not_found: there is none. Code::invalid: it is too long. Anything else: it
  // cannot be relied on, or read; the message says why, without its path.
  Result<Contents> read() const;
  // Of what stands there now, whether it can be relied on or not.
  Stamp stamp() const;

  // change: from what is there (null: nothing) to what shall be; the same bytes leave
  // the file alone. Answers what is there then, on stable storage and readable by this
  // user alone. Code::unavailable: others kept the lock.
  using Change = std::function<std::string(const std::string* now)>;
  Result<std::string> update(const Change& change) const;

 private:
  const std::string path_;
  const std::chrono::milliseconds lock_time_;
  const Waits waits_;
};

}  // namespace lode
