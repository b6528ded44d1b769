// Files of build tools and package managers, and READMEs. Input: a path; after the
// line end, the file.
//
//  - Whatever the bytes are, there is an answer: facts, or what is wrong.
//  - What is told is text; names are not empty; in a command, a shell takes a word of
//    the file for a word.
//  - What is read line by line is a piece of the file; a line end at its end says
//    nothing.
//  - The dependencies of a Cargo.toml are those that a TOML parser finds.
//  - The first paragraph of a README is one line, and short.
#include "providers/project/manifest.h"

#include <toml++/toml.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "fuzz.h"
#include "providers/project/line.h"
#include "providers/project/readme.h"
#include "workspace/workspace.h"

namespace lode::fuzz {
namespace {

constexpr std::size_t kParagraph = 500;  // bytes

using Names = std::vector<std::string>;

ManifestFacts read(std::string_view path, std::string_view text) {
  const auto beside = [&](std::string_view name) {
    check(!name.empty() && name.find("..") == name.npos, "what is looked for is beside it");
    return text.size() % 2 == 0;
  };
  return read_manifest({path, text, beside});
}

bool is_line(std::string_view text) {
  return valid_utf8(text) && std::none_of(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
         });
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Whether a shell reads plain words in it, quoted or not, and "&&" between them.
bool is_plain_command(std::string_view text) {
  constexpr std::string_view kMarks = "+,-./:=@_ ";
  while (!text.empty()) {
    const char c = text.front();
    std::size_t size = 1;
    if (c == '\'') {
      const auto end = text.find('\'', 1);
      if (end == text.npos) return false;
      size = end + 1;
    } else if (text.starts_with("\\'") || text.starts_with("&&")) {
      size = 2;
    } else if (!is_letter(c) && kMarks.find(c) == kMarks.npos) {
      return false;
    }
    text.remove_prefix(size);
  }
  return true;
}

void check_dependency(const Dependency& dependency) {
  check(!dependency.name.empty(), "a dependency has a name");
  check(valid_utf8(dependency.name) && valid_utf8(dependency.version), "which is text");
  check(is_line(one_line(dependency.name)), "and fits a line");
}

void check_facts(const ManifestFacts& facts, std::string_view text) {
  check(!facts.system.empty(), "a manifest has its system");
  check(valid_utf8(facts.name) && valid_utf8(facts.problem), "facts are text");
  check(valid_utf8(text) || !facts.problem.empty(), "what is no text is said to be none");
  for (const auto& dependency : facts.dependencies) check_dependency(dependency);
  for (const auto& dependency : facts.development) check_dependency(dependency);
  for (const auto& entry : facts.entry_points) {
    check(!entry.empty() && valid_utf8(entry), "an entry point has a name");
  }
  for (const auto& command : facts.commands) {
    check(command.purpose == "build" || command.purpose == "test" || command.purpose == "run",
          "a command has a purpose");
    check(!command.text.empty() && is_plain_command(command.text), "and is of plain words");
  }
}

bool is_read_by_lines(std::string_view name) {
  return name == "go.mod" || name == "Gemfile" || name == "CMakeLists.txt" ||
         name.starts_with("requirements") || name.starts_with("build.gradle");
}

void check_pieces(const std::vector<Dependency>& dependencies, std::string_view text) {
  for (const auto& [name, version] : dependencies) {
    check(text.find(name) != text.npos && text.find(version) != text.npos,
          "what is told stands in the file");
  }
}

Names names_of(const std::vector<Dependency>& dependencies) {
  Names names;
  for (const auto& dependency : dependencies) names.push_back(dependency.name);
  return names;
}

Names commands_of(const ManifestFacts& facts) {
  Names texts;
  for (const auto& command : facts.commands) texts.push_back(command.text);
  return texts;
}

void check_line_end(const ManifestFacts& facts, std::string_view path, std::string_view text) {
  if (text.ends_with('\r')) return;  // a half of one
  // Two, so that as many files as before are beside it.
  const auto longer = read(path, std::string(text) + "\n\n");
  check(longer.problem.empty() == facts.problem.empty() && longer.name == facts.name &&
            longer.entry_points == facts.entry_points &&
            commands_of(longer) == commands_of(facts) &&
            names_of(longer.dependencies) == names_of(facts.dependencies) &&
            names_of(longer.development) == names_of(facts.development),
        "a line end at its end says nothing");
}

void add_keys(const toml::node_view<const toml::node>& node, Names& out) {
  const auto* table = node.as_table();
  if (table == nullptr) return;
  for (const auto& [key, value] : *table) {
    if (!key.empty()) out.emplace_back(key.str());
  }
}

// Nothing: it is no TOML.
std::optional<Names> cargo_dependencies(std::string_view text) {
  try {
    const toml::table root = toml::parse(text);
    const toml::node_view<const toml::node> view(root);
    Names names;
    add_keys(view["dependencies"], names);
    add_keys(view["workspace"]["dependencies"], names);
    return names;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void check_cargo(const ManifestFacts& facts, std::string_view text) {
  const auto names = cargo_dependencies(text);
  if (!names) return;
  if (!facts.problem.empty()) {
    // Three quotes in a string of one line are taken for the beginning of a long one.
    check(facts.problem.find("strings over several lines") != facts.problem.npos,
          "what is TOML is read");
    return;
  }
  check(names_of(facts.dependencies) == *names, "a TOML parser finds the same");
}

void check_readme(std::string_view text) {
  const auto paragraph = first_paragraph(text, kParagraph);
  check(is_line(paragraph), "a paragraph is one line");
  check(paragraph.size() <= kParagraph + 8, "and short");
}

}  // namespace

void run(std::string_view input) {
  const auto path = take_until(input, '\n');
  const auto name = last_name(path);
  if (is_readme(name)) check_readme(input);
  if (!is_manifest(name) || !valid_utf8(path)) return;
  const auto facts = read(path, input);
  check_facts(facts, input);
  check_line_end(facts, path, input);
  if (name == "Cargo.toml") check_cargo(facts, input);
  if (!is_read_by_lines(name)) return;
  check_pieces(facts.dependencies, input);
  check_pieces(facts.development, input);
}

}  // namespace lode::fuzz
