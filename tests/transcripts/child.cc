#include "child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

namespace lode::transcripts {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks{1};
constexpr std::size_t kShown = 6000;  // of what a server that ended badly wrote

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

int spawn(pid_t& pid, const std::array<int, 3>& ends, const std::vector<std::string>& arguments,
          const std::vector<std::string>& environment) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    posix_spawn_file_actions_adddup2(&actions, ends[i], static_cast<int>(i));
  }
  const auto argv = pointers(arguments);
  const auto variables = pointers(environment);
  const int error = ::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(),
                                  environment.empty() ? environ : variables.data());
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Child::Child(pid_t pid, int input, int output, File errors)
    : pid_(pid), input_(input), output_(output), errors_(std::move(errors)) {}

Child::~Child() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  close_input();
  ::close(output_);
}

Result<std::unique_ptr<Child>> Child::start(std::vector<std::string> arguments,
                                            const std::vector<std::string>& environment) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  File errors(std::tmpfile());
  if (!errors || ::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
    return internal(fmt::format("no pipes for a child: {}", std::strerror(errno)));
  }
  pid_t pid = -1;
  const int error = spawn(pid, {in[0], out[1], ::fileno(errors.get())}, arguments, environment);
  ::close(in[0]);
  ::close(out[1]);
  std::unique_ptr<Child> child(new Child(pid, in[1], out[0], std::move(errors)));
  if (error == 0) return child;
  child->pid_ = -1;
  return internal(fmt::format("{}: {}", arguments[0], std::strerror(error)));
}

void Child::close_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

std::string Child::errors() const {
  std::string out;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto n = ::pread(::fileno(errors_.get()), buffer.data(), buffer.size(),
                           static_cast<off_t>(out.size()));
    if (n <= 0) return out;
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

Status Child::await_words(std::string_view words, std::chrono::milliseconds patience) const {
  if (words.empty()) return {};
  const auto until = steady_clock::now() + patience;
  for (;;) {
    const auto log = errors();
    const auto at = log.find(words);
    if (at != std::string::npos && log.find('\n', at) != std::string::npos) return {};
    if (steady_clock::now() > until) {
      return internal(fmt::format("the server does not say \"{}\":\n{}", words, log));
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void Child::terminate() const {
  if (pid_ > 0) ::kill(pid_, SIGTERM);
}

Status Child::wait(std::chrono::milliseconds patience) {
  const auto until = steady_clock::now() + patience;
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (steady_clock::now() > until) return internal("the server did not end:\n" + errors());
    std::this_thread::sleep_for(kBetweenLooks);
  }
  pid_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return internal(
      fmt::format("the server ended with status {:#x}:\n{}", status, errors().substr(0, kShown)));
}

}  // namespace lode::transcripts
