#include "server/header_params.h"

#include <gtest/gtest.h>

#include "transport/http.h"

namespace lode {
namespace {

const char* const kSchema = R"({"type":"object","properties":{
  "region":{"type":"string","x-mcp-header":"Region"},
  "level":{"type":"integer","x-mcp-header":"Level"},
  "inner":{"type":"object","properties":{"on":{"type":"boolean","x-mcp-header":"On"}}}}})";

std::string check(const HttpHeaders& headers, std::string_view arguments) {
  return check_param_headers(headers, *parse_json(kSchema), *parse_json(arguments)).value_or("");
}

TEST(DecodeHeaderValue, TakesPlainAndEncodedValues) {
  EXPECT_EQ(decode_header_value("eu-west"), "eu-west");
  EXPECT_EQ(decode_header_value("=?base64?w6k=?="), "é");
  EXPECT_EQ(decode_header_value("=?base64?w6k=?"), "=?base64?w6k=?");  // no suffix: literal
  EXPECT_EQ(decode_header_value("=?BASE64?w6k=?="), "=?BASE64?w6k=?=");
  EXPECT_FALSE(decode_header_value("=?base64?w6k?="));  // padding is missing
  EXPECT_FALSE(decode_header_value("\xc3\xa9"));
}

TEST(CheckParamHeaders, HoldsThemAgainstTheArguments) {
  EXPECT_EQ(check({{"mcp-param-region", "eu"}}, R"({"region":"eu"})"), "");
  EXPECT_EQ(check({{"mcp-param-region", "=?base64?w6k=?="}}, R"({"region":"é"})"), "");
  EXPECT_EQ(check({{"mcp-param-level", "007"}}, R"({"level":7})"), "");
  EXPECT_EQ(check({{"mcp-param-on", "true"}}, R"({"inner":{"on":true}})"), "");
  EXPECT_EQ(check({}, R"({"region":null})"), "");
  EXPECT_EQ(check({}, "{}"), "");
  EXPECT_NE(check({}, R"({"region":"eu"})"), "");
  EXPECT_NE(check({{"mcp-param-region", "us"}}, R"({"region":"eu"})"), "");
  EXPECT_NE(check({{"mcp-param-region", "us"}}, "{}"), "");
  EXPECT_NE(check({{"mcp-param-level", "7.0"}}, R"({"level":7})"), "");
}

TEST(CheckHeaderMarks, WantsUniqueTokensOnPlainValues) {
  const auto good = [](std::string_view properties) {
    return check_header_marks(*parse_json("{\"properties\":" + std::string(properties) + "}")).ok();
  };
  EXPECT_TRUE(check_header_marks(*parse_json(kSchema)));
  EXPECT_FALSE(good(R"({"a":{"type":"string","x-mcp-header":""}})"));
  EXPECT_FALSE(good(R"({"a":{"type":"string","x-mcp-header":"a b"}})"));
  EXPECT_FALSE(good(R"({"a":{"type":"number","x-mcp-header":"A"}})"));
  EXPECT_FALSE(good(R"({"a":{"type":"string","x-mcp-header":"A"},
                        "b":{"type":"string","x-mcp-header":"a"}})"));
}

}  // namespace
}  // namespace lode
