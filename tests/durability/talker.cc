#include "talker.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace lode {
namespace {

constexpr std::chrono::milliseconds kPatience{120'000};

std::vector<std::string> command_of(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& before) {
  std::vector<std::string> command = before;
  command.emplace_back(LODE_DURABILITY_HELPER);
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace

Talker::Talker(const std::vector<std::string>& arguments, const std::vector<std::string>& before)
    : child_(transcripts::Child::start(command_of(arguments, before)).value()) {}

void Talker::say(const std::string& line) {
  const std::string bytes = line + "\n";
  // A child that is gone is noticed by what it does not say.
  if (::write(child_->input(), bytes.data(), bytes.size()) < 0) return;
}

std::optional<std::string> Talker::hear() {
  for (;;) {
    const auto end = unread_.find('\n');
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    pollfd wait{child_->output(), POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(kPatience.count())) != 1) return {};
    std::array<char, 4096> bytes;
    const ssize_t n = ::read(child_->output(), bytes.data(), bytes.size());
    if (n <= 0) return {};
    unread_.append(bytes.data(), static_cast<std::size_t>(n));
  }
}

std::vector<std::string> Talker::hear_all() {
  std::vector<std::string> lines;
  while (auto line = hear()) lines.push_back(*std::move(line));
  return lines;
}

void Talker::kill() { child_->terminate(); }

Status Talker::wait() { return child_->wait(kPatience); }

}  // namespace lode
