// Manifests in JSON.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "providers/project/line.h"
#include "providers/project/manifest.h"
#include "providers/project/survey.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

void add_versions(JsonView table, std::vector<Dependency>& out) {
  table.each_member([&](std::string_view name, JsonView version) {
    out.push_back({std::string(name), std::string(version.string().value_or(""))});
  });
}

// A file that a manifest names, from the project's directory on.
void add_file(const ManifestText& manifest, JsonView file, ManifestFacts& facts) {
  auto path = file.string().value_or("");
  while (path.starts_with("./")) path.remove_prefix(2);
  if (path.empty()) return;
  auto whole = join_path(parent_path(manifest.path), path);
  auto& known = facts.entry_points;
  if (std::find(known.begin(), known.end(), whole) == known.end()) {
    known.push_back(std::move(whole));
  }
}

// "exports": a path, or a map of conditions, below "." or not.
JsonView main_export(JsonView exports) {
  for (int deep = 0; deep < 4 && exports.is_object(); ++deep) {
    JsonView next;
    for (const char* key : {".", "import", "default", "require"}) {
      if (!next) next = exports[key];
    }
    exports = next;
  }
  return exports;
}

std::string package_manager(const ManifestText& manifest, JsonView root) {
  const auto named = root["packageManager"].string().value_or("");
  for (const char* manager : {"pnpm", "yarn", "bun"}) {
    if (named.starts_with(manager)) return manager;
  }
  if (manifest.beside("pnpm-lock.yaml")) return "pnpm";
  if (manifest.beside("yarn.lock")) return "yarn";
  if (manifest.beside("bun.lockb") || manifest.beside("bun.lock")) return "bun";
  return "npm";
}

void add_scripts(JsonView scripts, const std::string& manager, ManifestFacts& facts) {
  for (const char* purpose : {"build", "test"}) {
    const auto script = scripts[purpose].string();
    // What `npm init` puts there says that there is none.
    if (!script || script->find("no test specified") != script->npos) continue;
    facts.commands.push_back({purpose, fmt::format("{} run {}", manager, purpose)});
  }
  if (scripts["start"].string()) facts.commands.push_back({"run", manager + " start"});
}

}  // namespace

Status read_package_json(const ManifestText& manifest, ManifestFacts& facts) {
  auto document = JsonDocument::parse(manifest.text);
  if (!document) return std::move(document).error();
  const auto root = document->root();
  if (!root.is_object()) return invalid("it is no object");
  facts.name = root["name"].string().value_or("");
  facts.system = package_manager(manifest, root);
  add_scripts(root["scripts"], facts.system, facts);
  add_versions(root["dependencies"], facts.dependencies);
  add_versions(root["optionalDependencies"], facts.dependencies);
  add_versions(root["devDependencies"], facts.development);
  add_file(manifest, root["main"], facts);
  add_file(manifest, root["module"], facts);
  add_file(manifest, main_export(root["exports"]), facts);
  add_file(manifest, root["bin"], facts);
  root["bin"].each_member(
      [&](std::string_view, JsonView file) { add_file(manifest, file, facts); });
  return {};
}

Status read_composer_json(const ManifestText& manifest, ManifestFacts& facts) {
  auto document = JsonDocument::parse(manifest.text);
  if (!document) return std::move(document).error();
  const auto root = document->root();
  facts.name = root["name"].string().value_or("");
  add_versions(root["require"], facts.dependencies);
  add_versions(root["require-dev"], facts.development);
  if (root["scripts"]["test"]) facts.commands.push_back({"test", "composer test"});
  root["bin"].each([&](JsonView file) { add_file(manifest, file, facts); });
  return {};
}

Status read_deno_json(const ManifestText& manifest, ManifestFacts& facts) {
  auto document = JsonDocument::parse(manifest.text);
  if (!document) return std::move(document).error();
  const auto root = document->root();
  facts.name = root["name"].string().value_or("");
  add_versions(root["imports"], facts.dependencies);
  add_file(manifest, main_export(root["exports"]), facts);
  for (const char* purpose : {"build", "test"}) {
    if (!root["tasks"][purpose]) continue;
    facts.commands.push_back({purpose, fmt::format("deno task {}", purpose)});
  }
  return {};
}

Status read_cmake_presets(const ManifestText& manifest, ManifestFacts& facts) {
  auto document = JsonDocument::parse(manifest.text);
  if (!document) return std::move(document).error();
  const auto first = [&](const char* kind) {
    std::string name;
    document->root()[kind].each([&](JsonView preset) {
      if (name.empty() && !preset["hidden"].boolean().value_or(false)) {
        name = preset["name"].string().value_or("");
      }
    });
    return name;
  };
  const auto configure = first("configurePresets");
  const auto build = first("buildPresets");
  const auto test = first("testPresets");
  if (!configure.empty()) {
    std::string text = "cmake --preset " + shell_word(configure);
    if (!build.empty()) text += " && cmake --build --preset " + shell_word(build);
    facts.commands.push_back({"build", std::move(text)});
  }
  if (!test.empty()) facts.commands.push_back({"test", "ctest --preset " + shell_word(test)});
  return {};
}

}  // namespace lode
