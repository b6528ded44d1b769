// What the files say that people write for build tools and package managers:
// dependencies, how to build and test, where programs begin.
//
// Everything is taken from the text, or from what stands beside it; nothing is
// guessed. The text may be anybody's: readers are linear in its length, and what
// cannot be read is said, not raised. Values; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode {

inline constexpr std::size_t kMaxManifest = 1024 * 1024;  // bytes of one that is read

struct Dependency {
  std::string name;
  std::string version;  // as it is written; empty: any, or said elsewhere
};

struct ProjectCommand {
  std::string_view purpose;  // "build", "test", "run"
  std::string text;
};

struct ManifestFacts {
  std::string path;    // of the file, relative to the project's directory
  std::string system;  // "npm", "CMake"
  std::string name;    // of what is built; empty: it has none
  std::vector<Dependency> dependencies;
  std::vector<Dependency> development;
  std::vector<ProjectCommand> commands;
  std::vector<std::string> entry_points;  // files, or names of programs
  std::string problem;                    // why it cannot be read; empty: it was
};

// A manifest and what is around it.
struct ManifestText {
  std::string_view path;  // relative to the project's directory
  std::string_view text;
  // Whether there is such a file, relative to the manifest's directory.
  std::function<bool(std::string_view)> beside;
};

// Whether a file of that name is one.
bool is_manifest(std::string_view name);

// REQUIRES: is_manifest(its name), and the text is no longer than kMaxManifest.
ManifestFacts read_manifest(const ManifestText& manifest);

// The readers. Each adds to the facts, whose path and system are there.
Status read_package_json(const ManifestText& manifest, ManifestFacts& facts);
Status read_composer_json(const ManifestText& manifest, ManifestFacts& facts);
Status read_deno_json(const ManifestText& manifest, ManifestFacts& facts);
Status read_cmake_presets(const ManifestText& manifest, ManifestFacts& facts);
Status read_cargo_toml(const ManifestText& manifest, ManifestFacts& facts);
Status read_pyproject_toml(const ManifestText& manifest, ManifestFacts& facts);
Status read_go_mod(const ManifestText& manifest, ManifestFacts& facts);
Status read_requirements(const ManifestText& manifest, ManifestFacts& facts);
Status read_gemfile(const ManifestText& manifest, ManifestFacts& facts);
Status read_makefile(const ManifestText& manifest, ManifestFacts& facts);
Status read_cmake_lists(const ManifestText& manifest, ManifestFacts& facts);
Status read_pytest_ini(const ManifestText& manifest, ManifestFacts& facts);
Status read_pom_xml(const ManifestText& manifest, ManifestFacts& facts);
Status read_gradle(const ManifestText& manifest, ManifestFacts& facts);
Status read_project_xml(const ManifestText& manifest, ManifestFacts& facts);

// "name>=1.2; marker" (PEP 508): the name, and what stands behind it up to a ';'.
Dependency python_dependency(std::string_view text);

}  // namespace lode
