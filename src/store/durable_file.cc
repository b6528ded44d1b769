#include "store/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "base/descriptor.h"
#include "base/unfinished.h"
#include "store/private_directory.h"

namespace lode {
namespace {

constexpr int kNameTries = 8;

Code code_of(int why) {
  switch (why) {
    case EACCES:
    case EPERM:
    case EROFS: return Code::denied;
    case ENOSPC:
    case EDQUOT: return Code::unavailable;
    case ENAMETOOLONG: return Code::invalid;
    default: return Code::internal;
  }
}

Error failure(std::string_view doing) {
  const int why = errno;
  return {code_of(why), fmt::format("{}: {}", doing, std::strerror(why)), {}};
}

bool is_segment(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

// The file that will take the other's place; removed unless it has.
class Successor {
 public:
  static Result<Successor> make(int directory, mode_t mode) {
    for (int tries = 0; tries < kNameTries; ++tries) {
      std::string name = new_unfinished_name();
      Descriptor file(
          ::openat(directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      if (file.is_open()) hold_unfinished(file.get());
      if (file.is_open()) return Successor(directory, std::move(name), std::move(file));
      if (errno != EEXIST) break;
    }
    return failure("creating a file");
  }
  Successor(Successor&& other) noexcept
      : directory_(std::exchange(other.directory_, -1)),
        name_(std::move(other.name_)),
        file_(std::move(other.file_)) {}
  Successor& operator=(Successor&&) = delete;
  ~Successor() {
    if (directory_ >= 0) ::unlinkat(directory_, name_.c_str(), 0);
  }

  Status inherit(const struct stat& old) {
    mode_t mode = old.st_mode & 0777U;
    if (::fchown(file_.get(), old.st_uid, old.st_gid) != 0 &&
        ::fchown(file_.get(), static_cast<uid_t>(-1), old.st_gid) != 0) {
      mode &= ~static_cast<mode_t>(S_IRWXG);
    }
    if (::fchmod(file_.get(), mode) != 0) return failure("setting permissions");
    return {};
  }

  Status fill(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(file_.get(), bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return failure("writing");
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(file_.get()) != 0) return failure("syncing the file");
    return {};
  }

  Status take_place_of(const std::string& name) {
    if (::renameat(directory_, name_.c_str(), directory_, name.c_str()) != 0) {
      return failure("renaming");
    }
    directory_ = -1;
    return {};
  }

 private:
  Successor(int directory, std::string name, Descriptor file)
      : directory_(directory), name_(std::move(name)), file_(std::move(file)) {}

  int directory_;  // -1: nothing to remove
  std::string name_;
  Descriptor file_;
};

// What is there now; nothing if there is nothing.
Result<std::optional<struct stat>> existing(int directory, const std::string& name) {
  struct stat info {};
  if (::fstatat(directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::optional<struct stat>();
    return failure("looking for the file");
  }
  if (!S_ISREG(info.st_mode)) return Error{Code::unsupported, "not a regular file", {}};
  return std::optional<struct stat>(info);
}

Status replace(int directory, const std::string& name, std::string_view bytes, mode_t mode_if_new,
               const std::function<Status()>& before_rename) {
  auto old = existing(directory, name);
  if (!old) return std::move(old).error();
  // Until it has its permissions nobody else may read what was private.
  auto successor = Successor::make(directory, old->has_value() ? 0600 : mode_if_new);
  if (!successor) return std::move(successor).error();
  if (old->has_value()) {
    if (auto inherited = successor->inherit(**old); !inherited) return inherited;
  }
  if (auto filled = successor->fill(bytes); !filled) return filled;
  if (before_rename) {
    if (auto wanted = before_rename(); !wanted) return wanted;
  }
  if (auto taken = successor->take_place_of(name); !taken) return taken;
  auto synced = sync_directory(directory);
  if (!synced) return std::move(synced).error().in("replaced, but a crash may undo it");
  return {};
}

}  // namespace

Status write_durably(int directory, const std::string& name, std::string_view bytes,
                     mode_t mode_if_new, const std::function<Status()>& before_rename) {
  if (!is_segment(name)) return invalid(fmt::format("not a file's name: {}", name));
  // The caller's may be O_PATH, which cannot be synced.
  const Descriptor own(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own.is_open()) return failure("opening the directory");
  return replace(own.get(), name, bytes, mode_if_new, before_rename);
}

}  // namespace lode
