#include "workspace/path_role.h"

#include <algorithm>
#include <array>
#include <span>

namespace lode {
namespace {

constexpr auto kTests = std::to_array<std::string_view>(
    {"test", "tests", "testing", "__tests__", "spec", "specs", "e2e", "androidTest"});
constexpr auto kVendored = std::to_array<std::string_view>(
    {"node_modules", "bower_components", "jspm_packages", "vendor", "vendored", "third_party",
     "third-party", "thirdparty", "3rdparty", "_vendor", "site-packages", "dist-packages", "Pods",
     "Carthage", "Godeps", "deps"});
constexpr auto kFixtures = std::to_array<std::string_view>(
    {"testdata", "test-data", "test_data", "fixtures", "__fixtures__", "fixture", "samples",
     "corpus", "golden", "goldens", "snapshots", "__snapshots__", "__mocks__"});

// Takes off the part of the path before the first slash; the last part stays.
bool take_directory(std::string_view& path, std::string_view& directory) {
  const auto slash = path.find('/');
  if (slash == path.npos) return false;
  directory = path.substr(0, slash);
  path.remove_prefix(slash + 1);
  return true;
}

bool is_below(std::string_view path, std::span<const std::string_view> names) {
  for (std::string_view directory; take_directory(path, directory);) {
    if (std::ranges::find(names, directory) != names.end()) return true;
  }
  return false;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool is_test_path(std::string_view path) {
  if (is_below(path, kTests)) return true;
  const auto name = file_name(path);
  const auto stem = name.substr(0, name.find('.'));
  if (stem.starts_with("test_") || stem == "conftest") return true;
  for (const std::string_view ending : {"_test", "_tests", "_spec", "Test", "Tests", "Spec"}) {
    if (stem.ends_with(ending)) return true;
  }
  return name.find(".test.") != name.npos || name.find(".spec.") != name.npos;
}

bool is_vendored_path(std::string_view path) { return is_below(path, kVendored); }

bool is_fixture_path(std::string_view path) { return is_below(path, kFixtures); }

bool is_minified_name(std::string_view path) {
  const auto name = file_name(path);
  return name.find(".min.") != name.npos || name.find("-min.") != name.npos;
}

}  // namespace lode
