#include "workspace/path_role.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(PathRole, Tests) {
  for (const auto* path :
       {"tests/a.py", "src/__tests__/a.ts", "pkg/parse_test.go", "test_parse.py", "a/conftest.py",
        "a.test.mjs", "app.spec.ts", "src/main/ParserTest.java", "spec/a_spec.rb"}) {
    EXPECT_TRUE(is_test_path(path)) << path;
  }
  for (const auto* path : {"src/a.py", "src/latest.go", "contest.py", "tests", "unittest/case.py",
                           "attestation/a.cc", "src/Testing.java"}) {
    EXPECT_FALSE(is_test_path(path)) << path;
  }
}

TEST(PathRole, WhatCameFromElsewhere) {
  EXPECT_TRUE(is_vendored_path("a/node_modules/b/index.js"));
  EXPECT_TRUE(is_vendored_path("vendor/x/go.mod"));
  EXPECT_FALSE(is_vendored_path("src/vendor.py"));
}

TEST(PathRole, Fixtures) {
  EXPECT_TRUE(is_fixture_path("cmd/testdata/go.mod"));
  EXPECT_TRUE(is_fixture_path("tests/fixtures/package.json"));
  EXPECT_FALSE(is_fixture_path("src/fixture.py"));
}

TEST(PathRole, MinifiedNames) {
  EXPECT_TRUE(is_minified_name("js/jquery.min.js"));
  EXPECT_TRUE(is_minified_name("lib-min.js"));
  EXPECT_FALSE(is_minified_name("min/app.js"));
}

}  // namespace
}  // namespace lode
