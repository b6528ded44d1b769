#include "stdio_driver.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lode::bench {
namespace {

constexpr std::size_t kBuffer = 1 << 18;

}  // namespace

StdioDriver::StdioDriver(Process& process, Era era)
    : process_(process), era_(era), epoll_(::epoll_create1(EPOLL_CLOEXEC)), buffer_(kBuffer, '\0') {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = process_.output();
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, process_.output(), &event);
  event.events = 0;
  event.data.fd = process_.input();
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, process_.input(), &event);
}

StdioDriver::~StdioDriver() { ::close(epoll_); }

Nanoseconds StdioDriver::greet() {
  send(hello(era_));
  flush();
  while (!greeted_) step();
  const Nanoseconds at = now();
  if (!after_hello(era_).empty()) send(after_hello(era_));
  flush();
  return at;
}

void StdioDriver::run(Round& round) {
  round_ = &round;
  fill(round, now());
  while (!in_flight_.empty()) step();
  round_ = nullptr;
}

void StdioDriver::send(std::string_view message) {
  out_ += message;
  out_ += '\n';
}

void StdioDriver::flush() {
  while (!out_.empty()) {
    const ssize_t written = ::write(process_.input(), out_.data(), out_.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) break;
    if (written < 0) die(process_.name() + ": " + std::strerror(errno));
    out_.erase(0, static_cast<std::size_t>(written));
  }
  if (writing_ == !out_.empty()) return;
  writing_ = !out_.empty();
  epoll_event event{};
  event.events = writing_ ? static_cast<std::uint32_t>(EPOLLOUT) : 0;
  event.data.fd = process_.input();
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, process_.input(), &event);
}

void StdioDriver::fill(Round& round, Nanoseconds at) {
  while (in_flight_.size() < round.phase().connections && round.open(at)) {
    const auto next = round.next();
    in_flight_.emplace(next.id, at);
    send(round.request().body(next.id, next.n));
  }
  flush();
}

void StdioDriver::step() {
  epoll_event events[2];
  const int count = ::epoll_wait(epoll_, events, 2, static_cast<int>(kPatience * 1000));
  if (count == 0) die(process_.name() + " does not answer");
  for (int i = 0; i < count; ++i) {
    if (events[i].data.fd == process_.output()) {
      read_lines();
    } else {
      flush();
    }
  }
}

void StdioDriver::read_lines() {
  const ssize_t length = ::read(process_.output(), buffer_.data(), buffer_.size());
  if (length < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (length <= 0) die(process_.name() + " ended");
  const Nanoseconds at = now();
  std::string_view rest(buffer_.data(), static_cast<std::size_t>(length));
  for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    if (line_.empty()) {
      take(rest.substr(0, end), at);
    } else {
      line_ += rest.substr(0, end);
      take(line_, at);
      line_.clear();
    }
    rest.remove_prefix(end + 1);
  }
  line_ += rest;
  if (round_ != nullptr) fill(*round_, now());
}

void StdioDriver::take(std::string_view line, Nanoseconds at) {
  const Answer answer = read_answer(line);
  if (!answer.message)
    die(process_.name() + " wrote no message: " + std::string(line.substr(0, 200)));
  if (!answer.method.empty()) return;
  if (round_ == nullptr) {
    if (!answer.result) die(process_.name() + " refused: " + std::string(line.substr(0, 300)));
    greeted_ = true;
    return;
  }
  const auto found = in_flight_.find(answer.id);
  if (found == in_flight_.end()) return round_->fail("an answer that nobody waits for");
  round_->take(line, answer.id, found->second, at);
  in_flight_.erase(found);
}

}  // namespace lode::bench
