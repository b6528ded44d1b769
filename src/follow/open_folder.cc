#include "follow/open_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "store/private_directory.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

Error denied(std::string message) { return {Code::denied, std::move(message), {}}; }

Result<OpenFile> step(const Root& root, const std::string& path, const OpenFile& above, bool make) {
  const std::string name(last_name(path));
  auto opened = root.open_without_links(path);
  if (!opened && make) {
    // Another process may have made it since it was looked for.
    const bool made = ::mkdirat(above.descriptor.get(), name.c_str(), 0777) == 0 || errno == EEXIST;
    if (made) {
      if (auto synced = sync_directory(above.descriptor.get()); !synced) {
        return std::move(synced).error();
      }
      opened = root.open_without_links(path);
    }
  }
  if (opened && opened->is_directory()) return opened;
  struct stat info {};
  if (::fstatat(above.descriptor.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT && !make) return not_found(fmt::format("no such directory: {}", path));
    return denied(fmt::format("the directory {} cannot be made: {}", path, std::strerror(errno)));
  }
  if (S_ISLNK(info.st_mode)) {
    return denied(fmt::format("{} is a link, and nothing is written through links", path));
  }
  return denied(fmt::format("{} is no directory that can be opened", path));
}

}  // namespace

Result<OpenFile> open_folder(const Root& root, const std::string& path, bool make) {
  auto here = root.open_without_links("");
  for (std::size_t end = 0; here && end < path.size(); ++end) {
    end = std::min(path.find('/', end), path.size());
    here = step(root, path.substr(0, end), *here, make);
  }
  return here;
}

}  // namespace lode
