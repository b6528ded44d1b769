#include <charconv>
#include <utility>

#include "child.h"
#include "http_channel.h"

namespace lode::transcripts {
namespace {

class Http final : public Transport {
 public:
  Http(std::unique_ptr<Child> child, std::uint16_t port, std::string token)
      : child_(std::move(child)), port_(port), token_(std::move(token)) {}

  Result<std::unique_ptr<Channel>> connect() override {
    return std::make_unique<HttpChannel>(port_, token_);
  }
  Status close() override {
    child_->terminate();
    return child_->wait(2 * kPatience);
  }

 private:
  const std::unique_ptr<Child> child_;
  const std::uint16_t port_;
  const std::string token_;
};

constexpr std::string_view kBeforePort = "\"port\":\"";

// The port that the server says it listens on.
std::uint16_t port_in(const std::string& log) {
  const auto at = log.find(kBeforePort) + kBeforePort.size();
  std::uint16_t port = 0;
  std::from_chars(log.data() + at, log.data() + log.size(), port);
  return port;
}

}  // namespace

Result<std::unique_ptr<Transport>> make_http(Launch launch) {
  auto child = Child::start(std::move(launch.arguments), launch.environment);
  if (!child) return std::move(child).error();
  for (const auto words : {kBeforePort, std::string_view(launch.ready)}) {
    if (auto said = (*child)->await_words(words, kStartPatience); !said)
      return std::move(said).error();
  }
  const auto port = port_in((*child)->errors());
  return std::make_unique<Http>(std::move(*child), port,
                                launch.credential ? launch.credential() : "");
}

}  // namespace lode::transcripts
