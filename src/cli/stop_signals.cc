#include "cli/stop_signals.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace lode {
namespace {

// A signal handler can reach nothing but what is static.
std::atomic<int> came{0};
std::atomic<int> bell{-1};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler uses them");

extern "C" void on_stop_signal(int number) {
  if (came.fetch_add(1) > 0) ::_exit(128 + number);
  const int before = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(bell.load(), &one, sizeof one);
  errno = before;
}

}  // namespace

int watch_stop_signals() {
  if (bell.load() >= 0) return bell.load();
  const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return descriptor;
  bell = descriptor;
  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return descriptor;
}

}  // namespace lode
