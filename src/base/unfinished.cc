#include "base/unfinished.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <random>

#include "base/descriptor.h"

namespace lode {
namespace {

constexpr std::size_t kDigits = 16;

bool was_made_here(std::string_view name) {
  if (!is_unfinished_write(name)) return false;
  name.remove_prefix(kUnfinishedPrefix.size());
  if (name.size() != kDigits + kUnfinishedSuffix.size()) return false;
  return name.find_first_not_of("0123456789abcdef") == kDigits;
}

bool is_ours(const struct stat& info, std::chrono::seconds age) {
  return S_ISREG(info.st_mode) && info.st_uid == ::geteuid() && info.st_nlink == 1 &&
         ::time(nullptr) - info.st_mtime >= age.count();
}

}  // namespace

std::string new_unfinished_name() {
  std::random_device random;
  return fmt::format("{}{:08x}{:08x}{}", kUnfinishedPrefix, random(), random(), kUnfinishedSuffix);
}

// Where there are no locks nobody can tell, and the file stays.
void hold_unfinished(int file) { ::flock(file, LOCK_EX | LOCK_NB); }

bool remove_if_abandoned(int directory, const std::string& name, std::chrono::seconds age) {
  if (!was_made_here(name)) return false;
  const Descriptor file(
      ::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!file.is_open() || ::fstat(file.get(), &info) != 0 || !is_ours(info, age)) return false;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return false;
  return ::unlinkat(directory, name.c_str(), 0) == 0;
}

}  // namespace lode
