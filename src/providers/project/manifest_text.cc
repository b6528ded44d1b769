// Manifests that are read line by line.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "providers/project/line.h"
#include "providers/project/manifest.h"
#include "providers/project/survey.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

std::string_view without_comment(std::string_view line, std::string_view mark) {
  return trimmed(line.substr(0, line.find(mark)));
}

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const auto* end = std::find_if_not(text.begin(), text.end(), is_word);
  const auto word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

// What stands between the next quotes of either kind.
std::string_view take_quoted(std::string_view& text) {
  const auto begin = text.find_first_of("\"'");
  if (begin == text.npos) return {};
  const auto end = text.find(text[begin], begin + 1);
  if (end == text.npos) return {};
  const auto inside = text.substr(begin + 1, end - begin - 1);
  text.remove_prefix(end + 1);
  return inside;
}

// "module v1.2.3 // indirect"
void add_go_module(std::string_view line, ManifestFacts& facts) {
  const bool indirect = line.find("// indirect") != line.npos;
  const auto text = without_comment(line, "//");
  const auto space = text.find_first_of(" \t");
  if (space == text.npos || indirect) return;
  facts.dependencies.push_back(
      {std::string(text.substr(0, space)), std::string(trimmed(text.substr(space)))});
}

}  // namespace

Dependency python_dependency(std::string_view text) {
  text = trimmed(text.substr(0, text.find(';')));
  const auto name = take_word(text);
  if (text.starts_with('[')) text.remove_prefix(std::min(text.find(']') + 1, text.size()));
  return {std::string(name), std::string(trimmed(text))};
}

Status read_go_mod(const ManifestText& manifest, ManifestFacts& facts) {
  auto text = manifest.text;
  bool in_block = false;
  while (!text.empty()) {
    const auto line = trimmed(take_line(text));
    if (line.starts_with("module ")) facts.name = without_comment(line.substr(7), "//");
    if (in_block && line.starts_with(')')) {
      in_block = false;
    } else if (in_block) {
      add_go_module(line, facts);
    } else if (line.starts_with("require (")) {
      in_block = true;
    } else if (line.starts_with("require ")) {
      add_go_module(line.substr(8), facts);
    }
  }
  facts.commands.push_back({"build", "go build ./..."});
  facts.commands.push_back({"test", "go test ./..."});
  return {};
}

Status read_requirements(const ManifestText& manifest, ManifestFacts& facts) {
  const bool plain = last_name(manifest.path) == "requirements.txt";
  auto& out = plain ? facts.dependencies : facts.development;
  auto text = manifest.text;
  while (!text.empty()) {
    const auto line = without_comment(take_line(text), "#");
    if (line.empty() || line.starts_with('-')) continue;
    auto dependency = python_dependency(line.substr(0, line.find(" --")));
    if (!dependency.name.empty()) out.push_back(std::move(dependency));
  }
  return {};
}

Status read_pytest_ini(const ManifestText& manifest, ManifestFacts& facts) {
  auto text = manifest.text;
  while (!text.empty()) {
    const auto line = trimmed(take_line(text));
    if (line == "[pytest]" || line == "[tool:pytest]") facts.commands.push_back({"test", "pytest"});
    if (line == "[tox]") facts.commands.push_back({"test", "tox"});
  }
  return {};
}

Status read_gemfile(const ManifestText& manifest, ManifestFacts& facts) {
  auto text = manifest.text;
  bool development = false;
  while (!text.empty()) {
    auto line = without_comment(take_line(text), "#");
    if (line.starts_with("group ")) {
      development = line.find(":development") != line.npos || line.find(":test") != line.npos;
    } else if (line == "end") {
      development = false;
    } else if (line.starts_with("gem ") || line.starts_with("gem(")) {
      const auto name = take_quoted(line);
      const bool versioned = trimmed(line).starts_with(", \"") || trimmed(line).starts_with(", '");
      const auto version = versioned ? take_quoted(line) : std::string_view();
      auto& out = development ? facts.development : facts.dependencies;
      if (!name.empty()) out.push_back({std::string(name), std::string(version)});
    }
  }
  if (manifest.beside(".rspec")) facts.commands.push_back({"test", "bundle exec rspec"});
  return {};
}

// Targets of make, and recipes of just: a word and a colon at a line's beginning.
Status read_makefile(const ManifestText& manifest, ManifestFacts& facts) {
  constexpr auto kTargets = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"build", "build"}, {"all", "build"}, {"test", "test"}, {"check", "test"}, {"run", "run"}});
  std::array<bool, kTargets.size()> found{};
  auto text = manifest.text;
  while (!text.empty()) {
    const auto line = take_line(text);
    if (line.empty() || !is_word(line.front())) continue;
    const auto colon = line.find(':');
    if (colon == line.npos || line.substr(colon, 2) == ":=") continue;
    auto names = line.substr(0, colon);
    for (auto name = take_word(names); !name.empty(); name = take_word(names)) {
      for (std::size_t i = 0; i < kTargets.size(); ++i) found[i] |= kTargets[i].first == name;
    }
  }
  for (std::size_t i = 0; i < kTargets.size(); ++i) {
    if (!found[i]) continue;
    const auto [target, purpose] = kTargets[i];
    facts.commands.push_back({purpose, fmt::format("{} {}", facts.system, target)});
  }
  return {};
}

namespace {

constexpr std::size_t kMostArguments = 1024;  // bytes of a command's that are looked at

// Calls visit(command in lower case, what stands in its parentheses) for each line
// that begins with a command.
template <class Visit>
void each_cmake_command(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    auto rest = text;
    const auto line = trimmed(take_line(text));
    auto after = line;
    std::string command(take_word(after));
    after = trimmed(after);
    if (command.empty() || !after.starts_with('(')) continue;
    std::transform(command.begin(), command.end(), command.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    // Arguments may begin on the next line.
    rest = rest.substr(rest.find('(') + 1, kMostArguments);
    visit(std::string_view(command), trimmed(rest.substr(0, rest.find(')'))));
  }
}

}  // namespace

Status read_cmake_lists(const ManifestText& manifest, ManifestFacts& facts) {
  bool tests = false;
  bool top = false;
  each_cmake_command(manifest.text, [&](std::string_view command, std::string_view arguments) {
    const auto name = take_word(arguments);
    if (command == "project") {
      facts.name = name;
      top = true;
    } else if (command == "enable_testing") {
      tests = true;
    } else if (command == "add_executable" && !name.empty() && !arguments.starts_with('$')) {
      facts.entry_points.emplace_back(name);
    } else if (command == "find_package" && !name.empty()) {
      const auto version = take_word(arguments);
      const bool number = !version.empty() && version.front() >= '0' && version.front() <= '9';
      facts.dependencies.push_back({std::string(name), number ? std::string(version) : ""});
    }
  });
  // What has no project() is a part of one above.
  if (!top || manifest.beside("CMakePresets.json")) return {};
  facts.commands.push_back({"build", "cmake -B build && cmake --build build"});
  if (tests) facts.commands.push_back({"test", "ctest --test-dir build"});
  return {};
}

}  // namespace lode
