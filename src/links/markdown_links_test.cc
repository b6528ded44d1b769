#include "links/markdown_links.h"

#include <gtest/gtest.h>

#include <array>

namespace lode {
namespace {

using Texts = std::vector<std::string>;

constexpr std::array<std::string_view, 2> kSchemes{"file", "mcp"};

Texts found(std::string_view text) {
  Texts out;
  for (const auto& link : links_in(text, kSchemes)) out.emplace_back(link.in(text));
  return out;
}

TEST(MarkdownLinks, AreFoundInEveryForm) {
  EXPECT_EQ(found("[a](x.md) ![b](<y z.png> \"t\") [c]( w.md 'it''s' )"),
            (Texts{"x.md", "y z.png"}));
  EXPECT_EQ(found("[a](x.md 'title') [b](y(1).md) [c](z\\).md)"),
            (Texts{"x.md", "y(1).md", "z\\).md"}));
  EXPECT_EQ(found("[a]: x.md \"t\"\n  [b]: <y z>\n"), (Texts{"x.md", "y z"}));
  EXPECT_EQ(found("<mcp://backlog/board> <https://a.b>"),
            (Texts{"mcp://backlog/board", "https://a.b"}));
  EXPECT_EQ(found("<a class='x' href=\"x.md\"><img src='y.png'>"), (Texts{"x.md", "y.png"}));
  EXPECT_EQ(found("See file:///a/b.md, (mcp://backlog/board) and **mcp://x**."),
            (Texts{"file:///a/b.md", "mcp://backlog/board", "mcp://x"}));
  EXPECT_EQ(found("[![image](a.png)](b.md)"), (Texts{"a.png", "b.md"}));
}

TEST(MarkdownLinks, CodeAndCommentsHaveNone) {
  EXPECT_EQ(found("`[a](x)` ``[b](y) ` z`` [c](w)"), Texts{"w"});
  EXPECT_EQ(found("```md\n[a](x)\n```\n[b](y)\n"), Texts{"y"});
  EXPECT_EQ(found("~~~~\n[a](x)\n~~~\n[b](y)\n~~~~\n[c](z)"), Texts{"z"});
  EXPECT_EQ(found("> ```\n> [a](x)\n> ```\n> [b](y)\n"), Texts{"y"});
  EXPECT_EQ(found("text\n\n    [a](x)\n\n[b](y)\n"), Texts{"y"});
  EXPECT_EQ(found("- item\n\n    [a](x)\n"), Texts{"x"});
  EXPECT_EQ(found("text\n    [a](x)\n"), Texts{"x"});
  EXPECT_EQ(found("<!-- [a](x) --> [b](y)\n<!--\n\n[c](z)\n-->\n[d](w)"), (Texts{"y", "w"}));
}

TEST(MarkdownLinks, OfFrontmatterOnlyAddressesCount) {
  const std::string_view text = "---\nurl: file:///a b\n[a](x): 1\n---\n[b](y)\n";
  EXPECT_EQ(found(text), (Texts{"file:///a", "y"}));
  EXPECT_EQ(links_in(text, kSchemes).back().line, 5U);
  EXPECT_EQ(found("\xef\xbb\xbf---\nurl: \"mcp://b\"\n---\n"), Texts{"mcp://b"});
  EXPECT_EQ(found("---\nno end, [a](x)\n"), Texts{"x"});
}

TEST(MarkdownLinks, WhatOnlyLooksLikeOneIsNone) {
  EXPECT_EQ(found("a](x) [b] (y) \\[c](z) [d](e f) [g](h \"i) [](\n\nj)"), Texts{});
  EXPECT_EQ(found("[^1]: a footnote"), Texts{});
  EXPECT_EQ(found("a <b c> d < e > xmcp://no"), Texts{});
  EXPECT_EQ(found(""), Texts{});
}

TEST(MarkdownLinks, HostileTextTakesLinearTime) {
  constexpr std::size_t kTimes = 50'000;
  for (const std::string_view part :
       {"`", "](", "[", "<a", "](a \"", "[a]:", "<!--", "``` ", "("}) {
    std::string text;
    for (std::size_t i = 0; i < kTimes; ++i) text += part;
    EXPECT_LE(links_in(text, kSchemes).size(), kMostLinks) << part;
  }
  std::string runs;  // of every length, so that none closes another
  for (std::size_t i = 1; i < 1000; ++i) runs += std::string(i, '`') + " ";
  EXPECT_EQ(links_in(runs, kSchemes).size(), 0U);
  EXPECT_EQ(found("[a](" + std::string(kLinkBytes + 1, 'x') + ")"), Texts{});
}

TEST(MarkdownLinks, DestinationsLoseTheirBackslashes) {
  EXPECT_EQ(unescaped_destination("a\\(b\\)\\x\\"), "a(b)\\x\\");
  EXPECT_TRUE(fits_destination(MarkdownLink::Kind::inlined, "mcp://backlog/a_b"));
  EXPECT_FALSE(fits_destination(MarkdownLink::Kind::inlined, "mcp://backlog/a(b"));
  EXPECT_FALSE(fits_destination(MarkdownLink::Kind::bare, "a b"));
  EXPECT_FALSE(fits_destination(MarkdownLink::Kind::html, ""));
}

}  // namespace
}  // namespace lode
