#include "syntax/worker_confinement.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LODE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LODE_SANITIZED 1
#endif
#endif
#if !defined(LODE_SANITIZED)
#define LODE_SANITIZED 0
#endif

namespace lode {
namespace {

// Besides the tree: the text, the answer, compiled queries, what scanners keep.
constexpr std::size_t kBesidesTree = std::size_t{256} << 20;

void limit(decltype(RLIMIT_AS) which, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(which, &both);
}

// What is mapped already: the program and its libraries.
std::size_t mapped_bytes() {
  std::size_t pages = 0;
  if (auto* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void limit_memory(const SyntaxLimits& limits) {
  if (LODE_SANITIZED == 1) return;  // sanitizers map terabytes that they do not use
  limit(RLIMIT_AS,
        mapped_bytes() + limits.memory + limits.bytes * limits.memory_per_byte + kBesidesTree);
}

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;  // no filter
#endif

// What parsing, talking on an open socket and ending take.
constexpr std::array kAllowed {
  __NR_read, __NR_write, __NR_recvfrom, __NR_sendto, __NR_ppoll, __NR_fcntl, __NR_munmap,
      __NR_mremap, __NR_madvise, __NR_brk, __NR_futex, __NR_setitimer, __NR_exit, __NR_exit_group,
      __NR_rt_sigreturn, __NR_clock_gettime, __NR_gettimeofday, __NR_getrandom, __NR_rt_sigprocmask,
      __NR_sched_yield, __NR_getpid, __NR_gettid, __NR_tgkill, __NR_rt_sigaction,
#if defined(__NR_poll)
      __NR_poll,
#endif
#if LODE_SANITIZED == 1
      __NR_pipe2, __NR_close, __NR_sigaltstack,  // which these use themselves
#endif
};

constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter answer(std::uint32_t verdict) { return BPF_STMT(BPF_RET | BPF_K, verdict); }
sock_filter skip_unless(std::uint32_t value, std::uint8_t count) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count);
}
sock_filter skip_if_any_bit(std::uint32_t bits, std::uint8_t count) {
  return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, count, 0);
}

std::vector<sock_filter> make_filter() {
  constexpr std::size_t kProtection = 2;  // the argument of mmap and mprotect
  std::vector<sock_filter> filter;
  filter.reserve(5 + 2 * kAllowed.size() + 2 * 5 + 1);
  // Another machine's calls have other numbers.
  filter.push_back(load(offsetof(seccomp_data, arch)));
  filter.push_back(skip_unless(kMachine, 1));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
  filter.push_back(answer(SECCOMP_RET_KILL_PROCESS));
  filter.push_back(load(offsetof(seccomp_data, nr)));
  for (const auto number : kAllowed) {
    filter.push_back(skip_unless(static_cast<std::uint32_t>(number), 1));
    filter.push_back(answer(SECCOMP_RET_ALLOW));
  }
  for (const auto number : {__NR_mmap, __NR_mprotect}) {
    filter.push_back(skip_unless(static_cast<std::uint32_t>(number), 4));
    filter.push_back(load(offsetof(seccomp_data, args) + kProtection * sizeof(std::uint64_t)));
    filter.push_back(skip_if_any_bit(PROT_EXEC, 1));
    filter.push_back(answer(SECCOMP_RET_ALLOW));
    filter.push_back(answer(kRefuse));
  }
  filter.push_back(answer(kRefuse));
  return filter;
}

// A kernel without seccomp leaves a worker that can still only crash by itself.
void filter_calls() {
  if (kMachine == 0) return;
  auto filter = make_filter();
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

}  // namespace

void confine_worker(const SyntaxLimits& limits) {
  limit(RLIMIT_CORE, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  limit_memory(limits);
  filter_calls();
}

}  // namespace lode
