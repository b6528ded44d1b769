// The policy in force: read from the user's file, and read again when the file
// changes, so that a revocation needs no restart; with what the rules of the
// workspace add to it.
//
//   user's file   workspace's rules   in force
//   none          none                Policy::local()
//   none          denies              Policy::local() and their denies
//   none          whole               the workspace's
//   one           denies or whole     the user's, and the denies of the workspace
//   any           closed              nothing is permitted
//
// A user's file that cannot be read or understood leaves the policy as it was; the
// trouble is reported once for each state of the file. Any thread.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "engine/policy.h"

namespace lode {

// What the files of a workspace say about who may do what. Whoever makes it has
// decided how far they are trusted.
struct WorkspaceRules {
  enum class Weight : std::uint8_t {
    none,    // there are no rules
    denies,  // only what denies counts
    whole,   // they are the policy, if the user has none
    closed,  // there are rules that cannot be read
  };
  Weight weight = Weight::none;
  std::shared_ptr<const Policy> policy;  // of denies and whole
  std::string where;                     // of closed, for people
};

class PolicySource {
 public:
  // Answers the same pointer until the rules change. Never null. Asked by one thread
  // at a time; may block on the disk.
  using ReadWorkspaceRules = std::function<std::shared_ptr<const WorkspaceRules>()>;

  // The policy of a file, which must be there and right; without a name, the policy
  // that holds without a file. workspace: empty: there are no other rules.
  static Result<std::unique_ptr<PolicySource>> open(std::string path,
                                                    ReadWorkspaceRules workspace = {});
  // A policy that never changes.
  explicit PolicySource(Policy policy);

  // Cheap: one short lock. Never null. A caller keeps what it got for one
  // request at most, or a revocation would not reach it.
  std::shared_ptr<const Policy> current() const LODE_EXCLUDES(mutex_);

  // Looks at the file (one stat) and at the rules of the workspace, and reads what is
  // another than before. True: there is a new policy. An Error says what is wrong with
  // the file;
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

  PolicySource(std::string path, Policy policy, Reading reading, ReadWorkspaceRules workspace);
  Result<bool> reload_file() LODE_REQUIRES(reloading_);
  bool reload_workspace() LODE_REQUIRES(reloading_);
  std::shared_ptr<const Policy> composed() const LODE_REQUIRES(reloading_);
  static Stamp stamp_of(const struct stat& seen);
  static Stamp look(const std::string& path);
  static Status read(const std::string& path, Reading& reading);
  static bool settled(const Stamp& stamp);

  const std::string path_;  // empty: no file
  const ReadWorkspaceRules workspace_;
  Mutex reloading_;                                                 // taken before mutex_
  std::shared_ptr<const Policy> base_ LODE_GUARDED_BY(reloading_);  // without the workspace's
  std::shared_ptr<const WorkspaceRules> rules_ LODE_GUARDED_BY(reloading_);
  // What was last seen of the file. Without a stamp it is read at the next
  // look, whatever that shows.
  std::optional<Stamp> stamp_ LODE_GUARDED_BY(reloading_);
  std::optional<std::string> text_ LODE_GUARDED_BY(reloading_);

  mutable Mutex mutex_;
  std::shared_ptr<const Policy> policy_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
