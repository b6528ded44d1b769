// Names that are never shown, at any address: version control's own files,
// keys, and the places where people keep passwords; and backups of these
// (base/backup_name.h). ASCII letters match in either case. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workspace/ignore_pattern.h"

namespace lode {

// The built-in set. name: one segment of a path.
bool secret_name(std::string_view name);
// True if any segment of the path is.
bool secret_path(std::string_view path);

// The built-in set and what the user says of it. Both lists hold patterns as in
// a .gitignore at the root: a name at any depth, or a path with a slash. What
// is hidden stays hidden; else what is shown is shown; else the built-in set
// decides. Below what is hidden everything is.
class SecretRules {
 public:
  SecretRules() = default;
  SecretRules(const std::vector<std::string>& shown, const std::vector<std::string>& hidden);

  // The same rules, as they hold for a root that is a directory of this one.
  SecretRules below(std::string_view directory) const;

  // path: relative to the root.
  bool hides(std::string_view path) const;
  // The same for an entry of a directory that is not hidden: the path's last
  // segment decides.
  bool hides_entry(std::string_view path) const;

 private:
  std::vector<IgnorePattern> shown_;
  std::vector<IgnorePattern> hidden_;
  std::string base_;        // what stands before a path for the patterns; empty, or with a slash
  bool hides_all_ = false;  // the base itself is hidden
};

}  // namespace lode
