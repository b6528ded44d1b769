#include "store/bell.h"

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

namespace lode {
namespace {

// By path each time: a file that was removed is made again, and the ring
// reaches those who watch the new one.
Descriptor open_bell(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
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

}  // namespace

void Bell::ring() const {
  const Descriptor file = open_bell(path_);
  const char byte = '!';
  if (file.is_open() && ::pwrite(file.get(), &byte, 1, 0) != 1) return;
}

Result<BellWatch> BellWatch::open(const Bell& bell, std::chrono::milliseconds tick) {
  BellWatch watch(bell.path(), Descriptor(::epoll_create1(EPOLL_CLOEXEC)),
                  Descriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
                  Descriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)));
  if (!watch.epoll_.is_open() || !watch.timer_.is_open()) return failure("watching the bell");
  if (auto started = start_timer(watch.timer_.get(), tick); !started) {
    return std::move(started).error();
  }
  for (const int fd : {watch.timer_.get(), watch.inotify_.get()}) {
    if (fd < 0) continue;
    if (auto added = add(watch.epoll_.get(), fd); !added) return std::move(added).error();
  }
  if (watch.inotify_.is_open()) watch.watch_file();
  return watch;
}

// A second watch of the same file is the same watch; one that was replaced
// since gets a new one.
void BellWatch::watch_file() const {
  open_bell(path_);
  ::inotify_add_watch(inotify_.get(), path_.c_str(), IN_MODIFY);
}

void BellWatch::hush() {
  alignas(inotify_event) std::array<char, 4096> events;
  if (inotify_.is_open()) {
    watch_file();
    while (::read(inotify_.get(), events.data(), events.size()) > 0) {
    }
  }
  std::uint64_t ticks = 0;
  if (::read(timer_.get(), &ticks, sizeof ticks) < 0) return;
}

}  // namespace lode
