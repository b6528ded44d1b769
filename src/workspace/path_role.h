// What a path alone tells about a file's part in its project, by names that people
// everywhere use. Pure functions; any thread.
#pragma once

#include <string_view>

namespace lode {

// It tests: below a directory such as tests or __tests__, or named like parser_test.go,
// test_parser.py, parser.spec.ts, ParserTest.java.
bool is_test_path(std::string_view path);

// It came from elsewhere: below a directory such as node_modules, vendor or third_party.
bool is_vendored_path(std::string_view path);

// What tests take for their input: below a directory such as testdata or fixtures.
bool is_fixture_path(std::string_view path);

// Made of another source to be loaded quickly, as its name says: app.min.js.
bool is_minified_name(std::string_view path);

}  // namespace lode
