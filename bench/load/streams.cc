#include "streams.h"

#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace lode::bench {
namespace {

constexpr std::size_t kOpening = 128;  // at once, fewer than any backlog
constexpr std::string_view kAcknowledged = "notifications/subscriptions/acknowledged";
constexpr std::string_view kUpdated = "notifications/resources/updated";

std::string wish(const std::string& uri) {
  namespace json = boost::json;
  return json::serialize(
      json::object{{"notifications", {{"resourceSubscriptions", json::array{uri}}}}});
}

double milliseconds(Nanoseconds from, Nanoseconds to) {
  return static_cast<double>(to - from) / 1e6;
}

}  // namespace

Streams::Streams(Process& process, const ServerSpec& spec, const StreamSpec& streams)
    : process_(process),
      spec_(spec),
      streams_spec_(streams),
      url_(Url::parse(spec.url)),
      request_("subscriptions/listen", wish(streams.uri), Era::modern),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      streams_(streams.count) {}

Streams::~Streams() {
  for (auto& stream : streams_) {
    if (stream.fd >= 0) ::close(stream.fd);
  }
  ::close(epoll_);
}

void Streams::open() {
  std::size_t started = 0;
  count_ = 0;
  while (count_ < streams_.size()) {
    while (started < streams_.size() && started < count_ + kOpening) start(streams_[started++]);
    step(kAcknowledged);
  }
}

void Streams::start(Stream& stream) {
  stream.fd = begin_connect(url_);
  if (stream.fd < 0) die(process_.name() + ": " + std::strerror(errno));
  const auto id = kFirstId + static_cast<std::uint64_t>(&stream - streams_.data());
  stream.out =
      post(head_of(url_), request_.method(), Era::modern, "", std::nullopt, request_.body(id, 0));
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLET;
  event.data.ptr = &stream;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, stream.fd, &event);
}

Heard Streams::change() {
  count_ = 0;
  first_ = 0;
  const Nanoseconds began = now();
  trigger();
  while (count_ < streams_.size()) step(kUpdated);
  return {milliseconds(began, first_), milliseconds(began, last_)};
}

void Streams::trigger() {
  if (spec_.trigger.empty()) return process_.tell(SIGUSR2);
  std::ofstream(spec_.trigger, std::ios::app) << "changed\n";
}

void Streams::step(std::string_view wanted) {
  epoll_event events[512];
  const int count = ::epoll_wait(epoll_, events, 512, static_cast<int>(kPatience * 1000));
  if (count == 0) {
    die(process_.name() + ": only " + std::to_string(count_) + " streams had " +
        std::string(wanted));
  }
  for (int i = 0; i < count; ++i) {
    auto& stream = *static_cast<Stream*>(events[i].data.ptr);
    if (!stream.out.empty() && (events[i].events & EPOLLOUT) != 0) {
      const ssize_t sent = ::send(stream.fd, stream.out.data(), stream.out.size(), MSG_NOSIGNAL);
      if (sent != static_cast<ssize_t>(stream.out.size())) die("a short write of a request");
      stream.out = {};
    }
    if ((events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) receive(stream, wanted);
  }
}

void Streams::receive(Stream& stream, std::string_view wanted) {
  char buffer[4096];
  while (true) {
    const ssize_t length = ::recv(stream.fd, buffer, sizeof buffer, 0);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) die(process_.name() + " ended a stream: " + stream.in.substr(0, 400));
    stream.in.append(buffer, static_cast<std::size_t>(length));
    if (stream.in.find(wanted) == std::string::npos) continue;
    last_ = now();
    if (count_++ == 0) first_ = last_;
    stream.in.clear();
  }
}

}  // namespace lode::bench
