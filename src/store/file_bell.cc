#include "store/file_bell.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "base/descriptor.h"

namespace lode {
namespace {

// By path each time: a file that was removed is made again, and the ring
// reaches those who watch the new one. Without O_NONBLOCK a pipe of this name,
// which nobody reads, would be waited for.
Descriptor open_bell(const std::string& path) {
  constexpr int kHow = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  return Descriptor(::open(path.c_str(), kHow, 0600));
}

Error failure(std::string_view doing) {
  const int why = errno;
  return internal(fmt::format("{}: {}", doing, std::strerror(why)));
}

Status start_timer(int timer, std::chrono::milliseconds tick) {
  using std::chrono::duration_cast;
  const auto seconds = duration_cast<std::chrono::seconds>(tick);
  timespec every{};
  every.tv_sec = seconds.count();
  every.tv_nsec = duration_cast<std::chrono::nanoseconds>(tick - seconds).count();
  const itimerspec times{every, every};
  if (::timerfd_settime(timer, 0, &times, nullptr) != 0) return failure("starting a timer");
  return {};
}

Status add(int epoll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) return failure("watching the bell");
  return {};
}

class FileBellWatch final : public BellWatch {
 public:
  explicit FileBellWatch(std::string path)
      : path_(std::move(path)),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)),
        timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
        inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

  Status start(std::chrono::milliseconds tick) {
    if (!epoll_.is_open() || !timer_.is_open()) return failure("watching the bell");
    if (auto started = start_timer(timer_.get(), tick); !started) return started;
    for (const int fd : {timer_.get(), inotify_.get()}) {
      if (fd < 0) continue;
      if (auto added = add(epoll_.get(), fd); !added) return added;
    }
    if (inotify_.is_open()) watch_file();
    return {};
  }

  int descriptor() const override { return epoll_.get(); }

  void silence() override {
    alignas(inotify_event) std::array<char, 4096> events;
    if (inotify_.is_open()) {
      watch_file();
      while (::read(inotify_.get(), events.data(), events.size()) > 0) {
      }
    }
    std::uint64_t ticks = 0;
    if (::read(timer_.get(), &ticks, sizeof ticks) < 0) return;
  }

 private:
  // A second watch of the same file is the same watch; one that was replaced
  // since gets a new one.
  void watch_file() const {
    open_bell(path_);
    ::inotify_add_watch(inotify_.get(), path_.c_str(), IN_MODIFY);
  }

  const std::string path_;
  const Descriptor epoll_;
  const Descriptor timer_;
  const Descriptor inotify_;  // not open: there are too many; the tick remains
};

}  // namespace

void FileBell::ring() const {
  const Descriptor file = open_bell(path_);
  const char byte = '!';
  if (file.is_open() && ::pwrite(file.get(), &byte, 1, 0) != 1) return;
}

Result<std::unique_ptr<BellWatch>> FileBell::watch(std::chrono::milliseconds tick) const {
  auto watch = std::make_unique<FileBellWatch>(path_);
  if (auto started = watch->start(tick); !started) return std::move(started).error();
  return std::unique_ptr<BellWatch>(std::move(watch));
}

}  // namespace lode
