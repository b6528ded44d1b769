#include "transport/http_conditional.h"

#include <gtest/gtest.h>

#include <string>

#include "transport/http.h"

namespace lode {
namespace {

constexpr std::string_view kTag = "\"v1\"";

HttpRequest get(HttpHeaders headers, std::string method = "GET") {
  HttpRequest request;
  request.method = std::move(method);
  request.headers = std::move(headers);
  return request;
}

// "begin+size", "whole" or "none", of ten bytes.
std::string range(const HttpRequest& request, std::size_t size = 10) {
  const auto wanted = wanted_range(request, kTag, size);
  if (wanted.kind == HttpRange::Kind::whole) return "whole";
  if (wanted.kind == HttpRange::Kind::unsatisfiable) return "none";
  return std::to_string(wanted.begin) + "+" + std::to_string(wanted.size);
}
std::string range(const std::string& header, std::size_t size = 10) {
  return range(get({{"range", header}}), size);
}

TEST(HttpConditional, FindsATagInEveryHeader) {
  EXPECT_FALSE(has_tag(get({}), kTag));
  EXPECT_TRUE(has_tag(get({{"if-none-match", "\"v0\", W/\"v1\""}}), kTag));
  EXPECT_TRUE(has_tag(get({{"if-none-match", "\"v0\""}, {"if-none-match", "*"}}), kTag));
  EXPECT_FALSE(has_tag(get({{"if-none-match", "v1"}}), kTag));
}

TEST(HttpConditional, GivesOneRange) {
  EXPECT_EQ(range("bytes=0-3"), "0+4");
  EXPECT_EQ(range("Bytes=2-2"), "2+1");
  EXPECT_EQ(range("bytes=7-"), "7+3");
  EXPECT_EQ(range("bytes=0-99"), "0+10");
  EXPECT_EQ(range("bytes=-4"), "6+4");
  EXPECT_EQ(range("bytes=-99"), "0+10");
  EXPECT_EQ(range("bytes= 0-0 "), "0+1");
  EXPECT_EQ(range("bytes=10-"), "none");
  EXPECT_EQ(range("bytes=-0"), "none");
  EXPECT_EQ(range("bytes=0-0", 0), "none");
  EXPECT_EQ(range("bytes=-1", 0), "none");
}

TEST(HttpConditional, TakesNumbersOfAnySize) {
  EXPECT_EQ(range("bytes=18446744073709551616-"), "none");
  EXPECT_EQ(range("bytes=0-18446744073709551616"), "0+10");
  EXPECT_EQ(range("bytes=-18446744073709551616"), "0+10");
}

TEST(HttpConditional, GivesAllWhereARangeIsNone) {
  EXPECT_EQ(range(get({})), "whole");
  for (const char* header :
       {"", "bytes", "bytes=", "bytes=-", "bytes=3", "bytes=3-1", "bytes=a-b", "bytes=1-b",
        "bytes=0-1,3-4", "lines=0-1", "bytes=+1-2", "bytes=1--2"}) {
    EXPECT_EQ(range(header), "whole") << header;
  }
  EXPECT_EQ(range(get({{"range", "bytes=0-1"}}, "HEAD")), "whole");
  EXPECT_EQ(range(get({{"range", "bytes=0-1"}, {"range", "bytes=2-3"}})), "whole");
}

TEST(HttpConditional, GivesARangeOfTheSameVersionOnly) {
  EXPECT_EQ(range(get({{"range", "bytes=0-1"}, {"if-range", "\"v1\""}})), "0+2");
  EXPECT_EQ(range(get({{"range", "bytes=0-1"}, {"if-range", "\"v2\""}})), "whole");
  EXPECT_EQ(range(get({{"range", "bytes=0-1"}, {"if-range", "W/\"v1\""}})), "whole");
  EXPECT_EQ(range(get({{"range", "bytes=99-"}, {"if-range", "\"v2\""}})), "whole");
}

}  // namespace
}  // namespace lode
