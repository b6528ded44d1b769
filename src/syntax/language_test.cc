#include "syntax/language.h"

#include <gtest/gtest.h>

#include <set>
namespace lode {
namespace {

std::string_view id_of(std::string_view path, std::string_view text = "") {
  const auto* language = language_of(path, text);
  return language == nullptr ? "none" : language->id;
}

TEST(LanguageTest, EachRowIsWhole) {
  std::set<std::string_view> ids;
  for (const auto& language : languages()) {
    EXPECT_TRUE(ids.insert(language.id).second) << language.id;
    EXPECT_EQ(find_language(language.id), &language);
    EXPECT_FALSE(language.name.empty());
    EXPECT_FALSE(language.extensions.empty());
  }
  EXPECT_EQ(ids.size(), 24U);
  EXPECT_EQ(find_language("cobol"), nullptr);
}

TEST(LanguageTest, IsKnownByTheName) {
  EXPECT_EQ(id_of("src/a.cc"), "cpp");
  EXPECT_EQ(id_of("a.PY"), "python");
  EXPECT_EQ(id_of("a.C"), "cpp");
  EXPECT_EQ(id_of("a.c"), "c");
  EXPECT_EQ(id_of("a.ts"), "typescript");
  EXPECT_EQ(id_of("a.tsx"), "tsx");
  EXPECT_EQ(id_of("a.d.mts"), "typescript");
  EXPECT_EQ(id_of("lib/Rakefile"), "ruby");
  EXPECT_EQ(id_of(".clang-format"), "yaml");
  EXPECT_EQ(id_of("a.xyz"), "none");
  EXPECT_EQ(id_of("dir.py/file"), "none");
  EXPECT_EQ(id_of(".py"), "none");
  EXPECT_EQ(id_of(""), "none");
}

TEST(LanguageTest, IsKnownByTheInterpreter) {
  EXPECT_EQ(id_of("run", "#!/bin/sh\n"), "bash");
  EXPECT_EQ(id_of("run", "#!/usr/bin/env python3\n"), "python");
  EXPECT_EQ(id_of("run", "#! /usr/bin/env -S FOO=1 python3.11 -u\n"), "python");
  EXPECT_EQ(id_of("run", "#!/usr/bin/env node"), "javascript");
  EXPECT_EQ(id_of("run", "#!"), "none");
  EXPECT_EQ(id_of("run", "#!/usr/bin/env"), "none");
  EXPECT_EQ(id_of("run", "import os"), "none");
  EXPECT_EQ(id_of("run.txt", "#!/bin/sh"), "none");
}

TEST(LanguageTest, AHeaderIsOfCppIfItHasItsWords) {
  EXPECT_EQ(id_of("a.h", "int f(void);\n"), "c");
  EXPECT_EQ(id_of("a.h", ""), "c");
  EXPECT_EQ(id_of("a.h", "namespace a {\n}\n"), "cpp");
  EXPECT_EQ(id_of("a.h", "#include <vector>\n"), "cpp");
  EXPECT_EQ(id_of("a.h", "#include <sys/types.h>\n#include <stdio.h>\n"), "c");
  EXPECT_EQ(id_of("a.h", "struct a {\n  int b;\n};\n"), "c");
  EXPECT_EQ(id_of("a.h", "  template<class T> T f();\n"), "cpp");
}

TEST(LanguageTest, WhatACHeaderKeepsFromCAndWhatItsCommentsSayDoNotCount) {
  EXPECT_EQ(id_of("a.h", "#ifdef __cplusplus\nextern \"C\" {\nnamespace a {}\n#endif\nint f();\n"),
            "c");
  EXPECT_EQ(id_of("a.h",
                  "#ifdef A\n#ifdef __cplusplus\n#if B\nclass a;\n#endif\nclass b;\n#endif\n"
                  "#endif\n"),
            "c");
  EXPECT_EQ(id_of("a.h", "/*\nclass of things\n*/ int f();\n/* using this */\n"), "c");
  EXPECT_EQ(id_of("a.h", "/* a */ int x; /* b\n*/\nclass a;\n"), "cpp");
}

}  // namespace
}  // namespace lode
