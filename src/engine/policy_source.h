// The policy in force: read from a file, and read again when the file changes,
// so that a revocation needs no restart.
//
// A file that cannot be read or understood leaves the policy as it was; the
// trouble is reported once for each state of the file. Any thread.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "engine/policy.h"

namespace lode {

class PolicySource {
 public:
  // The policy of a file, which must be there and right.
  static Result<std::unique_ptr<PolicySource>> open(std::string path);
  // A policy that never changes.
  explicit PolicySource(Policy policy);

  // Cheap: one short lock. Never null. A caller keeps what it got for one
  // request at most, or a revocation would not reach it.
  std::shared_ptr<const Policy> current() const LODE_EXCLUDES(mutex_);

  // Looks at the file (one stat) and reads it if it is another than before.
  // True: there is a new policy. An Error says what is wrong with the file;
  // the next calls answer false until the file changes again. May block on
  // the disk.
  Result<bool> reload_if_changed() LODE_EXCLUDES(reloading_, mutex_);

 private:
  // What tells one state of a file from another. All zero: no such file.
  struct Stamp {
    std::int64_t modified_ns = 0;  // of the text
    std::int64_t changed_ns = 0;   // of anything; nobody can set it
    std::int64_t size = 0;
    std::uint64_t inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Reading {
    Stamp stamp;
    std::string text;
  };

  PolicySource(std::string path, Policy policy, Reading reading);
  static Stamp stamp_of(const struct stat& seen);
  static Stamp look(const std::string& path);
  static Status read(const std::string& path, Reading& reading);
  static bool settled(const Stamp& stamp);

  const std::string path_;  // empty: no file
  Mutex reloading_;         // taken before mutex_
  // What was last seen of the file. Without a stamp it is read at the next
  // look, whatever that shows.
  std::optional<Stamp> stamp_ LODE_GUARDED_BY(reloading_);
  std::optional<std::string> text_ LODE_GUARDED_BY(reloading_);

  mutable Mutex mutex_;
  std::shared_ptr<const Policy> policy_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
