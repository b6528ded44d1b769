#include <charconv>
#include <thread>
#include <utility>

#include "child.h"
#include "http_channel.h"

namespace lode::transcripts {
namespace {

using std::chrono::steady_clock;

class Http final : public Transport {
 public:
  Http(std::unique_ptr<Child> child, std::uint16_t port) : child_(std::move(child)), port_(port) {}

  Result<std::unique_ptr<Channel>> connect() override {
    return std::make_unique<HttpChannel>(port_);
  }
  Status close() override {
    child_->terminate();
    return child_->wait(2 * kPatience);
  }

 private:
  const std::unique_ptr<Child> child_;
  const std::uint16_t port_;
};

// The port that the server says it listens on; 0: none yet.
std::uint16_t port_in(const std::string& log) {
  constexpr std::string_view kBefore = "\"port\":\"";
  const auto at = log.find(kBefore);
  if (at == std::string::npos || log.find('\n', at) == std::string::npos) return 0;
  std::uint16_t port = 0;
  std::from_chars(log.data() + at + kBefore.size(), log.data() + log.size(), port);
  return port;
}

}  // namespace

Result<std::unique_ptr<Transport>> make_http(std::string fixture) {
  auto child = Child::start({std::move(fixture), "--no-stdio", "--http", "127.0.0.1:0"});
  if (!child) return std::move(child).error();
  const auto until = steady_clock::now() + kPatience;
  while (steady_clock::now() < until) {
    if (const auto port = port_in((*child)->errors())) {
      return std::make_unique<Http>(std::move(*child), port);
    }
    std::this_thread::sleep_for(Milliseconds(5));
  }
  return internal("the server does not listen:\n" + (*child)->errors());
}

}  // namespace lode::transcripts
