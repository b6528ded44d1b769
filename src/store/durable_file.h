// Writes a user's file so that a crash leaves the old or the new one, whole.
//
// The bytes go into a new file beside it (base/unfinished.h has its name), which
// is synced and then renamed over the old one; then the directory is synced. What a
// killed process leaves behind is removed by whoever walks through the directory
// later (workspace/sweep.h). Thread-safe; two writers of one name: the later rename wins.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lode {

// Creates or replaces the file `name` (one segment) in an open directory;
// O_PATH will do. When it returns, the file is on stable storage. An existing
// file keeps its permissions, and its owner and group where the process may
// give them; where it may not keep the group, the group gets nothing. Set-id
// bits, ACLs and extended attributes are not kept; other hard links of the old
// file keep the old bytes. mode_if_new is subject to the umask.
//
// After an error the old file is untouched and nothing is left beside it. One
// exception, which the message names: if the directory cannot be synced, the
// new file is in place but a crash may bring the old one back.
//
// Code::invalid: name is no segment. Code::unsupported: there is something that
// is no regular file; a link is not followed. Code::denied: the directory may
// not be written. Code::unavailable: no space is left.
//
// before_rename is asked when all is ready; its error, if it has one, is that
// of the call, and the old file stays.
Status write_durably(int directory, const std::string& name, std::string_view bytes,
                     mode_t mode_if_new = 0666, const std::function<Status()>& before_rename = {});

// The same for a name that nobody has yet. Code::conflict: somebody has.
Status create_durably(int directory, const std::string& name, std::string_view bytes,
                      mode_t mode = 0666);

// The same for the file that had these attributes: device, inode, length and time of change.
// Code::conflict: it is another now, and stays. The two change places before the old one is
// looked at for the last time, so that what another program renames to this name meanwhile is
// put back, and not lost. (A file system without such an exchange leaves a moment.)
Status replace_durably(int directory, const std::string& name, std::string_view bytes,
                       const struct stat& expected);

}  // namespace lode
