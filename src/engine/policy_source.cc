#include "engine/policy_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "engine/policy_file.h"

namespace lode {
namespace {

// Two writes within one tick of the file system's clock have the same time.
constexpr std::chrono::milliseconds kTick{100};

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Error failed(const std::string& path) {
  return {errno == ENOENT ? Code::not_found : Code::unavailable,
          fmt::format("{}: {}", path, std::generic_category().message(errno)),
          {}};
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// The whole file, or a little more than a policy may have.
Status read_all(int fd, const std::string& path, std::string& text) {
  const std::size_t limit = PolicyFileLimits().bytes + 1;
  text.resize(limit);
  std::size_t size = 0;
  while (size < limit) {
    const auto n = ::read(fd, text.data() + size, limit - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed(path);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  text.shrink_to_fit();
  return {};
}

}  // namespace

PolicySource::Stamp PolicySource::stamp_of(const struct stat& seen) {
  return {nanoseconds(seen.st_mtim), nanoseconds(seen.st_ctim), seen.st_size, seen.st_ino};
}

PolicySource::Stamp PolicySource::look(const std::string& path) {
  struct stat seen {};
  if (::stat(path.c_str(), &seen) != 0) return {};
  return stamp_of(seen);
}

// The stamp is taken before the text: a write between the two shows at the
// next look.
Status PolicySource::read(const std::string& path, Reading& reading) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat seen {};
  if (file.get() < 0 || ::fstat(file.get(), &seen) != 0) return failed(path);
  if (!S_ISREG(seen.st_mode)) return invalid("not a file").in(path);
  reading.stamp = stamp_of(seen);
  return read_all(file.get(), path, reading.text);
}

bool PolicySource::settled(const Stamp& stamp) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return now - std::chrono::nanoseconds(stamp.changed_ns) > kTick;
}

Result<std::unique_ptr<PolicySource>> PolicySource::open(std::string path) {
  Reading reading;
  if (auto done = read(path, reading); !done) return std::move(done).error();
  auto policy = parse_policy(reading.text, path);
  if (!policy) return std::move(policy).error();
  return std::unique_ptr<PolicySource>(
      new PolicySource(std::move(path), std::move(*policy), std::move(reading)));
}

PolicySource::PolicySource(Policy policy)
    : policy_(std::make_shared<const Policy>(std::move(policy))) {}

PolicySource::PolicySource(std::string path, Policy policy, Reading reading)
    : path_(std::move(path)),
      text_(std::move(reading.text)),
      policy_(std::make_shared<const Policy>(std::move(policy))) {
  if (settled(reading.stamp)) stamp_ = reading.stamp;
}

std::shared_ptr<const Policy> PolicySource::current() const {
  Lock lock(mutex_);
  return policy_;
}

Result<bool> PolicySource::reload_if_changed() {
  if (path_.empty()) return false;
  Lock one_at_a_time(reloading_);
  const Stamp stamp = look(path_);
  if (stamp_ == stamp) return false;
  Reading reading;
  if (auto done = read(path_, reading); !done) {
    stamp_ = stamp;
    text_.reset();
    return std::move(done).error();
  }
  stamp_.reset();
  if (settled(reading.stamp)) stamp_ = reading.stamp;
  if (reading.text == text_) return false;
  text_ = std::move(reading.text);
  auto policy = parse_policy(*text_, path_);
  if (!policy) return std::move(policy).error();
  auto fresh = std::make_shared<const Policy>(std::move(*policy));
  Lock lock(mutex_);
  policy_.swap(fresh);
  return true;
}

}  // namespace lode
