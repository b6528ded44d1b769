// Acknowledged is on stable storage: the order of the system calls.
//
// The helper runs under strace; what it says when it is done comes after the
// syncs. This is the order that a file's safety rests on, and no other test
// would notice if one of the calls were missing.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "store/test_directory.h"
#include "talker.h"

namespace lode {
namespace {

constexpr const char* kCalls =
    "trace=open,openat,mkdir,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,"
    "unlinkat";

class TraceTest : public ::testing::Test {
 protected:
  // The calls of a command, in order, each as strace shows it, "fd<path>" for
  // a descriptor.
  std::vector<std::string> trace(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin() + 1, place);
    // The leak check of a sanitizer cannot run in a process that is traced.
    Talker helper(arguments, {"/usr/bin/env", "ASAN_OPTIONS=detect_leaks=0", "strace", "-f", "-y",
                              "-a1", "-o", directory / "trace", "-e", kCalls});
    helper.say("go");
    EXPECT_EQ(helper.hear(), "acknowledged");
    auto ended = helper.wait();
    EXPECT_TRUE(ended) << ended.error().message;
    return lines(directory.read("trace"));
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }

  // Expects calls with all of the given parts, one after the other; each part
  // list is one call.
  static void expect_order(const std::vector<std::string>& calls,
                           const std::vector<std::vector<std::string>>& expected) {
    std::size_t at = 0;
    for (const auto& parts : expected) {
      while (at < calls.size() && !has_all(calls[at], parts)) ++at;
      EXPECT_LT(at, calls.size()) << "missing, or too late: " << parts[0] << parts[1];
      ++at;
    }
  }
  static bool has_all(const std::string& call, const std::vector<std::string>& parts) {
    std::size_t from = 0;
    for (const auto& part : parts) {
      const auto found = call.find(part, from);
      if (found == std::string::npos) return false;
      from = found + part.size();
    }
    return true;
  }
  static std::size_t count(const std::vector<std::string>& calls, std::string_view part) {
    std::size_t count = 0;
    for (const auto& call : calls) count += call.find(part) == std::string::npos ? 0 : 1;
    return count;
  }

  TestDirectory directory;
  const std::string place = std::filesystem::canonical(directory.path()).string();
  const std::string synced = "<" + place + ">) = 0";
};

TEST_F(TraceTest, AFileIsSyncedThenRenamedThenItsDirectorySynced) {
  for (const bool replacing : {false, true}) {
    const auto calls = trace({"write", "file"});
    EXPECT_EQ(directory.read("file"), "the new bytes");
    expect_order(calls, {{"openat(", ".unfinished\"", "O_EXCL"},
                         {" write(", ".unfinished>", "the new bytes", "= 13"},
                         {" fsync(", ".unfinished>) = 0"},
                         {" renameat(", ".unfinished\"", "\"file\") = 0"},
                         {" fsync(", synced},
                         {" write(1<", "acknowledged"}});
    EXPECT_EQ(count(calls, ".unfinished>, \""), 1U) << "written after it was synced";
    EXPECT_EQ(count(calls, "\"file\", O_"), 0U) << "the old file was opened";
    EXPECT_EQ(count(calls, "unlink"), 0U) << replacing;
  }
}

TEST_F(TraceTest, ADatabaseIsInItsDirectoryBeforeItIsUsed) {
  const auto calls = trace({"create"});
  expect_order(calls, {{"mkdir(", "/state\"", "0700) = 0"},
                       {" fsync(", synced},
                       {"openat(", "/state/db\"", "O_EXCL", "0600"},
                       {" fsync(", "<" + place + "/state>) = 0"},
                       {" pwrite64(", "/state/db"},
                       {" write(1<", "acknowledged"}});
}

}  // namespace
}  // namespace lode
