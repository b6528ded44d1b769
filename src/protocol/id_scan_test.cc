#include "protocol/id_scan.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

std::string id_of(std::string_view message, std::size_t piece = 1000) {
  IdScan scan;
  for (std::size_t at = 0; at < message.size(); at += piece) scan.feed(message.substr(at, piece));
  return scan.id();
}

TEST(IdScan, FindsTheIdWhereverItStands) {
  for (const std::size_t piece : {1UL, 3UL, 1000UL}) {
    EXPECT_EQ(id_of(R"({"jsonrpc":"2.0","id":7,"method":"x","params":{"id":8}})", piece), "7");
    EXPECT_EQ(
        id_of(R"({"method":"x","params":{"a":[{"id":1}]},"jsonrpc":"2.0","id":"s-1"})", piece),
        R"("s-1")");
    EXPECT_EQ(id_of("{ \"method\" : \"x\" , \"id\" : -12 }\r", piece), "-12");
    EXPECT_EQ(id_of(R"({"id":"a\"b","method":"x"})", piece), R"("a\"b")");
    EXPECT_EQ(id_of(R"({"id":"a\\","method":"x"})", piece), R"("a\\")");
  }
}

TEST(IdScan, IsNotMisledByNestedObjectsAndStrings) {
  EXPECT_EQ(id_of(R"({"method":"x","params":{"id":8}})"), "");
  EXPECT_EQ(id_of(R"({"method":"x","params":"\"id\":8"})"), "");
  EXPECT_EQ(id_of(R"({"method":"x","a":"\",\"id\":8,\"b\":\"","id":3})"), "3");
  EXPECT_EQ(id_of(R"({"method":"id","params":[{"method":"y"}]})"), "");
  EXPECT_EQ(id_of(R"({"a":"id","b":5,"method":"x","id":4})"), "4");
}

TEST(IdScan, BelievesNothingThatCouldBeReadTwoWays) {
  for (const char* message : {
           R"({"id":1,"method":"x","id":1})",       // twice
           R"({"id":1,"method":"x","\u0069d":2})",  // twice, in disguise
           R"([{"id":1,"method":"x"}])",            // a batch
           R"({"id":1,"result":{}})",               // no request
           R"({"id":{"a":1},"method":"x"})",        // no id
           R"({"id":[1],"method":"x"})",            //
           R"({"id":1.5,"method":"x"})",            //
           R"({"id":null,"method":"x"})",           //
           R"({"id":tru,"method":"x"})",            //
           R"({"id":1 2,"method":"x"})",            //
           R"({"id":1,"method":"x"} {"id":3})",     // two messages
           R"({"id":1,"method":"x")",               // no end
           R"({"id":1,"method":"x"]})",             //
           R"("id":1,"method":"x")",                //
           "",
       }) {
    EXPECT_EQ(id_of(message), "") << message;
  }
  EXPECT_EQ(id_of("{\"method\":\"x\",\"id\":\"" + std::string(IdScan::kIdBytes, 'x') + "\"}"), "");
}

}  // namespace
}  // namespace lode
