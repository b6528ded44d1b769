#include "syntax/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "syntax/arena.h"
#include "syntax/worker.h"

namespace lode {
namespace {

using std::chrono::steady_clock;

// A worker limits itself by the processor's time. This is for one that gets none: stopped,
// or on a machine that is busy beyond use.
constexpr std::chrono::seconds kPatience{20};
constexpr int kDyingMs = 1000;  // that a process which closes its socket may take to end
constexpr std::size_t kMostAnswer = std::size_t{256} << 20;

// What posix_spawn needs; each is destroyed.
struct SpawnPlan {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  explicit SpawnPlan(int socket) {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
};

// The worker needs nothing of the environment, which may hold secrets, but what finds the
// libraries of a program that was started so itself.
std::string library_path() {
  const char* path = std::getenv("LD_LIBRARY_PATH");
  return path == nullptr ? "" : fmt::format("LD_LIBRARY_PATH={}", path);
}

Result<pid_t> spawn(const std::string& program, int socket) {
  const SpawnPlan plan(socket);
  std::string name = "lode";
  std::string word = kSyntaxWorkerWord;
  std::string path = library_path();
  const std::array<char*, 3> arguments{name.data(), word.data(), nullptr};
  const std::array<char*, 2> environment{path.empty() ? nullptr : path.data(), nullptr};
  pid_t pid = -1;
  const int failed = ::posix_spawn(&pid, program.c_str(), &plan.files, &plan.attributes,
                                   arguments.data(), environment.data());
  if (failed == 0) return pid;
  return Error{
      Code::unavailable, fmt::format("cannot start a parser: {}", std::strerror(failed)), {}};
}

bool write_pieces(int socket, std::array<iovec, 3> pieces) {
  for (std::size_t at = 0; at < pieces.size();) {
    if (pieces[at].iov_len == 0) {
      ++at;
      continue;
    }
    msghdr message{};
    message.msg_iov = &pieces[at];
    message.msg_iovlen = pieces.size() - at;
    auto sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    for (auto i = at; i < pieces.size() && sent > 0; ++i) {
      const auto part = std::min(static_cast<std::size_t>(sent), pieces[i].iov_len);
      pieces[i].iov_base = static_cast<char*>(pieces[i].iov_base) + part;
      pieces[i].iov_len -= part;
      sent -= static_cast<ssize_t>(part);
    }
  }
  return true;
}

iovec piece(const void* bytes, std::size_t size) { return {const_cast<void*>(bytes), size}; }

}  // namespace

Result<WorkerProcess> WorkerProcess::start(const std::string& program, const SyntaxLimits& limits) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return Error{
        Code::unavailable, fmt::format("cannot start a parser: {}", std::strerror(errno)), {}};
  }
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  auto pid = spawn(program, theirs.get());
  if (!pid) return std::move(pid).error();
  WorkerProcess worker(*pid, std::move(ours), limits);
  write_pieces(worker.socket_.get(), {piece(&limits, sizeof limits), {}, {}});
  return worker;
}

WorkerProcess::WorkerProcess(pid_t pid, Descriptor socket, const SyntaxLimits& limits)
    : pid_(pid), socket_(std::move(socket)), limits_(limits) {}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      socket_(std::move(other.socket_)),
      limits_(other.limits_) {}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0) bury();
}

void WorkerProcess::interrupt() const { ::shutdown(socket_.get(), SHUT_RDWR); }

bool WorkerProcess::send(const SyntaxTask& task) const {
  const WorkerRequest request{
      .kind = static_cast<std::uint8_t>(task.kind),
      .language = static_cast<std::uint8_t>(task.language - languages().data()),
      .detail = static_cast<std::uint32_t>(task.detail.size()),
      .text = static_cast<std::uint32_t>(task.text.size())};
  return write_pieces(socket_.get(), {piece(&request, sizeof request),
                                      piece(task.detail.data(), task.detail.size()),
                                      piece(task.text.data(), task.text.size())});
}

bool WorkerProcess::receive(void* to, std::size_t bytes, steady_clock::time_point until) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now()).count();
    pollfd wanted{socket_.get(), POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&wanted, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      overdue_ = true;
      return false;
    }
    const auto got = ::recv(socket_.get(), at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

int WorkerProcess::wait_for_end() {
  const auto pid = std::exchange(pid_, -1);
  int status = 0;
  // One that has closed its end is dying, and how is worth knowing. But it may have been
  // made to close it and go on.
  pollfd end{socket_.get(), POLLIN, 0};
  if (!overdue_ && !senseless_ && ::poll(&end, 1, 0) > 0) {
    for (int i = 0; i < kDyingMs; ++i) {
      if (::waitpid(pid, &status, WNOHANG) == pid) return status;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

WorkerProcess::Reply WorkerProcess::ask(const SyntaxTask& task) {
  const auto until = steady_clock::now() + limits_.time + kPatience;
  WorkerAnswer answer;
  if (!send(task) || !receive(&answer, sizeof answer, until)) return bury();
  senseless_ =
      answer.bytes > kMostAnswer || answer.code > static_cast<std::uint8_t>(Code::internal);
  if (senseless_) return bury();
  std::string bytes(answer.bytes, '\0');
  if (!receive(bytes.data(), bytes.size(), until)) return bury();
  if (answer.ok == 1) return Result<std::string>(std::move(bytes));
  return Result<std::string>(Error{static_cast<Code>(answer.code), std::move(bytes), {}});
}

// Ends it for certain, and says why it had ended, if it had.
WorkerProcess::Death WorkerProcess::bury() {
  using Cause = Death::Cause;
  const int status = wait_for_end();
  if (overdue_) return {Cause::late, "did not answer in time"};
  if (senseless_) return {Cause::text, "made the parser answer nonsense"};
  if (WIFEXITED(status)) {
    if (WEXITSTATUS(status) == 0) return {Cause::other, "the parser ended"};
    if (WEXITSTATUS(status) == kNoMemoryStatus) return {Cause::text, "needs too much memory"};
    return {Cause::text, fmt::format("made the parser exit with {}", WEXITSTATUS(status))};
  }
  switch (const int signal = WTERMSIG(status)) {
    case SIGPROF: return {Cause::text, fmt::format("takes more than {} ms", limits_.time.count())};
    case SIGKILL:
    case SIGTERM:
    case SIGINT:
    case SIGHUP:
    case SIGIO: return {Cause::other, "the parser was killed"};
    default: return {Cause::text, fmt::format("crashed the parser (signal {})", signal)};
  }
}

}  // namespace lode
