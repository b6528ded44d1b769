#include "providers/project/manifest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace lode {
namespace {

using Beside = std::set<std::string, std::less<>>;

ManifestFacts read(std::string_view path, std::string_view text, const Beside& beside = {}) {
  return read_manifest({path, text, [&](std::string_view name) { return beside.contains(name); }});
}

std::string list(const std::vector<Dependency>& dependencies) {
  std::string text;
  for (const auto& [name, version] : dependencies) {
    text += (text.empty() ? "" : ", ") + name + (version.empty() ? "" : " " + version);
  }
  return text;
}

std::string commands(const ManifestFacts& facts) {
  std::string text;
  for (const auto& command : facts.commands) {
    text += (text.empty() ? "" : "; ") + std::string(command.purpose) + ": " + command.text;
  }
  return text;
}

using Names = std::vector<std::string>;

TEST(Manifest, PackageJson) {
  const auto facts = read("web/package.json", R"({"name":"@a/web","main":"./dist/index.js",
    "bin":{"x":"bin/x.js","y":"./dist/index.js"},"exports":{".":{"import":"./dist/index.mjs"}},
    "scripts":{"build":"vite build","test":"vitest","start":"node ."},
    "dependencies":{"lit":"^3.0.0"},"devDependencies":{"vite":"7"}})",
                          {"pnpm-lock.yaml"});
  EXPECT_EQ(facts.problem, "");
  EXPECT_EQ(facts.name, "@a/web");
  EXPECT_EQ(facts.system, "pnpm");
  EXPECT_EQ(list(facts.dependencies), "lit ^3.0.0");
  EXPECT_EQ(list(facts.development), "vite 7");
  EXPECT_EQ(commands(facts), "build: pnpm run build; test: pnpm run test; run: pnpm start");
  EXPECT_EQ(facts.entry_points, (Names{"web/dist/index.js", "web/dist/index.mjs", "web/bin/x.js"}));
  const auto fresh =
      read("package.json", R"({"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}})");
  EXPECT_EQ(commands(fresh), "");
  EXPECT_EQ(fresh.system, "npm");
}

TEST(Manifest, WhatIsBrokenIsSaid) {
  for (const char* path : {"package.json", "composer.json", "CMakePresets.json", "deno.json",
                           "Cargo.toml", "pyproject.toml"}) {
    EXPECT_NE(read(path, "{\"a\": nonsense").problem, "") << path;
    EXPECT_NE(read(path, "\xFF\xFE").problem, "") << path;
  }
  EXPECT_EQ(read("package.json", "[]").problem, "it is no object");
  EXPECT_NE(read("package.json", R"({"a":1,"a":2})").problem, "");
  EXPECT_NE(read("pom.xml", "<html>").problem, "");
  EXPECT_NE(read("a.csproj", "").problem, "");
  const auto odd =
      read("package.json", R"({"name":1,"scripts":[],"dependencies":"x","bin":{"a":2}})");
  EXPECT_EQ(odd.problem, "");
  EXPECT_TRUE(odd.dependencies.empty() && odd.entry_points.empty() && odd.commands.empty());
}

TEST(Manifest, CargoToml) {
  const auto facts = read("Cargo.toml", R"([package]
name = "tool"
description = """
many "lines" # no comment
"""
[dependencies]
serde = { version = "1.0", features = ["derive"] }
rand = "0.8"
near = { path = "../near" }
shared.workspace = true
[dev-dependencies]
insta = "1"
[[bin]]
name = "other"
[[bin]]
name = "tool"
path = "src/main.rs"
)",
                          {"src/main.rs", "src/lib.rs"});
  EXPECT_EQ(facts.problem, "");
  EXPECT_EQ(facts.name, "tool");
  EXPECT_EQ(list(facts.dependencies), "near ../near, rand 0.8, serde 1.0, shared workspace");
  EXPECT_EQ(list(facts.development), "insta 1");
  EXPECT_EQ(facts.entry_points, (Names{"src/bin/other.rs", "src/main.rs", "src/lib.rs"}));
  EXPECT_EQ(commands(facts), "build: cargo build; test: cargo test");
}

