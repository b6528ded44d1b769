#include "transport/stdio.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace lode {
namespace {

constexpr int kCongestedWaitMs = 20;
// A buffer that grew beyond it is not kept for the next lines.
constexpr std::size_t kBufferKept = 1024 * 1024;

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

// What a pipe holds when it is full; 0 if it is no pipe.
std::size_t pipe_room(int fd) {
  const int size = ::fcntl(fd, F_GETPIPE_SZ);
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

}  // namespace

StdioSink::StdioSink(int descriptor, std::size_t pending_bytes, std::function<void()> overflowed,
                     MemoryShare* memory)
    : fd_(descriptor),
      room_(pipe_room(descriptor)),
      limit_(pending_bytes),
      overflowed_(std::move(overflowed)),
      charge_(memory == nullptr ? MemoryCharge() : MemoryCharge(*memory, 0)),
      thread_([this] { run(); }) {}

StdioSink::~StdioSink() {
  {
    Lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

// An empty pipe takes as much as it has room for without blocking, for nobody
// else writes.
bool StdioSink::can_write_now(std::size_t size) const {
  if (writing_ > 0 || size > room_) return false;
  int unread = 0;
  return ::ioctl(fd_, FIONREAD, &unread) == 0 && unread == 0;
}

// True: the line is written. Else what is left of it waits.
bool StdioSink::write_now(std::string& line) {
  std::size_t taken = 0;
  if (waiting_.empty() && can_write_now(line.size() + 1)) {
    char newline = '\n';
    const std::array<iovec, 2> parts{{{line.data(), line.size()}, {&newline, 1}}};
    const ssize_t n = ::writev(fd_, parts.data(), static_cast<int>(parts.size()));
    if (n > 0) taken = static_cast<std::size_t>(n);
    if (taken > line.size()) return true;
  }
  line.erase(0, taken);
  wait_behind(std::move(line));
  return false;
}

// A long line is taken over, not copied.
void StdioSink::wait_behind(std::string line) {
  if (waiting_.empty()) {
    waiting_ = std::move(line);
  } else {
    waiting_.append(line);
  }
  waiting_ += '\n';
}

// True: nothing waits any more.
bool StdioSink::flush_now() {
  if (waiting_.empty()) return true;
  if (!can_write_now(waiting_.size())) return false;
  const ssize_t n = ::write(fd_, waiting_.data(), waiting_.size());
  if (n > 0) waiting_.erase(0, static_cast<std::size_t>(n));
  return waiting_.empty();
}

// Whether so much more may wait for the lines that follow.
bool StdioSink::held(std::size_t more) const {
  return holder_ == std::this_thread::get_id() &&
         waiting_.size() + writing_ + more < std::min(room_, limit_);
}

void StdioSink::write(std::string line) {
  bool gave_up = false;
  {
    Lock lock(mutex_);
    if (broken_) return;
    if (waiting_.size() + line.size() >= room_) flush_now();
    const bool holds = held(line.size());
    const bool waits = holds || !waiting_.empty();
    const std::size_t before = waiting_.size() + writing_;
    if (waits) wait_behind(std::move(line));
    if (holds) return;
    if (waits ? flush_now() : write_now(line)) return;
    due_ = true;
    charge_.become(waiting_.size() + writing_);
    gave_up = broken_ = before > limit_;
  }
  wake_.notify_one();
  if (gave_up) overflowed_();
}

void StdioSink::hold() {
  Lock lock(mutex_);
  holder_ = std::this_thread::get_id();
}

void StdioSink::release() {
  {
    Lock lock(mutex_);
    holder_ = {};
    if (broken_ || flush_now()) return;
    due_ = true;
  }
  wake_.notify_one();
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
      while (!due_ && !ending_ && !broken_) wake_.wait(mutex_);
      if (broken_ || (ending_ && waiting_.empty())) return;
      due_ = false;
      bytes.clear();
      if (bytes.capacity() > kBufferKept) std::string().swap(bytes);
      bytes.swap(waiting_);
      writing_ = bytes.size();
    }
    const bool written = write_all(fd_, bytes);
    Lock lock(mutex_);
    writing_ = 0;
    charge_.become(waiting_.size());
    broken_ |= !written;
  }
}

StdioReader::StdioReader(int descriptor, std::size_t line_bytes)
    : fd_(descriptor), stop_fd_(::eventfd(0, EFD_CLOEXEC)), lines_(line_bytes) {}

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

void StdioReader::take(std::string_view bytes, const Handlers& handlers) {
  const bool several = bytes.find('\n') != bytes.rfind('\n');
  if (several) handlers.several(true);
  lines_.take(bytes, handlers.line, handlers.too_long);
  if (several) handlers.several(false);
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
  lines_.end(handlers.line, handlers.too_long);
}

}  // namespace lode
