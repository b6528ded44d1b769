#include "transport/stdio.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace lode {
namespace {

constexpr std::size_t kLimit = std::size_t{8} << 20;

class TestPipe {
 public:
  TestPipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~TestPipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  TestPipe(const TestPipe&) = delete;
  TestPipe& operator=(const TestPipe&) = delete;

  int in() const { return ends_[1]; }
  int out() const { return ends_[0]; }

  std::size_t unread() const {
    int bytes = 0;
    ::ioctl(out(), FIONREAD, &bytes);
    return static_cast<std::size_t>(bytes);
  }
  // So many bytes; fewer if none come for a while.
  std::string read(std::size_t size) const {
    std::string all;
    std::array<char, 4096> part{};
    pollfd ready{out(), POLLIN, 0};
    while (all.size() < size && ::poll(&ready, 1, 5000) > 0) {
      const auto n = ::read(out(), part.data(), std::min(part.size(), size - all.size()));
      if (n <= 0) break;
      all.append(part.data(), static_cast<std::size_t>(n));
    }
    return all;
  }

 private:
  std::array<int, 2> ends_{};
};

TEST(StdioSink, WritesALineAtOnce) {
  const TestPipe pipe;
  StdioSink sink(pipe.in(), kLimit, [] {});
  sink.write("one");
  EXPECT_EQ(pipe.unread(), 4U);
  EXPECT_EQ(pipe.read(4), "one\n");
}

TEST(StdioSink, WritesHeldLinesTogether) {
  const TestPipe pipe;
  StdioSink sink(pipe.in(), kLimit, [] {});
  sink.hold();
  sink.write("one");
  sink.write("two");
  EXPECT_EQ(pipe.unread(), 0U);
  sink.release();
  EXPECT_EQ(pipe.unread(), 8U);
  sink.write("three");
  EXPECT_EQ(pipe.read(14), "one\ntwo\nthree\n");
}

TEST(StdioSink, ALineOfAnotherThreadTakesHeldOnesAlong) {
  const TestPipe pipe;
  StdioSink sink(pipe.in(), kLimit, [] {});
  sink.hold();
  sink.write("one");
  std::thread([&] { sink.write("two"); }).join();
  EXPECT_EQ(pipe.unread(), 8U);
  sink.release();
  EXPECT_EQ(pipe.read(8), "one\ntwo\n");
}

// Lines that a pipe cannot hold, shorter and longer than its room, keep their
// order whether they are held or not.
TEST(StdioSink, KeepsTheOrderOfLongLines) {
  for (const bool held : {true, false}) {
    const TestPipe pipe;
    StdioSink sink(pipe.in(), kLimit, [] {});
    std::string wanted;
    if (held) sink.hold();
    for (const std::size_t size :
         {3UL, 20'000UL, 20'000UL, 30'000UL, 200'000UL, 1UL, 65'535UL, 65'536UL, 7UL}) {
      const std::string line(size, static_cast<char>('a' + size % 26));
      wanted += line + "\n";
      sink.write(line);
    }
    if (held) sink.release();
    EXPECT_TRUE(pipe.read(wanted.size()) == wanted) << held;
  }
}

TEST(StdioSink, WritesWhatIsHeldWhenItEnds) {
  const TestPipe pipe;
  {
    StdioSink sink(pipe.in(), kLimit, [] {});
    sink.hold();
    sink.write("one");
  }
  EXPECT_EQ(pipe.read(4), "one\n");
}

TEST(StdioSink, GivesUpAClientThatDoesNotRead) {
  const TestPipe pipe;
  int given_up = 0;
  StdioSink sink(pipe.in(), 1000, [&] { ++given_up; });
  sink.hold();
  while (given_up == 0) sink.write(std::string(100'000, 'x'));
  sink.write("more");
  sink.release();
  EXPECT_EQ(given_up, 1);
  pipe.read(std::size_t{1} << 17);  // lets the writing thread end
}

TEST(StdioReader, TellsWhenAReadBroughtSeveralLines) {
  const auto told = [](std::string_view input) {
    const TestPipe pipe;
    EXPECT_EQ(::write(pipe.in(), input.data(), input.size()), static_cast<ssize_t>(input.size()));
    std::string seen;
    StdioReader reader(pipe.out(), 100);
    reader.run({[&](std::string_view line) {
                  seen.append(line).append(" ");
                  if (line == "end") reader.stop();
                },
                [](const std::string&) {}, [] { return false; },
                [&](bool several) { seen += several ? "[ " : "] "; }});
    return seen;
  };
  EXPECT_EQ(told("end\n"), "end ");
  EXPECT_EQ(told("one\nend\n"), "[ one end ] ");
}

}  // namespace
}  // namespace lode
