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
constexpr std::chrono::milliseconds kMoment{500};

Error failure(const std::string& path) {
  const int why = errno;
  return internal(fmt::format("{}: {}", path, std::strerror(why)));
}

SecretFile::Stamp stamp_of(const struct stat& info) {
  return {info.st_dev, info.st_ino, info.st_size,
          std::int64_t{info.st_ctim.tv_sec} * 1'000'000'000 + info.st_ctim.tv_nsec};
}

Error unreliable(std::string why) { return {Code::denied, std::move(why), {}}; }

Status check_private(const struct stat& info) {
  if (!S_ISREG(info.st_mode)) return unreliable("it is no regular file");
  if (info.st_uid != ::geteuid()) return unreliable("it belongs to another user");
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) == 0) return {};
  return unreliable(fmt::format("others may open it (its mode is {:04o})", info.st_mode & 07777U));
}

// What open(2) says of a name that has no such file.
Error not_opened(int why) {
  if (why == ENOENT) return not_found("there is none");
  if (why == ELOOP) return unreliable("it is a link");
  return internal(std::strerror(why));
}

// Until the descriptor is closed, or the process ends however it ends.
Result<Descriptor> lock(const std::string& path, std::chrono::milliseconds time,
                        const SecretFile::Waits& waits) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return failure(path);
  const auto began = std::chrono::steady_clock::now();
  bool told = !waits;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return failure(path);
    const auto waited = std::chrono::steady_clock::now() - began;
    if (waited >= time) {
      return Error{Code::unavailable,
                   fmt::format("{}: another process holds this lock; nothing was written. Try "
                               "again when it has ended",
                               path),
                   {}};
    }
    if (!told && waited >= kMoment) {
      told = true;
      waits(path);
    }
    std::this_thread::sleep_for(kNap);
  }
  return file;
}

}  // namespace

Result<SecretFile::Contents> SecretFile::read() const {
  const Descriptor file(
      ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) return not_opened(errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return internal(std::strerror(errno));
  if (auto fit = check_private(info); !fit) return std::move(fit).error();
  std::string bytes;
  std::array<char, kMostBytes + 1> buffer;
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return internal(std::strerror(errno));
    if (n == 0) return Contents{std::move(bytes), stamp_of(info)};
    bytes.append(buffer.data(), static_cast<std::size_t>(n));
    if (bytes.size() > kMostBytes) return invalid("it is too long");
  }
}

SecretFile::Stamp SecretFile::stamp() const {
  struct stat info {};
  return ::lstat(path_.c_str(), &info) == 0 ? stamp_of(info) : Stamp();
}

Result<std::string> SecretFile::update(const Change& change) const {
  const std::string directory_path = directory_of(path_);
  const auto held = lock(directory_path + "/secrets.lock", lock_time_, waits_);
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
