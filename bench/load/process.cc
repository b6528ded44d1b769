#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace lode::bench {
namespace {

constexpr double kGrace = 2;  // seconds, before the next harder way to end it

Nanoseconds read_clock(clockid_t clock) {
  timespec at{};
  if (::clock_gettime(clock, &at) != 0) return 0;
  return static_cast<Nanoseconds>(at.tv_sec) * 1'000'000'000U +
         static_cast<Nanoseconds>(at.tv_nsec);
}

double seconds(clockid_t clock) { return static_cast<double>(read_clock(clock)) / 1e9; }

// The number after "Key:" in a file of /proc.
double field(pid_t pid, const char* file, const char* key) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
  std::FILE* in = std::fopen(path, "r");
  if (in == nullptr) return 0;
  char line[512];
  double value = 0;
  const std::size_t length = std::strlen(key);
  while (std::fgets(line, sizeof line, in) != nullptr) {
    if (std::strncmp(line, key, length) != 0 || line[length] != ':') continue;
    value = std::strtod(line + length + 1, nullptr);
    break;
  }
  std::fclose(in);
  return value;
}

void make_pipe(int* ends) {
  if (::pipe2(ends, O_CLOEXEC) != 0) die(std::string("pipe: ") + std::strerror(errno));
}

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

Nanoseconds now() { return read_clock(CLOCK_MONOTONIC); }

double own_cpu() { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

Process::Process(const ServerSpec& spec, Transport transport) : name_(spec.name) {
  int in[2] = {-1, -1};
  int out[2] = {-1, -1};
  const bool piped = transport == Transport::stdio;
  if (piped) {
    make_pipe(in);
    make_pipe(out);
  }
  began_ = now();
  pid_ = ::fork();
  if (pid_ < 0) die(std::string("fork: ") + std::strerror(errno));
  if (pid_ == 0) run_child(spec, in, out);
  ::setpgid(pid_, pid_);
  if (!piped) return;
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
  set_nonblocking(input_);
  set_nonblocking(output_);
}

void Process::run_child(const ServerSpec& spec, const int* in, const int* out) const {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(in[0] >= 0 ? in[0] : nothing, STDIN_FILENO);
  ::dup2(out[1] >= 0 ? out[1] : nothing, STDOUT_FILENO);
  if (std::getenv("MCPBENCH_STDERR") == nullptr) ::dup2(nothing, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  std::vector<char*> arguments;
  for (const auto& argument : spec.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

Process::~Process() {
  if (input_ >= 0) ::close(input_);
  if (output_ >= 0) ::close(output_);
  const bool piped = input_ >= 0;
  if (piped && wait(kGrace)) return;
  ::kill(pid_, SIGTERM);
  if (wait(kGrace)) return;
  ::kill(-pid_, SIGKILL);
  wait(kGrace);
}

bool Process::ended() { return wait(0); }

bool Process::wait(double limit) {
  const Nanoseconds until = now() + static_cast<Nanoseconds>(limit * 1e9);
  while (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (now() >= until) return false;
    ::usleep(1000);
  }
  pid_ = -1;
  return true;
}

double Process::cpu() const {
  clockid_t clock{};
  return ::clock_getcpuclockid(pid_, &clock) == 0 ? seconds(clock) : 0;
}

Memory Process::memory() const {
  return {field(pid_, "status", "VmRSS"), field(pid_, "smaps_rollup", "Pss")};
}

int Process::threads() const { return static_cast<int>(field(pid_, "status", "Threads")); }

void Process::tell(int signal) const { ::kill(pid_, signal); }

}  // namespace lode::bench
