#include "transport/stdio.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace lode {
namespace {

constexpr int kCongestedWaitMs = 20;

// False: the reader of the other end has gone.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

StdioSink::StdioSink(int descriptor, std::size_t pending_bytes, std::function<void()> overflowed)
    : fd_(descriptor),
      limit_(pending_bytes),
      overflowed_(std::move(overflowed)),
      thread_([this] { run(); }) {}

StdioSink::~StdioSink() {
  {
    Lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void StdioSink::write(std::string line) {
  bool gave_up = false;
  {
    Lock lock(mutex_);
    if (broken_) return;
    waiting_.append(line).append(1, '\n');
    gave_up = broken_ = waiting_.size() + writing_ > limit_;
  }
  wake_.notify_one();
  if (gave_up) overflowed_();
}

bool StdioSink::congested() const {
  Lock lock(mutex_);
  return waiting_.size() + writing_ > limit_ / 2;
}

void StdioSink::run() {
  std::string bytes;
  for (;;) {
    {
      Lock lock(mutex_);
      while (waiting_.empty() && !ending_ && !broken_) wake_.wait(mutex_);
      if (broken_ || waiting_.empty()) return;
      bytes.clear();
      bytes.swap(waiting_);
      writing_ = bytes.size();
    }
    const bool written = write_all(fd_, bytes);
    Lock lock(mutex_);
    writing_ = 0;
    broken_ |= !written;
  }
}

StdioReader::StdioReader(int descriptor, std::size_t line_bytes)
    : fd_(descriptor), line_bytes_(line_bytes), stop_fd_(::eventfd(0, EFD_CLOEXEC)) {}

StdioReader::~StdioReader() { ::close(stop_fd_); }

void StdioReader::stop() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto n = ::write(stop_fd_, &one, sizeof one);
}

// True: there is something to read.
bool StdioReader::wait(const Handlers& handlers) {
  for (;;) {
    const bool congested = handlers.congested();
    std::array<pollfd, 2> fds{{{stop_fd_, POLLIN, 0}, {fd_, POLLIN, 0}}};
    if (congested) fds[1].fd = -1;
    const int n = ::poll(fds.data(), fds.size(), congested ? kCongestedWaitMs : -1);
    if (n < 0 && errno != EINTR) return false;
    if (fds[0].revents != 0) return false;
    if (n > 0 && fds[1].revents != 0) return true;
  }
}

void StdioReader::run(const Handlers& handlers) {
  std::array<char, 64 * 1024> buffer{};
  while (wait(handlers)) {
    const ssize_t n = ::read(fd_, buffer.data(), buffer.size());
    if (n > 0) {
      take({buffer.data(), static_cast<std::size_t>(n)}, handlers);
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
      break;
    }
  }
  // A last line without its newline is still a line.
  if (!line_.empty() && !skipping_) handlers.line(std::exchange(line_, {}));
}

void StdioReader::take(std::string_view bytes, const Handlers& handlers) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    if (!skipping_ && line_.size() + part.size() > line_bytes_) {
      skipping_ = true;
      line_.clear();
      line_.shrink_to_fit();
      handlers.too_long();
    }
    if (!skipping_) line_.append(part);
    if (end == std::string_view::npos) return;
    if (!std::exchange(skipping_, false)) handlers.line(line_);
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace lode
