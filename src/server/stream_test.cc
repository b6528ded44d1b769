#include "server/stream.h"

#include <gtest/gtest.h>

#include <vector>

namespace lode {
namespace {

// A connection that remembers.
class Connection final : public Outlet {
 public:
  explicit Connection(bool streams = true) : streams_(streams) {}

  void send(Event event) override { events.push_back(event.id + "=" + event.data); }
  void finish(Answer answer) override { answered = std::move(answer.body).flat(); }
  void end() override { ended = true; }
  void on_close(std::function<void()> gone) override { close = std::move(gone); }
  bool streams() const override { return streams_; }

  std::vector<std::string> events;
  std::string answered;
  bool ended = false;
  std::function<void()> close;

 private:
  const bool streams_;
};

using Seen = std::vector<std::string>;

std::shared_ptr<Stream> make(bool primes, std::size_t history = 1000) {
  StreamOptions options;
  options.primes = primes;
  options.history_bytes = history;
  return std::make_shared<Stream>(3, options);
}

TEST(Stream, AnswersPlainlyWhatWasNeverStreamed) {
  auto stream = make(true);
  auto connection = std::make_shared<Connection>();
  stream->attach(connection, 0);
  stream->finish({"answer", 200, ""});
  EXPECT_EQ(connection->answered, "answer");
  EXPECT_TRUE(connection->events.empty());
  EXPECT_TRUE(stream->spent());
}

TEST(Stream, PrimesThenNumbersItsMessages) {
  auto stream = make(true);
  auto connection = std::make_shared<Connection>();
  stream->attach(connection, 0);
  stream->send({"a", "", {}});
  stream->finish({"answer", 200, ""});
  EXPECT_EQ(connection->events, (Seen{"3-0=", "3-1=a", "3-2=answer"}));
  EXPECT_TRUE(connection->ended);
}

TEST(Stream, GivesTheRestToAClientThatComesBack) {
  auto stream = make(true);
  auto first = std::make_shared<Connection>();
  stream->attach(first, 0);
  stream->send({"a", "", {}});
  first->close();
  stream->send({"b", "", {}});
  stream->finish({"answer", 200, ""});
  auto second = std::make_shared<Connection>();
  stream->attach(second, 1);
  EXPECT_EQ(second->events, (Seen{"3-2=b", "3-3=answer"}));
  EXPECT_TRUE(second->ended);
}

TEST(Stream, LetsAClientGoThatCanComeBack) {
  auto stream = make(true);
  auto first = std::make_shared<Connection>();
  stream->attach(first, 0);
  stream->release();
  EXPECT_EQ(first->events, (Seen{"3-0="}));
  EXPECT_TRUE(first->ended);
  stream->finish({"answer", 200, ""});
  auto second = std::make_shared<Connection>();
  stream->attach(second, 0);
  EXPECT_EQ(second->events, (Seen{"3-1=answer"}));
}

TEST(Stream, KeepsAClientThatCannotComeBack) {
  auto old = make(false);
  auto connection = std::make_shared<Connection>();
  old->attach(connection, 0);
  old->release();
  EXPECT_FALSE(connection->ended);
  auto plain = make(true);
  auto json_only = std::make_shared<Connection>(false);
  plain->attach(json_only, 0);
  plain->release();
  plain->send({"progress", "", {}});
  plain->finish({"answer", 200, ""});
  EXPECT_EQ(json_only->answered, "answer");
}

TEST(Stream, ForgetsTheOldestPastItsLimit) {
  auto stream = make(false, 10);
  for (const char* message : {"aaaa", "bbbb", "cccc"}) stream->send({message, "", {}});
  auto connection = std::make_shared<Connection>();
  stream->attach(connection, 0);
  EXPECT_EQ(connection->events, (Seen{"3-2=bbbb", "3-3=cccc"}));
}

TEST(Stream, CountsWhatItKeepsAndForgetsItWhenMemoryIsShort) {
  MemoryBudget budget(32'000);
  auto& share = budget.share(Principal::visitor());  // 12,000, of which 3,000 for what is kept
  StreamOptions options;
  options.memory = &share;
  std::vector<std::shared_ptr<Stream>> abandoned;
  for (std::uint64_t i = 0; i < 4; ++i) {
    abandoned.push_back(std::make_shared<Stream>(i, options));
    abandoned.back()->finish({std::string(1000, 'x'), 200, ""});
  }
  EXPECT_EQ(share.kept(), 3000U);
  EXPECT_TRUE(abandoned[0]->spent());
  EXPECT_FALSE(abandoned[1]->spent());
  MemoryCharge work(share, 11'500);
  EXPECT_TRUE(share.fits());
  EXPECT_TRUE(abandoned[3]->spent());
  work.release();
  EXPECT_EQ(budget.used(), 0U);
}

TEST(StreamId, IsReadStrictly) {
  EXPECT_EQ(Stream::parse_id("3-17")->message, 17U);
  for (const char* bad : {"", "3", "3-", "-1", "3-1x", "a-1", "3 -1", "99999999999999999999-1"}) {
    EXPECT_FALSE(Stream::parse_id(bad)) << bad;
  }
}

}  // namespace
}  // namespace lode
