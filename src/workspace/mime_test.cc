#include "workspace/mime.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "workspace/test_tree.h"

namespace lode {
namespace {

constexpr std::string_view kPng("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0", 29);
constexpr std::string_view kBytes("\0\1\2\3\4\5\6\7", 8);

TEST(MimeType, IsThatOfTheName) {
  EXPECT_EQ(mime_type("README.md", "# Title\n"), "text/markdown");
  EXPECT_EQ(mime_type("README.MD", "# Title\n"), "text/markdown");
  EXPECT_EQ(mime_type("a/b.c/x.py", "import os\n"), "text/x-python");
  EXPECT_EQ(mime_type("x.js", "export {}\n"), "text/javascript");
  EXPECT_EQ(mime_type("x.yml", "a: 1\n"), "application/yaml");
  EXPECT_EQ(mime_type("x.json", "{}"), "application/json");
  EXPECT_EQ(mime_type("x.png", kPng), "image/png");
  EXPECT_EQ(mime_type("x.svg", "<svg/>"), "image/svg+xml");
  EXPECT_EQ(mime_type("x.sh", "echo\n"), "application/x-shellscript");
  EXPECT_EQ(mime_type("x.h", ""), "text/x-chdr");
}

TEST(MimeType, ComesFromTheDatabase) {
  EXPECT_EQ(mime_type("main.go", "package main\n"), "text/x-go");
  EXPECT_EQ(mime_type("main.rs", "fn main() {}\n"), "text/rust");
  EXPECT_EQ(mime_type("x.C", "int x;\n"), "text/x-c++src");
  EXPECT_EQ(mime_type("x.c", "int x;\n"), "text/x-csrc");
  EXPECT_EQ(mime_type("Makefile", "all:\n"), "text/x-makefile");
  EXPECT_EQ(mime_type("CMakeLists.txt", "project(x)\n"), "text/x-cmake");
  EXPECT_EQ(mime_type("libx.so.1.2", kBytes), "application/x-sharedlib");
  EXPECT_EQ(mime_type("x.tar.gz", "\x1f\x8b\x08"), "application/x-compressed-tar");
}

TEST(MimeType, IsDecidedByContentWhereANameMeansMuch) {
  EXPECT_EQ(mime_type("x.ts", "export const x = 1;\n"), "text/typescript");
  EXPECT_EQ(mime_type("x.ts", ""), "text/typescript");
  EXPECT_EQ(mime_type("X.TS", "export const x = 1;\n"), "text/typescript");
  EXPECT_EQ(mime_type("x.ts", std::string(188, '\xFF') + '\0'), "video/mp2t");
}

TEST(MimeType, DoesNotBelieveANameThatLies) {
  EXPECT_EQ(mime_type("x.py", kPng), "image/png");
  EXPECT_EQ(mime_type("x.c", kBytes), "application/octet-stream");
  EXPECT_EQ(mime_type("x.png", "just words\n"), "text/plain");
  EXPECT_EQ(mime_type("x.pdf", "%PDF-1.4\n1 0 obj\n"), "application/pdf");
  EXPECT_EQ(mime_type("old.c", "/* caf\xE9 cr\xE8me, voil\xE0 tout ce qu'il y a */\n"),
            "text/x-csrc");
}

TEST(MimeType, IsThatOfTheContentWithoutAName) {
  EXPECT_EQ(mime_type("picture", kPng), "image/png");
  EXPECT_EQ(mime_type("noise", kBytes), "application/octet-stream");
  EXPECT_EQ(mime_type("words", "some words\n"), "text/plain");
  EXPECT_EQ(mime_type("words", "cut caf\xC3"), "text/plain");
  EXPECT_EQ(mime_type("words", "cut \xE2\x82"), "text/plain");
  EXPECT_EQ(mime_type("tool", "#!/bin/sh\necho\n"), "text/x-shellscript");
  EXPECT_EQ(mime_type("", ""), "text/plain");
}

TEST(MimeTypes, DoWithoutDatabaseAndLibrary) {
  const TestTree empty;
  for (const char* library : {"", "libno-such-library.so.9"}) {
    MimeTypes types((empty / "").string(), library);
    EXPECT_EQ(types.type("x.md", "# T\n"), "text/markdown");
    EXPECT_EQ(types.type("x.ts", "let x;\n"), "text/typescript");
    EXPECT_EQ(types.type("x.png", kPng), "image/png");
    EXPECT_EQ(types.type("x.png", "words"), "text/plain");
    EXPECT_EQ(types.type("x.cc", kBytes), "application/octet-stream");
    EXPECT_EQ(types.type("x.go", "package x\n"), "text/plain");
    EXPECT_EQ(types.type("x.go", kBytes), "application/octet-stream");
  }
}

TEST(MimeTypes, ReadADatabase) {
  const TestTree tree;
  tree.write("globs2",
             "# a comment\n"
             "50:text/x-short:*.b\n50:text/x-long:*.a.b\n60:text/x-heavy:*.z.b\n"
             "50:text/x-cs:*.Q:cs\n50:text/x-name:special\n50:image/x-pattern:v[0-9].*\n"
             "50:application/x-script:*.s\nbroken line\n::\n");
  tree.write("subclasses",
             "application/x-script application/x-mid\napplication/x-mid text/plain\n");
  MimeTypes types((tree / "").string(), "");
  EXPECT_EQ(types.type("x.b", "t"), "text/x-short");
  EXPECT_EQ(types.type("x.a.b", "t"), "text/x-long");
  EXPECT_EQ(types.type("y.a.z.b", "t"), "text/x-heavy");
  EXPECT_EQ(types.type("x.Q", "t"), "text/x-cs");
  EXPECT_EQ(types.type("x.q", "t"), "text/plain");
  EXPECT_EQ(types.type("SPECIAL", "t"), "text/x-name");
  EXPECT_EQ(types.type("v7.x", kBytes), "image/x-pattern");
  EXPECT_EQ(types.type("x.s", "t"), "application/x-script");
}

TEST(MimeType, MayBeAskedByAnyThread) {
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < 20; ++n) EXPECT_EQ(mime_type("picture", kPng), "image/png");
    });
  }
}

}  // namespace
}  // namespace lode
