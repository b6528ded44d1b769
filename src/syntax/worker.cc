#include "syntax/worker.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <string>
#include <type_traits>

#include "syntax/arena.h"
#include "syntax/local_syntax.h"
#include "syntax/worker_confinement.h"

namespace lode {
namespace {

static_assert(std::is_trivially_copyable_v<SyntaxLimits>);

constexpr int kServer = STDIN_FILENO;
constexpr std::chrono::milliseconds kGrace{1000};  // for the task to end by itself

bool read_all(void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const auto got = ::read(kServer, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(const void* from, std::size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const auto put = ::write(kServer, at, bytes);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    bytes -= static_cast<std::size_t>(put);
  }
  return true;
}

// While one is alive, the process ends if the time of the processor is up or the server
// goes. Both are signals with their default effect: they end a loop in foreign code too.
class Watched {
 public:
  explicit Watched(std::chrono::milliseconds time) {
    set_timer(time);
    set_signal_io(true);
    // The server may have gone before it would have been told.
    char byte = 0;
    if (::recv(kServer, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) ::_exit(0);
  }
  ~Watched() {
    set_signal_io(false);
    set_timer({});
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  static void set_timer(std::chrono::milliseconds time) {
    itimerval timer{};
    timer.it_value.tv_sec = time.count() / 1000;
    timer.it_value.tv_usec = time.count() % 1000 * 1000;
    ::setitimer(ITIMER_PROF, &timer, nullptr);
  }
  static void set_signal_io(bool on) {
    const int flags = ::fcntl(kServer, F_GETFL);
    ::fcntl(kServer, F_SETFL, on ? flags | O_ASYNC : flags & ~O_ASYNC);
  }
};

class Worker {
 public:
  explicit Worker(const SyntaxLimits& limits)
      : time_(limits.time + kGrace), most_(limits.bytes + limits.query_bytes), syntax_(limits) {}

  // False: the server has gone, or makes no sense.
  bool serve_one() {
    WorkerRequest request;
    if (!read_all(&request, sizeof request)) return false;
    if (request.language >= languages().size()) return false;
    if (std::size_t{request.detail} + request.text > most_) return false;
    bytes_.resize(std::size_t{request.detail} + request.text);
    if (!read_all(bytes_.data(), bytes_.size())) return false;
    return reply(run(request));
  }

 private:
  Result<std::string> run(const WorkerRequest& request) {
    const std::string_view bytes(bytes_);
    const Watched watched(time_);
    return syntax_.run({.kind = static_cast<SyntaxTask::Kind>(request.kind),
                        .language = &languages()[request.language],
                        .text = bytes.substr(request.detail),
                        .detail = bytes.substr(0, request.detail)});
  }

  static bool reply(const Result<std::string>& result) {
    const auto& bytes = result ? *result : result.error().message;
    WorkerAnswer answer;
    answer.ok = result ? 1 : 0;
    answer.code = result ? 0 : static_cast<std::uint8_t>(result.error().code);
    answer.bytes = static_cast<std::uint32_t>(bytes.size());
    return write_all(&answer, sizeof answer) && write_all(bytes.data(), bytes.size());
  }

  const std::chrono::milliseconds time_;
  const std::size_t most_;
  const LocalSyntax syntax_;
  std::string bytes_;
};

}  // namespace

int run_syntax_worker() {
  SyntaxLimits limits;
  if (!read_all(&limits, sizeof limits)) return 0;
  ::fcntl(kServer, F_SETOWN, ::getpid());
  ::fcntl(kServer, F_SETSIG, SIGKILL);  // not SIGIO, which code can block and a stop delays
  std::set_new_handler([] { end_without_memory(0); });
  confine_worker(limits);
  Worker worker(limits);
  while (worker.serve_one()) {
  }
  // Nothing to tidy: the memory goes with the process.
  ::_exit(0);
}

}  // namespace lode
