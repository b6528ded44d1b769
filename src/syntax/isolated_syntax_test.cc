#include "syntax/isolated_syntax.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "syntax/local_syntax.h"
#include "syntax/worker.h"
#include "syntax/worker_confinement.h"

namespace lode {
namespace {

constexpr std::string_view kPython = "def first():\n    pass\n\nclass Second:\n    pass\n";

constexpr std::chrono::milliseconds kShort{300};

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// The child processes of this thread.
std::vector<pid_t> children() {
  std::vector<pid_t> pids;
  std::ifstream file("/proc/thread-self/children");
  for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
  return pids;
}

// And of all threads, also of those that have ended: theirs are the first thread's.
std::vector<pid_t> all_children() {
  std::vector<pid_t> pids;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
  }
  return pids;
}

class IsolatedSyntaxTest : public testing::Test {
 protected:
  static const Language& language(std::string_view id) { return *find_language(id); }

  void expect_works() {
    const auto outline = syntax_.outline(language("python"), kPython);
    ASSERT_TRUE(outline) << outline.error().message;
    EXPECT_EQ(outline->symbols.size(), 2U);
  }

  Log log_ = Log::silent();
  IsolatedSyntax syntax_{log_};
};

TEST_F(IsolatedSyntaxTest, AnswersAsTheLocalOneDoes) {
  const LocalSyntax local;
  const auto& python = language("python");
  EXPECT_EQ(*syntax_.outline_record(python, kPython), *local.outline_record(python, kPython));
  const AstOptions options{.compact = true};
  EXPECT_EQ(*syntax_.ast(python, kPython, options), *local.ast(python, kPython, options));
  const auto answer = syntax_.query(python, kPython, "(class_definition name: (_) @name)");
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->captures.size(), 1U);
  EXPECT_EQ(answer->captures[0].text, "Second");
  EXPECT_EQ(*syntax_.mentions(python, kPython, "Second"),
            *local.mentions(python, kPython, "Second"));
  const auto refused = syntax_.query(python, kPython, "(nothing_like_this)");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::invalid);
  EXPECT_EQ(refused.error().message,
            local.query(python, kPython, "(nothing_like_this)").error().message);
}

TEST_F(IsolatedSyntaxTest, RefusesWhatIsTooLong) {
  const auto text = std::string(SyntaxLimits().bytes + 1, ' ');
  EXPECT_EQ(syntax_.outline(language("python"), text).error().code, Code::unsupported);
  const auto query = std::string(SyntaxLimits().query_bytes + 1, ' ');
  EXPECT_EQ(syntax_.query(language("python"), kPython, query).error().code, Code::invalid);
  EXPECT_EQ(syntax_.workers(), 0U) << "nobody had to be asked";
}

struct Killer {
  std::string language;
  std::string text;
};

