#include "providers/project/readme.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(Readme, MarkdownWithBadgesAndComments) {
  EXPECT_EQ(first_paragraph("<!-- a\n\nhidden text\n-->\n# Title\n\n"
                            "[![build](https://x/b.svg)](https://x) ![logo](l.png)\n\n"
                            "<p align=\"center\">\n<img src=\"x.png\">\n</p>\n\n"
                            "A [fast](https://x) tool for **many**\nthings.\n\nMore.\n"),
            "A fast tool for **many** things.");
}

TEST(Readme, HeadingsOfAllKinds) {
  EXPECT_EQ(first_paragraph("Title\n=====\n\nText.\n"), "Text.");
  EXPECT_EQ(first_paragraph("# Title\nText right below.\n"), "Text right below.");
  EXPECT_EQ(first_paragraph("=====\nTitle\n=====\n\nText.\n"), "Text.");
  EXPECT_EQ(first_paragraph("Title\n-----\nText.\n"), "Text.");
}

TEST(Readme, ReStructuredTextDirectives) {
  EXPECT_EQ(first_paragraph("Name\n====\n\n.. image:: x.png\n   :alt: words\n\n|badge| |other|\n\n"
                            "It does `this`_.\n"),
            "It does `this`_.");
}

TEST(Readme, ListsCodeAndQuotes) {
  EXPECT_EQ(first_paragraph("# T\n\n- [One](#one)\n- [Two](#two)\n\n```\nnpm i\n```\n\n    code\n\n"
                            "> [!NOTE]\n> Mind the gap.\n"),
            "Mind the gap.");
}

TEST(Readme, NothingIsNothing) {
  for (const char* text :
       {"", "\n\n", "# Only a title\n", "![x](y)\n", "<!-- never ends", "---\n"}) {
    EXPECT_EQ(first_paragraph(text), "") << text;
  }
}

TEST(Readme, IsBounded) {
  EXPECT_EQ(first_paragraph(std::string(2000, 'x'), 10), "xxxxxxxxxx…");
  EXPECT_EQ(first_paragraph("\xC3\xBC\xC3\xBC\xC3\xBC", 3), "\xC3\xBC…");
  EXPECT_EQ(first_paragraph("a" + std::string(2000, '\x80'), 9), "a\\x80\\x80…");
  std::string brackets;
  for (int i = 0; i < 30'000; ++i) brackets += "![";
  EXPECT_EQ(first_paragraph(brackets), "");
}

TEST(Readme, Names) {
  for (const char* name : {"README.md", "readme", "ReadMe.rst", "README.txt"}) {
    EXPECT_TRUE(is_readme(name));
  }
  for (const char* name : {"README.md.bak", "READ.me", "readme.html"})
    EXPECT_FALSE(is_readme(name));
}

}  // namespace
}  // namespace lode
