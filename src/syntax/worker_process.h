// A syntax worker (syntax/worker.h), seen from the server: started, asked, ended.
//
// One thread at a time, except interrupt().
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <variant>

#include "base/descriptor.h"
#include "base/result.h"
#include "syntax/limits.h"
#include "syntax/task.h"

namespace lode {

class WorkerProcess {
 public:
  // How a worker ended instead of giving an answer.
  struct Death {
    enum class Cause : std::uint8_t {
      text,   // what it was given: it crashed, or took too much time or memory
      late,   // it did not answer, and used no time: it was stopped, or got no processor
      other,  // nothing to do with the text: killed from outside, or interrupted
    };
    Cause cause = Cause::other;
    std::string what;  // "needs more than 64 MiB of memory"
  };
  using Reply = std::variant<Result<std::string>, Death>;

  // Starts the program with kSyntaxWorkerWord. It has its own process group, so that
  // Ctrl-C at a terminal does not reach it, and the priority of the calling thread.
  static Result<WorkerProcess> start(const std::string& program, const SyntaxLimits& limits);

  // Kills it, if it is alive, and waits for it.
  ~WorkerProcess();
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) = delete;

  // After a Death the worker is gone: ask no more.
  Reply ask(const SyntaxTask& task);

  // Makes a running ask() return soon, with a Death. Any thread, while it is alive.
  void interrupt() const;

  pid_t pid() const { return pid_; }

 private:
  WorkerProcess(pid_t pid, Descriptor socket, const SyntaxLimits& limits);

  bool send(const SyntaxTask& task) const;
  // False: the worker ended, or did not answer in time.
  bool receive(void* to, std::size_t bytes, std::chrono::steady_clock::time_point until);
  int wait_for_end();
  Death bury();

  pid_t pid_;
  Descriptor socket_;
  SyntaxLimits limits_;
  bool overdue_ = false;    // killed by us, for not answering
  bool senseless_ = false;  // killed by us, for what it answered
};

}  // namespace lode