// Each of these ended the process, or took gigabytes, or did not end, before there were
// workers. A grammar may get better, so an answer is right too.
std::vector<Killer> killers() {
  std::string nested;
  for (std::size_t i = 0; i < 515; ++i) nested += std::string(i, ' ') + "if x:\n";
  return {{"markdown", std::string(255, '>')},
          {"yaml", repeated("- ", 254)},
          {"python", nested + std::string(515, ' ') + "\"s\"\n"},
          {"ruby", "x = <<" + std::string(300, 'A') + "\ntext\n" + std::string(300, 'A') + "\n"},
          {"c", repeated("a=>", 2000)},
          {"java", repeated("A<", 20'000)},
          {"csharp", repeated("A<", 20'000)},
          {"scala", std::string(40'000, '`')}};
}

TEST_F(IsolatedSyntaxTest, NoTextEndsTheProcess) {
  IsolatedSyntax hasty(log_, {.limits = {.time = kShort}});
  std::size_t learnt = 0;
  hasty.remember({}, [&](const std::string&, const std::string&) { ++learnt; });
  for (const auto& [id, text] : killers()) {
    const auto outline = hasty.outline(language(id), text);
    if (outline || outline.error().code == Code::timeout) continue;
    const auto before = learnt;
    const auto again = hasty.outline(language(id), text);
    EXPECT_FALSE(again) << id;
    EXPECT_EQ(learnt, before) << id << " was tried again";
    EXPECT_TRUE(hasty.outline(language("python"), kPython)) << id;
  }
  EXPECT_GT(learnt, 0U) << "none of them ends a worker any more: find others";
}

TEST_F(IsolatedSyntaxTest, ATextThatNeedsTooMuchMemoryIsRefusedAndRemembered) {
  IsolatedSyntax small(log_, {.limits = {.memory = 4 << 20, .memory_per_byte = 0}});
  IsolatedSyntax::Harmful learnt;
  small.remember({}, [&](const auto& key, const auto& problem) { learnt.emplace(key, problem); });
  const auto text = repeated("x = [1, 2, 3]\n", 20'000);
  const auto refused = small.outline(language("python"), text);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unsupported);
  EXPECT_EQ(refused.error().message, "this text is not parsed: it needs too much memory");
  ASSERT_EQ(learnt.size(), 1U);

  IsolatedSyntax next(log_);
  next.remember(learnt, {});
  EXPECT_EQ(next.outline(language("python"), text).error().message, refused.error().message);
  EXPECT_EQ(next.workers(), 0U) << "it was tried again";
  EXPECT_TRUE(next.outline(language("python"), text + "\n")) << "another text";
}

TEST_F(IsolatedSyntaxTest, ATextThatTakesTooLongEndsItsWorker) {
  // Its scanner reads to the end of the file from every one of them.
  const auto text = std::string(400'000, '`');
  IsolatedSyntax hasty(log_, {.limits = {.time = kShort}});
  const auto refused = hasty.outline(language("scala"), text);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "this text is not parsed: it takes more than 300 ms");
}

TEST_F(IsolatedSyntaxTest, AQueryIsBlamedWithItsText) {
  IsolatedSyntax small(log_, {.limits = {.memory = 4 << 20, .memory_per_byte = 0}});
  const auto text = repeated("x = [1, 2, 3]\n", 20'000);
  EXPECT_FALSE(small.query(language("python"), text, "(list) @a"));
  EXPECT_TRUE(small.query(language("python"), kPython, "(list) @a"));
}

TEST_F(IsolatedSyntaxTest, AWorkerThatIsKilledFromOutsideCostsNothing) {
  expect_works();
  const auto pids = children();
  ASSERT_EQ(pids.size(), 1U);
  ::kill(pids[0], SIGKILL);
  expect_works();
  EXPECT_EQ(syntax_.workers(), 1U);
}

TEST_F(IsolatedSyntaxTest, SoDoesEveryWorkerThatIsKilled) {
  IsolatedSyntax three(log_, {.workers = 3});
  const auto text = repeated("x = [1, 2, 3]\n", 2000);
  while (three.workers() < 3) {
    std::vector<std::jthread> askers;
    for (int i = 0; i < 3; ++i) {
      askers.emplace_back([&] { EXPECT_TRUE(three.outline(language("python"), text)); });
    }
  }
  for (const auto pid : all_children()) ::kill(pid, SIGKILL);
  EXPECT_TRUE(three.outline(language("python"), kPython));
}

TEST_F(IsolatedSyntaxTest, StopEndsWhatRunsAndWhatComes) {
  std::atomic<Code> code = Code::internal;
  IsolatedSyntax patient(log_, {.limits = {.time = std::chrono::minutes(10)}});
  std::jthread asker(
      [&] { code = patient.outline(language("scala"), std::string(4'000'000, '`')).error().code; });
  while (patient.workers() == 0) std::this_thread::yield();
  patient.stop();
  asker.join();
  EXPECT_EQ(code, Code::cancelled);
  EXPECT_EQ(patient.workers(), 0U);
  EXPECT_EQ(patient.outline(language("python"), kPython).error().code, Code::cancelled);
}

TEST_F(IsolatedSyntaxTest, IdleWorkersEnd) {
  IsolatedSyntax hasty(log_, {.idle = std::chrono::milliseconds(1)});
  ASSERT_TRUE(hasty.outline(language("python"), kPython));
  while (hasty.workers() > 0) std::this_thread::yield();
  EXPECT_TRUE(hasty.outline(language("python"), kPython));
}

TEST_F(IsolatedSyntaxTest, WhoComesWhenAllAreBusyWaits) {
  IsolatedSyntax one(log_, {.workers = 1});
  std::vector<std::jthread> askers;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    askers.emplace_back([&] {
      for (int n = 0; n < 20; ++n) {
        const auto outline = one.outline(language("python"), kPython);
        right += outline && outline->symbols.size() == 2 ? 1 : 0;
      }
    });
  }
  askers.clear();
  EXPECT_EQ(right, 160);
  EXPECT_EQ(one.workers(), 1U);
}

TEST_F(IsolatedSyntaxTest, GuestsDoNotKeepOthersWaiting) {
  IsolatedSyntax one(log_, {.limits = {.time = std::chrono::minutes(10)}, .workers = 1});
  std::jthread guest([&] {
    const GuestTasks tasks(true);
    EXPECT_FALSE(one.outline(language("scala"), std::string(4'000'000, '`')));
  });
  while (one.workers() == 0) std::this_thread::yield();
  EXPECT_TRUE(one.outline(language("python"), kPython)) << "while the guest's worker is busy";
  EXPECT_EQ(one.workers(), 2U);
  one.stop();
}

TEST_F(IsolatedSyntaxTest, WithoutAProgramNothingIsParsed) {
  IsolatedSyntax none(log_, {.program = "/nowhere/lode"});
  const auto refused = none.outline(language("python"), kPython);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unavailable);
}

TEST_F(IsolatedSyntaxTest, AWorkerIsConfined) {
  expect_works();
  const auto pids = children();
  ASSERT_EQ(pids.size(), 1U);
  std::ifstream status("/proc/" + std::to_string(pids[0]) + "/status");
  const std::string text(std::istreambuf_iterator<char>(status), {});
  EXPECT_NE(text.find("Seccomp:\t2"), text.npos) << text;
  EXPECT_NE(text.find("NoNewPrivs:\t1"), text.npos) << text;
}

// In a process of its own: 0 if nothing works that should not.
int try_everything() {
  confine_worker({});
  if (::open("/dev/null", O_RDONLY) >= 0) return 1;
  if (::socket(AF_INET, SOCK_STREAM, 0) >= 0) return 2;
  if (::fork() >= 0) return 3;
  if (::kill(::getppid(), 0) == 0) return 4;
  return 0;
}

TEST_F(IsolatedSyntaxTest, AConfinedProcessOpensNothing) {
  const auto pid = ::fork();
  if (pid == 0) ::_exit(try_everything());
  int status = 0;
  ::waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace lode

// The tests' own program is the worker too.
int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == lode::kSyntaxWorkerWord) {
    return lode::run_syntax_worker();
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
