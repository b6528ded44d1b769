#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>
#include <utility>

#include "channel.h"
#include "child.h"

namespace lode::transcripts {
namespace {

using std::chrono::steady_clock;

class StdioChannel final : public Channel {
 public:
  explicit StdioChannel(std::unique_ptr<Child> child) : child_(std::move(child)) {}

  std::optional<int> send(const std::string& message) override {
    static_cast<void>(write(message + "\n"));
    return std::nullopt;
  }

  std::optional<Arrived> next(const Wanted&, Milliseconds patience) override {
    const auto until = steady_clock::now() + patience;
    std::size_t end = 0;
    while ((end = received_.find('\n')) == std::string::npos) {
      if (!receive(until)) return std::nullopt;
    }
    Arrived arrived{received_.substr(0, end), 200, "", {}};
    received_.erase(0, end + 1);
    return arrived;
  }

  Status bytes(std::string_view text) override {
    if (auto written = write(text); !written) return written;
    const auto until = steady_clock::now() + kPatience;
    for (int left = 1; steady_clock::now() < until;) {
      if (::ioctl(child_->input(), FIONREAD, &left) != 0 || left == 0) return {};
      std::this_thread::sleep_for(Milliseconds(1));
    }
    return internal("the server reads no more");
  }

  Status end_input() override {
    child_->close_input();
    return {};
  }

  Status finish() override {
    child_->close_input();
    // It may have more to say until it ends; that must not block it.
    while (receive(steady_clock::now() + kPatience)) {
    }
    return child_->wait(kPatience);
  }

 private:
  Status write(std::string_view text) {
    while (!text.empty()) {
      const auto n = ::write(child_->input(), text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return invalid("the server reads no more");
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
  }

  // False: nothing came in time, or there is nothing more.
  bool receive(steady_clock::time_point until) {
    const auto left = std::chrono::ceil<Milliseconds>(until - steady_clock::now());
    pollfd ready{child_->output(), POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) <= 0) {
      return false;
    }
    std::array<char, 65536> buffer{};
    const auto n = ::read(child_->output(), buffer.data(), buffer.size());
    if (n > 0) received_.append(buffer.data(), static_cast<std::size_t>(n));
    return n > 0;
  }

  const std::unique_ptr<Child> child_;
  std::string received_;
};

class Stdio final : public Transport {
 public:
  explicit Stdio(Launch launch) : launch_(std::move(launch)) {}

  Result<std::unique_ptr<Channel>> connect() override {
    auto child = Child::start(launch_.arguments, launch_.environment);
    if (!child) return std::move(child).error();
    if (auto ready = (*child)->await_words(launch_.ready, kStartPatience); !ready) {
      return std::move(ready).error();
    }
    return std::make_unique<StdioChannel>(std::move(*child));
  }

 private:
  const Launch launch_;
};

}  // namespace

std::unique_ptr<Transport> make_stdio(Launch launch) {
  return std::make_unique<Stdio>(std::move(launch));
}

}  // namespace lode::transcripts
