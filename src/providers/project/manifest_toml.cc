// Manifests in TOML.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <exception>

#include "base/toml_text.h"
#include "providers/project/line.h"
#include "providers/project/manifest.h"
#include "providers/project/survey.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

constexpr std::size_t kMaxDots = 4096;  // outside strings: each may nest one table deeper

// Whether the quote stands for itself, in a string that begins at `begin`.
bool is_escaped(std::string_view text, std::size_t begin, std::size_t at) {
  std::size_t backslashes = 0;
  while (at - backslashes > begin && text[at - backslashes - 1] == '\\') ++backslashes;
  return backslashes % 2 == 1;
}

// Strings over several lines are texts, which say nothing that is wanted here; the
// check before the parser takes none. Each becomes an empty string.
std::string without_long_strings(std::string_view text) {
  std::string out;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto three = text.substr(i, 3);
    if (quote == 0 && (three == "\"\"\"" || three == "'''")) {
      auto end = text.find(three, i + 3);
      while (c == '"' && end != text.npos && is_escaped(text, i + 3, end)) {
        end = text.find(three, end + 1);
      }
      if (end == text.npos) return out + c;  // the parser says that it has no end
      out += "\"\"";
      // Up to two quotes may stand before those that end it.
      i = std::min(text.find_first_not_of(c, end), text.size()) - 1;
      continue;
    }
    if (quote == 0 && c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote || c == '\n') {
      quote = 0;
    }
    out += c;
    if (quote == '"' && c == '\\' && i + 1 < text.size()) out += text[++i];
  }
  return out;
}

// The wall around the library.
template <class Read>
Status with_toml(const ManifestText& manifest, const Read& read) {
  const std::string text = without_long_strings(manifest.text);
  const std::string name(last_name(manifest.path));
  const TomlLimits limits{kMaxManifest, kMaxDots};
  if (auto fit = check_toml_text(text, {name, "manifest"}, limits); !fit) return fit;
  try {
    read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return invalid(std::string(error.description()));
  } catch (const std::exception& error) {
    return invalid(error.what());
  }
  return {};
}

std::string text_of(const toml::node_view<const toml::node>& node) {
  return node.value_or(std::string());
}

// name = "1.0", or name = { version = "1.0", … } and what else says where it is from.
void add_table(const toml::node_view<const toml::node>& node, std::vector<Dependency>& out) {
  const auto* table = node.as_table();
  if (table == nullptr) return;
  for (const auto& [key, value] : *table) {
    const toml::node_view<const toml::node> view(value);
    std::string version = text_of(view);
    for (const char* from : {"version", "path", "git"}) {
      if (version.empty()) version = text_of(view[from]);
    }
    if (version.empty() && view["workspace"].value_or(false)) version = "workspace";
    out.push_back({std::string(key.str()), std::move(version)});
  }
}

void add_python(const toml::node_view<const toml::node>& node, std::vector<Dependency>& out) {
  const auto* array = node.as_array();
  if (array == nullptr) return;
  for (const auto& item : *array) {
    const auto text = item.value<std::string>();
    if (text) out.push_back(python_dependency(*text));
  }
}

// Groups of such arrays.
void add_python_groups(const toml::node_view<const toml::node>& node,
                       std::vector<Dependency>& out) {
  const auto* table = node.as_table();
  if (table == nullptr) return;
  for (const auto& [key, value] : *table) {
    add_python(toml::node_view<const toml::node>(value), out);
  }
}

void add_cargo_programs(const ManifestText& manifest, const toml::table& root,
                        ManifestFacts& facts) {
  const auto directory = parent_path(manifest.path);
  const auto add = [&](std::string_view path) {
    facts.entry_points.push_back(join_path(directory, path));
  };
  if (const auto* programs = root["bin"].as_array()) {
    for (const auto& program : *programs) {
      const toml::node_view<const toml::node> view(program);
      const auto path = text_of(view["path"]);
      add(path.empty() ? "src/bin/" + text_of(view["name"]) + ".rs" : path);
    }
  }
  for (const char* path : {"src/main.rs", "src/lib.rs"}) {
    const auto whole = join_path(directory, path);
    const auto& known = facts.entry_points;
    if (std::find(known.begin(), known.end(), whole) != known.end()) continue;
    if (manifest.beside(path)) add(path);
  }
}

}  // namespace

Status read_cargo_toml(const ManifestText& manifest, ManifestFacts& facts) {
  return with_toml(manifest, [&](const toml::table& root) {
    facts.name = text_of(root["package"]["name"]);
    add_table(root["dependencies"], facts.dependencies);
    add_table(root["workspace"]["dependencies"], facts.dependencies);
    add_table(root["build-dependencies"], facts.development);
    add_table(root["dev-dependencies"], facts.development);
    add_cargo_programs(manifest, root, facts);
    facts.commands.push_back({"build", "cargo build"});
    facts.commands.push_back({"test", "cargo test"});
  });
}

Status read_pyproject_toml(const ManifestText& manifest, ManifestFacts& facts) {
  return with_toml(manifest, [&](const toml::table& root) {
    const auto project = root["project"];
    const auto poetry = root["tool"]["poetry"];
    facts.name = text_of(project["name"]);
    if (facts.name.empty()) facts.name = text_of(poetry["name"]);
    const auto backend = text_of(root["build-system"]["build-backend"]);
    const auto tool = backend.substr(0, backend.find('.'));
    if (!tool.empty()) facts.system = tool;
    add_python(project["dependencies"], facts.dependencies);
    add_table(poetry["dependencies"], facts.dependencies);
    add_python_groups(project["optional-dependencies"], facts.development);
    add_python_groups(root["dependency-groups"], facts.development);
    add_table(poetry["dev-dependencies"], facts.development);
    add_table(poetry["group"]["dev"]["dependencies"], facts.development);
    for (const auto& scripts : {project["scripts"], poetry["scripts"]}) {
      const auto* table = scripts.as_table();
      if (table == nullptr) continue;
      for (const auto& [key, value] : *table) {
        facts.entry_points.push_back(
            fmt::format("{} = {}", key.str(), value.value_or(std::string())));
      }
    }
    if (!backend.empty()) facts.commands.push_back({"build", "python -m build"});
    if (root["tool"]["pytest"]) facts.commands.push_back({"test", "pytest"});
  });
}

}  // namespace lode
