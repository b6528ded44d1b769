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

Result<std::unique_ptr<PolicySource>> PolicySource::open(std::string path,
                                                         ReadWorkspaceRules workspace) {
  Reading reading;
  auto policy = Result<Policy>(Policy::local());
  if (!path.empty()) {
    if (auto done = read(path, reading); !done) return std::move(done).error();
    policy = parse_policy(reading.text, path);
  }
  if (!policy) return std::move(policy).error();
  return std::unique_ptr<PolicySource>(new PolicySource(std::move(path), std::move(*policy),
                                                        std::move(reading), std::move(workspace)));
}

PolicySource::PolicySource(Policy policy)
    : PolicySource("", std::move(policy), Reading(), ReadWorkspaceRules()) {}

PolicySource::PolicySource(std::string path, Policy policy, Reading reading,
                           ReadWorkspaceRules workspace)
    : path_(std::move(path)),
      workspace_(std::move(workspace)),
      base_(std::make_shared<const Policy>(std::move(policy))),
      rules_(workspace_ ? workspace_() : std::make_shared<const WorkspaceRules>()),
      text_(std::move(reading.text)),
      policy_(composed()) {
  if (settled(reading.stamp)) stamp_ = reading.stamp;
}

std::shared_ptr<const Policy> PolicySource::current() const {
  Lock lock(mutex_);
  return policy_;
}

// Too many rules together: what cannot be held against all of them is refused.
std::shared_ptr<const Policy> PolicySource::composed() const {
  using enum WorkspaceRules::Weight;
  if (rules_->weight == none) return base_;
  if (rules_->weight == whole && path_.empty()) return rules_->policy;
  if (rules_->weight == closed)
    return std::make_shared<const Policy>(Policy::closed(rules_->where));
  auto together = base_->with_denies_of(*rules_->policy);
  if (!together) together = Policy::closed(together.error().message);
  return std::make_shared<const Policy>(std::move(*together));
}

Result<bool> PolicySource::reload_file() {
  if (path_.empty()) return false;
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
  base_ = std::make_shared<const Policy>(std::move(*policy));
  return true;
}

bool PolicySource::reload_workspace() {
  if (!workspace_) return false;
  auto rules = workspace_();
  if (rules == rules_) return false;
  rules_ = std::move(rules);
  return true;
}

Result<bool> PolicySource::reload_if_changed() {
  Lock one_at_a_time(reloading_);
  // Trouble with the user's file is told once; the workspace's rules wait for the next
  // look then.
  auto other_file = reload_file();
  if (!other_file) return other_file;
  const bool other_rules = reload_workspace();
  if (!*other_file && !other_rules) return false;
  auto fresh = composed();
  Lock lock(mutex_);
  policy_.swap(fresh);
  return true;
}

}  // namespace lode
