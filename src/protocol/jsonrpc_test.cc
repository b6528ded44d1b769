#include "protocol/jsonrpc.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

// The complaint about a message, or "" for a good one.
std::string complaint(std::string_view text) {
  auto document = JsonDocument::parse(text);
  auto read = read_message(document->root());
  const auto* bad = std::get_if<MessageError>(&read);
  return bad == nullptr ? "" : bad->error.message + " [" + bad->id + "]";
}

TEST(ReadMessage, KeepsTheIdAsItWasSent) {
  for (const char* id : {"1", "-7", "1731660000123", "\"a\\\"b\"", "\"\""}) {
    auto document =
        JsonDocument::parse(R"({"jsonrpc":"2.0","method":"m","id":)" + std::string(id) + "}");
    auto read = read_message(document->root());
    ASSERT_TRUE(std::holds_alternative<Message>(read)) << id;
    EXPECT_EQ(std::get<Message>(read).id, id);
    EXPECT_EQ(std::get<Message>(read).kind, Message::Kind::request);
  }
}

TEST(ReadMessage, ComplainsToTheIdWhereItCanBeRead) {
  EXPECT_EQ(complaint(R"({"jsonrpc":"1.0","id":5,"method":"m"})"),
            "\"jsonrpc\" is not \"2.0\" [5]");
  EXPECT_EQ(complaint(R"({"jsonrpc":"2.0","id":5,"method":7})"), "\"method\" is not a string [5]");
  EXPECT_EQ(complaint(R"({"jsonrpc":"2.0","id":5,"method":"m","params":[]})"),
            "\"params\" is not an object [5]");
  EXPECT_EQ(complaint(R"({"jsonrpc":"2.0","id":null,"method":"m"})"),
            "\"id\" is not a string or an integer []");
  EXPECT_EQ(complaint(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})"),
            "\"id\" is not a string or an integer []");
  EXPECT_EQ(complaint("[]"), "a JSON-RPC message is an object []");
  EXPECT_EQ(complaint(R"({"jsonrpc":"2.0"})"),
            "neither a request, a notification nor a response []");
  EXPECT_EQ(complaint(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})"),
            "a response has either a result or an error []");
}

TEST(MessageText, IsOneLineOfJson) {
  EXPECT_EQ(response_text("1", "{}"), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(error_text("", {-32700, "no\nJSON", "", 400}),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no\nJSON"}})");
  EXPECT_EQ(error_text("\"a\"", {-1, "m", "{\"x\":1}", 200}),
            R"({"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"m","data":{"x":1}}})");
  EXPECT_EQ(notification_text("n", ""), R"({"jsonrpc":"2.0","method":"n"})");
  EXPECT_EQ(request_text("\"l\"", "m", "{}"),
            R"({"jsonrpc":"2.0","id":"l","method":"m","params":{}})");
}

}  // namespace
}  // namespace lode
