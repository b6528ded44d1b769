#include "server/legacy.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace lode {
namespace {

// A client that acts while the answer is being handed to it.
class EagerClient final : public Outlet {
 public:
  void send(Event) override {}
  void finish(Answer) override { on_answer(); }
  void end() override {}
  void on_close(std::function<void()>) override {}

  std::function<void()> on_answer = [] {};
};

std::shared_ptr<Call> open(const std::shared_ptr<Outlet>& client) {
  auto parsed = JsonDocument::parse(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  auto document = std::make_shared<const JsonDocument>(std::move(*parsed));
  auto message = std::get<Message>(read_message(document->root()));
  return open_legacy(document, std::move(message), nullptr, kNewestLegacy, Principal("ada"),
                     client);
}

TEST(Admit, FreesTheIdBeforeTheAnswerCanBeSeen) {
  const auto in_flight = std::make_shared<InFlight>();
  const auto client = std::make_shared<EagerClient>();
  const auto later = open(std::make_shared<EagerClient>());
  bool admitted = false;
  client->on_answer = [&] { admitted = admit(later, *in_flight, in_flight); };

  const auto first = open(client);
  ASSERT_TRUE(admit(first, *in_flight, in_flight));
  first->result({"{}"});
  EXPECT_TRUE(admitted);

  // The end of the first did not take the id from the second.
  EXPECT_FALSE(admit(open(std::make_shared<EagerClient>()), *in_flight, in_flight));
  later->result({"{}"});
  EXPECT_TRUE(in_flight->empty());
}

TEST(Admit, HasSomethingLeftUntilTheAnswerIsHandedOver) {
  const auto in_flight = std::make_shared<InFlight>();
  const auto client = std::make_shared<EagerClient>();
  bool empty = true;
  client->on_answer = [&] { empty = in_flight->empty(); };

  const auto call = open(client);
  ASSERT_TRUE(admit(call, *in_flight, in_flight));
  call->result({"{}"});
  EXPECT_FALSE(empty);
  EXPECT_TRUE(in_flight->empty());
}

TEST(Admit, FreesTheIdOfACancelledCall) {
  const auto in_flight = std::make_shared<InFlight>();
  const auto call = open(std::make_shared<EagerClient>());
  ASSERT_TRUE(admit(call, *in_flight, in_flight));
  in_flight->cancel("1");
  EXPECT_TRUE(in_flight->empty());
  EXPECT_TRUE(admit(open(std::make_shared<EagerClient>()), *in_flight, in_flight));
}

}  // namespace
}  // namespace lode
