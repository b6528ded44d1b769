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

  // 0, or why not.
  int take_free_name(const std::string& name) {
    if (::renameat2(directory_, name_.c_str(), directory_, name.c_str(), RENAME_NOREPLACE) == 0) {
      directory_ = -1;
      return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // No such rename here; a second name does the same, and the first is removed.
    return ::linkat(directory_, name_.c_str(), directory_, name.c_str(), 0) == 0 ? 0 : errno;
  }

  // Each has the other's name then. 0, or why not.
  int exchange_with(const std::string& name) const {
    const int done =
        ::renameat2(directory_, name_.c_str(), directory_, name.c_str(), RENAME_EXCHANGE);
    return done == 0 ? 0 : errno;
  }
  const std::string& name() const { return name_; }
  void leave() { directory_ = -1; }

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

Error was_changed() { return {Code::conflict, "it was changed meanwhile", {}}; }

// A rename changes the time of the inode, so that does not count.
bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

Status check_same(int directory, const std::string& name, const struct stat& expected) {
  auto now = existing(directory, name);
  if (!now) return std::move(now).error();
  return now->has_value() && is_same(**now, expected) ? Status() : was_changed();
}

Status synced_after(int directory) {
  auto synced = sync_directory(directory);
  if (!synced) return std::move(synced).error().in("written, but a crash may undo it");
  return {};
}

Status create(int directory, const std::string& name, std::string_view bytes, mode_t mode) {
  auto successor = Successor::make(directory, mode);
  if (!successor) return std::move(successor).error();
  if (auto filled = successor->fill(bytes); !filled) return filled;
  const int why = successor->take_free_name(name);
  if (why == EEXIST) return Error{Code::conflict, "there is something of that name", {}};
  errno = why;
  if (why != 0) return failure("renaming");
  return synced_after(directory);
}

Status exchange(int directory, const std::string& name, std::string_view bytes,
                const struct stat& expected) {
  if (auto same = check_same(directory, name, expected); !same) return same;
  auto successor = Successor::make(directory, 0600);
  if (!successor) return std::move(successor).error();
  if (auto inherited = successor->inherit(expected); !inherited) return inherited;
  if (auto filled = successor->fill(bytes); !filled) return filled;
  const int why = successor->exchange_with(name);
  if (why == ENOENT) return was_changed();
  if (why == EINVAL || why == ENOSYS) {
    if (auto same = check_same(directory, name, expected); !same) return same;
    if (auto taken = successor->take_place_of(name); !taken) return taken;
    return synced_after(directory);
  }
  errno = why;
  if (why != 0) return failure("renaming");
  if (auto same = check_same(directory, successor->name(), expected); !same) {
    const int undone = successor->exchange_with(name);
    if (undone == 0) return same;
    successor->leave();  // it has somebody's bytes
    errno = undone;
    return failure(fmt::format("what was changed meanwhile stays in {}", successor->name()));
  }
  return synced_after(directory);
}

// The caller's may be O_PATH, which cannot be synced.
Result<Descriptor> open_again(int directory) {
  Descriptor own(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own.is_open()) return failure("opening the directory");
  return own;
}

}  // namespace

Status create_durably(int directory, const std::string& name, std::string_view bytes, mode_t mode) {
  if (!is_segment(name)) return invalid(fmt::format("not a file's name: {}", name));
  const auto own = open_again(directory);
  return own ? create(own->get(), name, bytes, mode) : Status(own.error());
}

Status replace_durably(int directory, const std::string& name, std::string_view bytes,
                       const struct stat& expected) {
  if (!is_segment(name)) return invalid(fmt::format("not a file's name: {}", name));
  const auto own = open_again(directory);
  return own ? exchange(own->get(), name, bytes, expected) : Status(own.error());
}

Status write_durably(int directory, const std::string& name, std::string_view bytes,
                     mode_t mode_if_new, const std::function<Status()>& before_rename) {
  if (!is_segment(name)) return invalid(fmt::format("not a file's name: {}", name));
  // The caller's may be O_PATH, which cannot be synced.
  const Descriptor own(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own.is_open()) return failure("opening the directory");
  return replace(own.get(), name, bytes, mode_if_new, before_rename);
}

}  // namespace lode