TEST(Manifest, LongStringsOfToml) {
  const std::string rest = "[dependencies]\nb = \"1\"\n";
  for (const char* text : {R"("""x""")", R"("""x\\""")", R"("""x\"""")", R"("""x""\"""")",
                           "''''x'''''", "'''\\'''", R"("""""")"}) {
    const auto facts = read("Cargo.toml", fmt::format("a = {}\n{}", text, rest));
    EXPECT_EQ(facts.problem, "") << text;
    EXPECT_EQ(list(facts.dependencies), "b 1") << text;
  }
  EXPECT_NE(read("Cargo.toml", "a = \"\"\"x\n" + rest).problem, "");
}

TEST(Manifest, WhatHasNoNameIsLeftOut) {
  EXPECT_EQ(list(read("package.json", R"({"dependencies":{"":"1","a":"2"}})").dependencies), "a 2");
  EXPECT_EQ(list(read("pyproject.toml", "project.dependencies = [\"\", \"b\"]").dependencies), "b");
  EXPECT_EQ(read("pyproject.toml", "build-system.build-backend = \".x\"").system, "Python");
}

TEST(Manifest, WordsOfCommandsAreQuoted) {
  const std::string presets =
      "{\"configurePresets\":[{\"name\":\"x; touch y\"}],"
      "\"buildPresets\":[{\"name\":\"it's\"}],\"testPresets\":[{\"name\":\"$(z)\"}]}";
  EXPECT_EQ(commands(read("CMakePresets.json", presets)),
            "build: cmake --preset 'x; touch y' && cmake --build --preset 'it'\\''s'; "
            "test: ctest --preset '$(z)'");
  EXPECT_EQ(commands(read("My App/a.csproj", "<Project></Project>")),
            "build: dotnet build 'My App/a.csproj'");
}

TEST(Manifest, PyprojectToml) {
  const auto facts = read("pyproject.toml", R"([build-system]
build-backend = "hatchling.build"
[project]
name = "pkg"
dependencies = ["requests[socks]>=2.0; python_version > '3.8'", "click"]
[project.optional-dependencies]
dev = ["pytest>=7"]
[project.scripts]
pkg = "pkg.cli:main"
[tool.black]
extend-exclude = '''
/(
  \.git
)/
'''
[tool.pytest.ini_options]
addopts = "-q"
)");
  EXPECT_EQ(facts.problem, "");
  EXPECT_EQ(facts.system, "hatchling");
  EXPECT_EQ(list(facts.dependencies), "requests >=2.0, click");
  EXPECT_EQ(list(facts.development), "pytest >=7");
  EXPECT_EQ(facts.entry_points, Names{"pkg = pkg.cli:main"});
  EXPECT_EQ(commands(facts), "build: python -m build; test: pytest");
  const auto poetry = read("pyproject.toml", R"([tool.poetry]
name = "p"
[tool.poetry.dependencies]
python = "^3.11"
httpx = { version = "^0.27" }
[tool.poetry.group.dev.dependencies]
mypy = "*"
)");
  EXPECT_EQ(poetry.name, "p");
  EXPECT_EQ(list(poetry.dependencies), "httpx ^0.27, python ^3.11");
  EXPECT_EQ(list(poetry.development), "mypy *");
}

TEST(Manifest, DeepTomlIsRefused) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  EXPECT_NE(read("Cargo.toml", key + " = 1\n").problem, "");
  EXPECT_NE(read("Cargo.toml", "a = " + std::string(100'000, '[')).problem, "");
}

TEST(Manifest, LinesOfOthers) {
  const auto go =
      read("go.mod",
           "module example.com/x // here\n\ngo 1.22\n\nrequire github.com/a/b v1.0.0\n"
           "require (\n\tgithub.com/c/d v2.0.0\n\tgolang.org/x/y v0.1.0 // indirect\n)\n");
  EXPECT_EQ(go.name, "example.com/x");
  EXPECT_EQ(list(go.dependencies), "github.com/a/b v1.0.0, github.com/c/d v2.0.0");
  EXPECT_EQ(commands(go), "build: go build ./...; test: go test ./...");

  const auto pip =
      read("requirements.txt",
           "# all\n-r other.txt\nflask==3.0 # web\nnumpy>=1,<2 --hash=sha256:x\n\nattrs\n");
  EXPECT_EQ(list(pip.dependencies), "flask ==3.0, numpy >=1,<2, attrs");
  EXPECT_EQ(list(read("requirements-dev.txt", "mypy\n").development), "mypy");

  const auto gems =
      read("Gemfile",
           "source \"https://x\"\ngem \"rails\", \"~> 7.0\"\ngem 'puma'\n"
           "group :development, :test do\n  gem 'rspec', require: false\nend\ngem 'pg'\n");
  EXPECT_EQ(list(gems.dependencies), "rails ~> 7.0, puma, pg");
  EXPECT_EQ(list(gems.development), "rspec");

  EXPECT_EQ(commands(read("Makefile", "CC := gcc\nall: x\n\tcc\n.PHONY: test\ncheck test: all\n")),
            "build: make all; test: make test; test: make check");
  EXPECT_EQ(commands(read("setup.cfg", "[tool:pytest]\n")), "test: pytest");
  EXPECT_EQ(commands(read("setup.cfg", "[metadata]\n")), "");
}

TEST(Manifest, CMake) {
  const std::string text =
      "cmake_minimum_required(VERSION 3.25)\nPROJECT(thing VERSION 1)\n# add_executable(no x.c)\n"
      "find_package(Boost 1.81 REQUIRED)\nfind_package(fmt REQUIRED)\nenable_testing()\n"
      "add_executable(\n  thing main.cc)\nadd_executable(thing_${name} x.cc)\n";
  const auto facts = read("CMakeLists.txt", text);
  EXPECT_EQ(facts.name, "thing");
  EXPECT_EQ(list(facts.dependencies), "Boost 1.81, fmt");
  EXPECT_EQ(facts.entry_points, Names{"thing"});
  EXPECT_EQ(commands(facts),
            "build: cmake -B build && cmake --build build; test: ctest --test-dir build");
  EXPECT_EQ(commands(read("CMakeLists.txt", text, {"CMakePresets.json"})), "");
  EXPECT_EQ(commands(read("src/CMakeLists.txt", "add_library(x x.cc)\n")), "");
  EXPECT_EQ(commands(read("CMakePresets.json",
                          R"({"configurePresets":[{"name":"base","hidden":true},{"name":"dev"}],
                             "buildPresets":[{"name":"dev"}],"testPresets":[{"name":"dev"}]})")),
            "build: cmake --preset dev && cmake --build --preset dev; test: ctest --preset dev");
  std::string open;
  for (int i = 0; i < 200'000; ++i) open += "a(\n";
  EXPECT_TRUE(read("CMakeLists.txt", open).entry_points.empty());
}

TEST(Manifest, Xml) {
  const auto pom = read("pom.xml",
                        "<project><parent><artifactId>up</artifactId></parent>"
                        "<artifactId>app</artifactId><dependencies>"
                        "<dependency><groupId>g</groupId><artifactId>guava</artifactId>"
                        "<version>33</version></dependency>"
                        "<!-- <dependency><artifactId>no</artifactId></dependency> -->"
                        "<dependency><artifactId>junit</artifactId><scope>test</scope></dependency>"
                        "</dependencies></project>",
                        {"mvnw"});
  EXPECT_EQ(pom.name, "app");
  EXPECT_EQ(list(pom.dependencies), "guava 33");
  EXPECT_EQ(list(pom.development), "junit");
  EXPECT_EQ(commands(pom), "build: ./mvnw package; test: ./mvnw test");

  const auto net =
      read("src/App.csproj",
           "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><OutputType>Exe"
           "</OutputType></PropertyGroup><ItemGroup>"
           "<PackageReference Include=\"Serilog\" Version=\"4.0\" /></ItemGroup></Project>");
  EXPECT_EQ(list(net.dependencies), "Serilog 4.0");
  EXPECT_EQ(net.entry_points, Names{"src/App.csproj"});
  EXPECT_EQ(commands(net), "build: dotnet build src/App.csproj");

  const auto gradle =
      read("build.gradle.kts",
           "plugins { }\ndependencies {\n  implementation(\"com.x:y:1.2\")\n"
           "  testImplementation('org.junit:junit:5')\n  api project(':core')\n}\n");
  EXPECT_EQ(list(gradle.dependencies), "com.x:y 1.2");
  EXPECT_EQ(list(gradle.development), "org.junit:junit 5");
}

TEST(Manifest, KnowsThemByName) {
  for (const char* name : {"package.json", "x.csproj", "meson.build"})
    EXPECT_TRUE(is_manifest(name));
  for (const char* name : {"package-lock.json", "csproj", "Makefile.am", ""}) {
    EXPECT_FALSE(is_manifest(name)) << name;
  }
}

}  // namespace
}  // namespace lode
