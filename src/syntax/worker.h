// The process that parses for a server: reads tasks from its standard input, which is
// one end of a socket pair, and writes the answers there.
//
// It trusts its server and nothing that the tasks say; the server trusts nothing that it
// answers. Text can make a grammar's code crash, loop, or write where it likes, so the
// process can do little besides parsing, and it ends rather than goes on:
//
//  - no file, no socket, no new process: system calls that open something fail
//    (seccomp); a crash leaves no core file;
//  - a task that takes a second more than SyntaxLimits::time of the processor is ended
//    by SIGPROF, which needs no help from the code that runs; one that takes too much
//    memory by kNoMemoryStatus (syntax/arena.h);
//  - when the server is gone, whatever runs is ended by SIGKILL (O_ASYNC).
//
// The forms on the wire are raw structures: both ends are the same program.
#pragma once

#include <cstdint>

#include "syntax/limits.h"

namespace lode {

// The word that a program is started with to be a worker.
inline constexpr const char* kSyntaxWorkerWord = "syntax-worker";

struct WorkerRequest {
  std::uint8_t kind = 0;      // SyntaxTask::Kind
  std::uint8_t language = 0;  // its place in languages()
  std::uint32_t detail = 0;   // bytes that follow
  std::uint32_t text = 0;     // and then so many
};

struct WorkerAnswer {
  std::uint8_t ok = 0;
  std::uint8_t code = 0;    // of the error, if it is none
  std::uint32_t bytes = 0;  // that follow: the answer, or the error's message
};

// Serves until the input ends. Returns the exit status. The first bytes of the input
// are the SyntaxLimits.
int run_syntax_worker();

}  // namespace lode
