#include "store/secret_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "base/descriptor.h"
#include "store/durable_file.h"
#include "store/private_directory.h"

namespace lode {
namespace {

constexpr std::chrono::milliseconds kNap{5};

Error failure(const std::string& path) {
  const int why = errno;
  return internal(fmt::format("{}: {}", path, std::strerror(why)));
}

SecretFile::Stamp stamp_of(const struct stat& info) {
  return {info.st_dev, info.st_ino, info.st_size,
          std::int64_t{info.st_ctim.tv_sec} * 1'000'000'000 + info.st_ctim.tv_nsec};
}

bool private_to_us(const struct stat& info) {
  return S_ISREG(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

// Until the descriptor is closed, or the process ends however it ends.
Result<Descriptor> lock(const std::string& path, std::chrono::milliseconds time) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return failure(path);
  const auto until = std::chrono::steady_clock::now() + time;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return failure(path);
    if (std::chrono::steady_clock::now() >= until) {
      return Error{Code::unavailable, fmt::format("{}: others hold the lock", path), {}};
    }
    std::this_thread::sleep_for(kNap);
  }
  return file;
}

}  // namespace

std::optional<SecretFile::Contents> SecretFile::read() const {
  const Descriptor file(
      ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (!file.is_open() || ::fstat(file.get(), &info) != 0 || !private_to_us(info)) return {};
  std::string bytes;
  std::array<char, kMostBytes + 1> buffer;
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    if (n == 0) return Contents{std::move(bytes), stamp_of(info)};
    bytes.append(buffer.data(), static_cast<std::size_t>(n));
    if (bytes.size() > kMostBytes) return {};
  }
}

SecretFile::Stamp SecretFile::stamp() const {
  struct stat info {};
  return ::lstat(path_.c_str(), &info) == 0 ? stamp_of(info) : Stamp();
}

Result<std::string> SecretFile::update(const Change& change) const {
  const std::string directory_path = directory_of(path_);
  const auto held = lock(directory_path + "/secrets.lock", lock_time_);
  if (!held) return held.error();
  const auto now = read();
  std::string next = change(now ? &now->bytes : nullptr);
  if (now && now->bytes == next) return next;
  const Descriptor directory(::open(directory_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open()) return failure(directory_path);
  // Its successor would inherit who may read it.
  if (!now && ::unlink(path_.c_str()) != 0 && errno != ENOENT) return failure(path_);
  const auto written =
      write_durably(directory.get(), path_.substr(path_.rfind('/') + 1), next, 0600);
  if (!written) return Error(written.error()).in(path_);
  return next;
}

}  // namespace lode
