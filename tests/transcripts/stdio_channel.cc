#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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
    static_cast<void>(bytes(message + "\n"));
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
    while (!text.empty()) {
      const auto n = ::write(child_->input(), text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return invalid("the server reads no more");
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
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
  explicit Stdio(std::string fixture) : fixture_(std::move(fixture)) {}

  Result<std::unique_ptr<Channel>> connect() override {
    auto child = Child::start({fixture_});
    if (!child) return std::move(child).error();
    return std::make_unique<StdioChannel>(std::move(*child));
  }

 private:
  const std::string fixture_;
};

}  // namespace

std::unique_ptr<Transport> make_stdio(std::string fixture) {
  return std::make_unique<Stdio>(std::move(fixture));
}

}  // namespace lode::transcripts
