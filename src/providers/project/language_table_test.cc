#include "providers/project/language_table.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(LanguageTable, NamesTell) {
  EXPECT_EQ(language_by_name("lib/app.ex"), "Elixir");
  EXPECT_EQ(language_by_name("a/Dockerfile"), "Dockerfile");
  EXPECT_EQ(language_by_name("go.mod"), "Go Module");
  EXPECT_EQ(language_by_name("main.ZIG"), "Zig");
  EXPECT_EQ(language_by_name("view.html.heex"), "HTML+EEX");
  EXPECT_EQ(language_by_name("notes.unknown"), "");
  EXPECT_EQ(language_by_name("plain"), "");
}

// Where several have an ending, the one that is more widely used.
TEST(LanguageTable, EndingsOfSeveralLanguages) {
  EXPECT_EQ(language_by_name("a.m"), "Objective-C");
  EXPECT_EQ(language_by_name("a.pl"), "Perl");
  EXPECT_EQ(language_by_name("a.v"), "Verilog");
  EXPECT_EQ(language_by_name("a.fs"), "F#");
  EXPECT_EQ(language_by_name("a.txt"), "Text");
  EXPECT_EQ(language_by_name("setup.cfg"), "INI");
}

TEST(LanguageTable, ScriptsNameTheirInterpreter) {
  EXPECT_EQ(language_by_interpreter("#!/usr/bin/env elixir\nIO.puts 1\n"), "Elixir");
  EXPECT_EQ(language_by_interpreter("#!/usr/bin/env -S julia --color=yes\n"), "Julia");
  EXPECT_EQ(language_by_interpreter("#!/usr/bin/perl5.36"), "Perl");
  EXPECT_EQ(language_by_interpreter("#!/bin/none\n"), "");
  EXPECT_EQ(language_by_interpreter("#! \n"), "");
  EXPECT_EQ(language_by_interpreter("elixir"), "");
}

}  // namespace
}  // namespace lode
