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
#include <optional>
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

  // lock_time: how long a writer waits for others.
  explicit SecretFile(std::string path,
                      std::chrono::milliseconds lock_time = std::chrono::seconds(5))
      : path_(std::move(path)), lock_time_(lock_time) {}

  const std::string& path() const { return path_; }

  // Nothing: there is none that can be relied on.
  std::optional<Contents> read() const;
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
};

}  // namespace lode
