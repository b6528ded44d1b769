#include "providers/project/manifest.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "providers/project/survey.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

using Reader = Status (*)(const ManifestText&, ManifestFacts&);

// It is there, and that is all it says.
Status read_nothing(const ManifestText&, ManifestFacts&) { return {}; }

struct Known {
  std::string_view name;  // whole, or, with a '*' before it, the end of one
  std::string_view system;
  Reader read;
};

constexpr auto kKnown = std::to_array<Known>({
    {"package.json", "npm", read_package_json},
    {"deno.json", "Deno", read_deno_json},
    {"composer.json", "Composer", read_composer_json},
    {"Cargo.toml", "Cargo", read_cargo_toml},
    {"pyproject.toml", "Python", read_pyproject_toml},
    {"requirements.txt", "pip", read_requirements},
    {"requirements-dev.txt", "pip", read_requirements},
    {"requirements-test.txt", "pip", read_requirements},
    {"setup.py", "setuptools", read_nothing},
    {"pytest.ini", "pytest", read_pytest_ini},
    {"setup.cfg", "setuptools", read_pytest_ini},
    {"tox.ini", "tox", read_pytest_ini},
    {"go.mod", "Go", read_go_mod},
    {"pom.xml", "Maven", read_pom_xml},
    {"build.gradle", "Gradle", read_gradle},
    {"build.gradle.kts", "Gradle", read_gradle},
    {"*.csproj", ".NET", read_project_xml},
    {"*.fsproj", ".NET", read_project_xml},
    {"Gemfile", "Bundler", read_gemfile},
    {"CMakeLists.txt", "CMake", read_cmake_lists},
    {"CMakePresets.json", "CMake", read_cmake_presets},
    {"Makefile", "make", read_makefile},
    {"makefile", "make", read_makefile},
    {"GNUmakefile", "make", read_makefile},
    {"justfile", "just", read_makefile},
    {"meson.build", "Meson", read_nothing},
    {"configure.ac", "Autoconf", read_nothing},
    {"MODULE.bazel", "Bazel", read_nothing},
    {"WORKSPACE", "Bazel", read_nothing},
    {"build.sbt", "sbt", read_nothing},
    {"build.zig", "Zig", read_nothing},
    {"mix.exs", "Mix", read_nothing},
    {"Package.swift", "SwiftPM", read_nothing},
    {"pubspec.yaml", "Dart", read_nothing},
});

const Known* find_known(std::string_view name) {
  const auto* at = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& known) {
    return known.name.front() == '*' ? name.ends_with(known.name.substr(1)) : name == known.name;
  });
  return at == kKnown.end() ? nullptr : at;
}

}  // namespace

bool is_manifest(std::string_view name) { return find_known(name) != nullptr; }

ManifestFacts read_manifest(const ManifestText& manifest) {
  const auto* known = find_known(last_name(manifest.path));
  ManifestFacts facts;
  facts.path = manifest.path;
  facts.system = known->system;
  const Status read =
      valid_utf8(manifest.text) ? known->read(manifest, facts) : invalid("it is not UTF-8");
  if (!read) facts.problem = read.error().message;
  const auto nameless = [](const Dependency& dependency) { return dependency.name.empty(); };
  std::erase_if(facts.dependencies, nameless);
  std::erase_if(facts.development, nameless);
  return facts;
}

}  // namespace lode
