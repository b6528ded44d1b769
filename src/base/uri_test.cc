#include "base/uri.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_set>

namespace lode {
namespace {

Uri uri(std::string_view text) {
  auto parsed = Uri::parse(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().message;
  return parsed ? *parsed : *Uri::parse("error:");
}

std::string normal(std::string_view text) { return std::string(uri(text).text()); }

std::string problem(std::string_view text) {
  auto parsed = Uri::parse(text);
  return parsed ? "" : parsed.error().message;
}

TEST(Uri, TakesItsPartsApart) {
  const Uri a = uri("resource://file/src/a.ts/symbols?compact=true");
  EXPECT_EQ(a.scheme(), "resource");
  EXPECT_EQ(a.authority(), "file");
  EXPECT_EQ(a.path(), "/src/a.ts/symbols");
  EXPECT_EQ(a.query(), "compact=true");
  EXPECT_EQ(a.without_query().text(), "resource://file/src/a.ts/symbols");
  EXPECT_FALSE(a.without_query().has_query());
}

TEST(Uri, TellsAbsentFromEmpty) {
  EXPECT_TRUE(uri("file:///x").has_authority());
  EXPECT_EQ(uri("file:///x").authority(), "");
  EXPECT_EQ(uri("file:///x").path(), "/x");
  EXPECT_FALSE(uri("mailto:x").has_authority());
  EXPECT_EQ(uri("mailto:x").authority(), "");
  EXPECT_EQ(uri("mailto:x").path(), "x");
  EXPECT_FALSE(uri("file:/x").has_authority());
  EXPECT_TRUE(uri("x://a?").has_query());
  EXPECT_EQ(uri("x://a?").query(), "");
  EXPECT_FALSE(uri("x://a").has_query());
  EXPECT_NE(uri("x://a?"), uri("x://a"));
}

TEST(Uri, LeavesExoticButLegalOnesAlone) {
  for (const char* text : {"resource://file/src/a.ts/symbols?compact=true",
                           "test://static-text",
                           "capability-index://summary",
                           "urn:x:y",
                           "skill://name/SKILL.md",
                           "x:",
                           "x://",
                           "x:/",
                           "mcp://backlog/tasks/TASK-0001@HEAD~2",
                           "plugin://name/https://other/x?y",
                           "plugin://name/https://other/x?y=/?z",
                           "file:///a//b/",
                           "file:///...",
                           "file:///.git/x",
                           "http://[::1]:7345/mcp",
                           "http://h:80/",
                           "x://a%20b/",
                           "x://h/a:b;c=d,e!$&'()*+",
                           "file:///%E2%82%AC%20%2F%40@",
                           "urn:a/../b",
                           "a+b-c.1://h"}) {
    EXPECT_EQ(normal(text), text);
  }
}

TEST(Uri, NormalisesWhatIsEquivalent) {
  EXPECT_EQ(normal("HTTP://ExAmPle.ORG:/A"), "http://example.org/A");
  EXPECT_EQ(normal("x://%41%c3%a9/"), "x://a%C3%A9/");
  EXPECT_EQ(normal("http://[::FFFF]:1/"), "http://[::ffff]:1/");
  EXPECT_EQ(normal("file:///%61%2d%7E%5f"), "file:///a-~_");
  EXPECT_EQ(normal("file:///a%2fb%40c@d"), "file:///a%2Fb%40c@d");
  EXPECT_EQ(normal("x://h/?q=%61%2b%26"), "x://h/?q=a%2B%26");
  EXPECT_EQ(normal("file:///app/[slug]/{a|b}^`\"<>"),
            "file:///app/%5Bslug%5D/%7Ba%7Cb%7D%5E%60%22%3C%3E");
  EXPECT_EQ(normal("x://h/?expr=[a]"), "x://h/?expr=%5Ba%5D");
  EXPECT_EQ(normal("x://h/a b?expr=(a) @b"), "x://h/a%20b?expr=(a)%20@b");
  EXPECT_EQ(uri("file:///app/[slug]"), uri("FILE:///app/%5bslug%5D"));
  EXPECT_NE(uri("file:///a%40b"), uri("file:///a@b"));
}

TEST(Uri, RemovesDotSegments) {
  EXPECT_EQ(normal("resource://project/./summary"), "resource://project/summary");
  EXPECT_EQ(normal("x://h/a/b/../c/./d"), "x://h/a/c/d");
  EXPECT_EQ(normal("x://h/a/.."), "x://h/");
  EXPECT_EQ(normal("x://h/a/."), "x://h/a/");
  EXPECT_EQ(normal("x://h/."), "x://h/");
  EXPECT_EQ(normal("x://h/a//../b"), "x://h/a/b");
  EXPECT_EQ(normal("x://h/a/%2E%2e/b"), "x://h/b");
  EXPECT_EQ(normal("x://h/a/%2e/b?c=../d"), "x://h/a/b?c=../d");
  EXPECT_EQ(normal("x:/a/../b"), "x:/b");
  EXPECT_EQ(normal("x://h/a..b/..c/d../.e"), "x://h/a..b/..c/d../.e");
}

TEST(Uri, RefusesToClimbAboveTheRoot) {
  for (const char* text : {"x://h/..", "x://h/../a", "x://h/a/../../b", "x://h/%2e%2e/a",
                           "x://h/%2E./a", "x://h/.%2e", "x://h/a/%2e%2E/%2e%2E/b", "x:/..",
                           "file:///../etc/passwd", "x://h/./..", "x://h//../.."}) {
    EXPECT_EQ(problem(text), "the path climbs above its root with '..'") << text;
  }
  for (const char* text : {"x://h/a%2f..%2fb", "x://h/..%2Fetc", "x://h/a/b%2F..",
                           "x://h/a%2f%2e%2e", "x://h/a/..%2f../b"}) {
    EXPECT_NE(problem(text), "") << text;
  }
  EXPECT_EQ(problem("x://h/a%2Fb..c"), "");
}

TEST(Uri, RefusesWhatIsMalformed) {
  EXPECT_EQ(problem("x://a b"), "the host is malformed");
  EXPECT_EQ(problem("x y://h"), "a URI begins with a scheme and a colon, such as file:");
  EXPECT_EQ(problem("x://h/a\nb"), "control characters are not allowed");
  EXPECT_EQ(problem("x://h/a\x7f"), "control characters are not allowed");
  EXPECT_EQ(problem(std::string_view("x://h/\0", 7)), "control characters are not allowed");
  EXPECT_EQ(problem("x://h/é"), "characters beyond ASCII must be percent-encoded as UTF-8");
  EXPECT_EQ(problem("x://h/%"), "a '%' must be followed by two hex digits");
  EXPECT_EQ(problem("x://h/%4"), "a '%' must be followed by two hex digits");
  EXPECT_EQ(problem("x://h/%%41"), "a '%' must be followed by two hex digits");
  EXPECT_EQ(problem("x://h/%G0"), "a '%' must be followed by two hex digits");
  EXPECT_EQ(problem("x://h/?%zz"), "a '%' must be followed by two hex digits");
  EXPECT_EQ(problem("x://h/a%00b"), "%00 is not allowed");
  EXPECT_NE(problem("x://h/a\\b"), "");
  EXPECT_NE(problem("C:\\Users"), "");
  EXPECT_NE(problem("x://h/a#b"), "");
  EXPECT_NE(problem("x://h/a#"), "");
  for (const char* text : {"", ":", "://h", "h/a", "/a", "//h/a", "1x://h", "x_y://h", "%78://h",
                           "x", "?a:b", "-x:a"}) {
    EXPECT_EQ(problem(text), "a URI begins with a scheme and a colon, such as file:") << text;
  }
}

TEST(Uri, RefusesMalformedAuthorities) {
  EXPECT_EQ(problem("http://me:secret@h/"), "user information before the host is not allowed");
  EXPECT_EQ(problem("http://me@h"), "user information before the host is not allowed");
  EXPECT_EQ(problem("http://h:8o/"), "the port is not a number");
  EXPECT_EQ(problem("http://h:1:2/"), "the port is not a number");
  for (const char* text :
       {"http://[::1/", "http://[]/", "http://[::1]a/", "http://[::g]/", "x://a[b]",
        "x://{name}/SKILL.md", "x://a]", "http://[", "x://[::1%41]/"}) {
    EXPECT_EQ(problem(text), "the host is malformed") << text;
  }
  // A path that normalisation would turn into an authority.
  EXPECT_NE(problem("x:/.//h/a"), "");
  EXPECT_NE(problem("x:/a/..//h"), "");
}

TEST(Uri, RefusesInvalidUtf8) {
  for (const char* text : {"x://h/%FF", "x://h/%C0%AF", "x://h/%E2%82/%AC", "x://h/?a=%80",
                           "x://%FF/", "x://h/%ED%A0%80"}) {
    EXPECT_EQ(problem(text), "the percent-encoded bytes are not UTF-8") << text;
  }
}

TEST(Uri, IsLimitedInLengthBeforeAndAfter) {
  const std::string longest = "x://h/" + std::string(Uri::kMaxLength - 6, 'a');
  EXPECT_EQ(problem(longest), "");
  EXPECT_EQ(problem(longest + "a"), "the URI is longer than 8192 bytes");
  std::string growing = longest;
  growing.back() = '[';
  EXPECT_EQ(problem(growing), "the URI is longer than 8192 bytes");
  EXPECT_EQ(problem("x://h/" + std::string(Uri::kMaxLength - 6, '[')),
            "the URI is longer than 8192 bytes");
}

TEST(Uri, GivesDecodedSegments) {
  using List = std::vector<std::string>;
  EXPECT_EQ(uri("x://h/a//b%20c/").segments(), (List{"a", "", "b c", ""}));
  EXPECT_EQ(uri("x://h/%E2%82%AC/%252F/a%2Fb").segments(), (List{"€", "%2F", "a/b"}));
  EXPECT_EQ(uri("x://h").segments(), List{});
  EXPECT_EQ(uri("x://h/").segments(), List{});
  EXPECT_EQ(uri("urn:a/b%20c").segments(), List{"a/b c"});
  EXPECT_EQ(uri("plugin://n/https://o/x?y").segments(), (List{"https:", "", "o", "x"}));
}

TEST(Uri, GivesDecodedQueryValues) {
  const Uri a = uri("x://h/?a=1%2B1+1&b&c=&a=2&%64=x=y&&e=a%26b");
  EXPECT_EQ(a.query_value("a"), "1+1+1");
  EXPECT_EQ(a.query_value("b"), "");
  EXPECT_EQ(a.query_value("c"), "");
  EXPECT_EQ(a.query_value("d"), "x=y");
  EXPECT_EQ(a.query_value("e"), "a&b");
  EXPECT_EQ(a.query_value(""), std::nullopt);
  EXPECT_EQ(a.query_value("A"), std::nullopt);
  EXPECT_EQ(uri("x://h").query_value("a"), std::nullopt);
}

TEST(Uri, ContainsBySegment) {
  const auto within = [](std::string_view a, std::string_view b) { return uri(a).within(uri(b)); };
  EXPECT_TRUE(within("file:///a/b", "file:///a"));
  EXPECT_TRUE(within("file:///a/b", "file:///a/"));
  EXPECT_TRUE(within("file:///a", "file:///a/"));
  EXPECT_TRUE(within("file:///a/", "file:///a"));
  EXPECT_TRUE(within("file:///a/b?q", "file:///a?r"));
  EXPECT_TRUE(within("file:///a", "file:///"));
  EXPECT_TRUE(within("file:///a", "FILE://"));
  EXPECT_TRUE(within("x://h", "x://h/"));
  EXPECT_TRUE(within("x://h/", "x://h"));
  EXPECT_TRUE(within("x://h/%61/b/../c", "x://h/a"));
  EXPECT_FALSE(within("file:///ab", "file:///a"));
  EXPECT_FALSE(within("file:///a", "file:///a/b"));
  EXPECT_FALSE(within("file:///a/../b", "file:///a"));
  EXPECT_FALSE(within("file:///a%2Fb", "file:///a"));
  EXPECT_FALSE(within("file:///a/b", "file:///a//"));
  EXPECT_TRUE(within("file:///a//b", "file:///a//"));
  EXPECT_FALSE(within("x://hh/a", "x://h"));
  EXPECT_FALSE(within("xx://h/a", "x://h"));
  EXPECT_FALSE(within("file:/a", "file:///"));
  EXPECT_FALSE(within("file:///a", "file:"));
  EXPECT_FALSE(within("x://h:1/a", "x://h"));
}

TEST(Uri, ContainsOpaqueOnesOnlyAsAWhole) {
  EXPECT_TRUE(uri("urn:x:y").within(uri("urn:x:y")));
  EXPECT_TRUE(uri("urn:x:y?q").within(uri("urn:x:y")));
  EXPECT_TRUE(uri("urn:x:y").within(uri("urn:")));
  EXPECT_FALSE(uri("urn:x/../y").within(uri("urn:x")));
  EXPECT_FALSE(uri("urn:x/y").within(uri("urn:x")));
  EXPECT_FALSE(uri("x:/a").within(uri("x:a")));
  EXPECT_FALSE(uri("x:a").within(uri("x:/")));
}

TEST(Uri, IsAKey) {
  std::unordered_set<Uri> set{uri("X://H/%61"), uri("x://h/a"), uri("x://h/b")};
  EXPECT_EQ(set.size(), 2U);
  EXPECT_LT(uri("x://h/a"), uri("x://h/b"));
  const Uri copy = *set.find(uri("x://h/a"));
  set.clear();
  EXPECT_EQ(copy.path(), "/a");
}

TEST(Encoding, OfPathsKeepsSlashesButNotRevisions) {
  EXPECT_EQ(encode_path("src/a b@1.ts"), "src/a%20b%401.ts");
  EXPECT_EQ(encode_path("100%?#[é]\\"), "100%25%3F%23%5B%C3%A9%5D%5C");
  EXPECT_EQ(encode_path("/a:b!$&'()*+,;=~"), "/a:b!$&'()*+,;=~");
  EXPECT_EQ(encode_component("a/b:c@d-._~"), "a%2Fb%3Ac%40d-._~");
}

TEST(Encoding, IsDecodedOnceAndStrictly) {
  EXPECT_EQ(*decode("a%2Fb%252F+"), "a/b%2F+");
  EXPECT_EQ(*decode(""), "");
  EXPECT_FALSE(decode("%"));
  EXPECT_FALSE(decode("a%2"));
  EXPECT_FALSE(decode("%2x"));
  EXPECT_FALSE(decode("%00"));
}

TEST(Encoding, ComesBackForEveryByte) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  EXPECT_EQ(*decode(encode_path(all)), all);
  EXPECT_EQ(*decode(encode_component(all)), all);
}

TEST(Query, IsTakenApartInOrder) {
  EXPECT_EQ(*parse_query("b=1&a&&=x&b=%20"),
            (QueryParameters{{"b", "1"}, {"a", ""}, {"", "x"}, {"b", " "}}));
  EXPECT_TRUE(parse_query("")->empty());
  EXPECT_FALSE(parse_query("a=%"));
}

// Whatever is accepted is its own normal form, and its parts make up the whole.
TEST(Uri, IsStableUnderParsing) {
  std::mt19937 random(3986);
  const std::string_view pieces[] = {"x:",  "/", "//", "a", "A",     "..",  ".",  "%2e", "%2F",
                                     "%61", "?", "@",  ":", "[::1]", "%40", "=&", "~",   "["};
  int accepted = 0;
  for (int round = 0; round < 50000; ++round) {
    std::string text = random() % 2 == 0 ? "x:" : "x://h";
    for (auto left = random() % 8; left > 0; --left) text += pieces[random() % std::size(pieces)];
    auto once = Uri::parse(text);
    if (!once) continue;
    ++accepted;
    auto twice = Uri::parse(once->text());
    ASSERT_TRUE(twice) << text;
    ASSERT_EQ(once->text(), twice->text()) << text;
    ASSERT_EQ(once->path(), twice->path()) << text;
    ASSERT_EQ(once->authority(), twice->authority()) << text;
    ASSERT_TRUE(once->within(*twice)) << text;
    ASSERT_TRUE(once->within(once->without_query())) << text;
  }
  EXPECT_GT(accepted, 10000);
}

// What goes in comes out, whatever it is that a URI may hold.
TEST(UriTest, VerbatimKeepsEveryByte) {
  std::mt19937 random(20260728);
  std::uniform_int_distribution<int> byte('!', '~');
  std::uniform_int_distribution<std::size_t> length(0, 300);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = "x-y.z+1:";
    for (std::size_t n = length(random); n > 0; --n) text += static_cast<char>(byte(random));
    const auto uri = Uri::verbatim(text);
    ASSERT_TRUE(uri) << text;
    EXPECT_EQ(uri->text(), text);
    EXPECT_EQ(uri->without_query().text(), text);
    EXPECT_EQ(uri->scheme(), "x-y.z+1");
    EXPECT_FALSE(uri->has_query() || uri->has_authority());
    EXPECT_TRUE(text.size() == 8 || uri->segments() == std::vector{text.substr(8)});
    EXPECT_TRUE(uri->within(*Uri::verbatim(text.substr(0, 8 + (text.size() - 8) / 2))));
  }
  for (const char* wrong :
       {"", "x", ":a", "1x:a", "x y:a", "x:a b", "x:a\nb", "x:\x7f", "x:\xC3\xA9"}) {
    EXPECT_FALSE(Uri::verbatim(wrong)) << wrong;
  }
  EXPECT_FALSE(Uri::verbatim("x:" + std::string(Uri::kMaxLength, 'a')));
  EXPECT_FALSE(Uri::verbatim("x:ab")->within(*Uri::verbatim("x:B")));
}

}  // namespace
}  // namespace lode
