#include "providers/capability/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "workspace/root.h"

namespace lode {
namespace {

// In a folder above the file's own.
bool is_below_skill(std::string_view file, const std::function<bool(std::string_view)>& has_skill) {
  auto folder = file.substr(0, file.rfind('/'));
  while (folder.find('/') != std::string_view::npos) {
    folder = folder.substr(0, folder.rfind('/'));
    if (has_skill(folder)) return true;
  }
  return false;
}

// A file beside or below a SKILL.md belongs to that skill. slash: of the type's folder.
bool is_of_skill(std::string_view file, std::size_t slash,
                 const std::function<bool(std::string_view)>& has_skill) {
  for (auto folder = file.substr(0, file.rfind('/')); folder.size() > slash;
       folder = folder.substr(0, folder.rfind('/'))) {
    if (has_skill(folder)) return true;
  }
  return false;
}

std::string lower_ending(std::string_view name) {
  const auto dot = name.rfind('.');
  std::string out(dot == name.npos ? "" : name.substr(dot + 1));
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  return out;
}

// What people and other programs put beside elements.
bool is_remark(std::string_view name, std::string_view stem) {
  constexpr std::array<std::string_view, 5> kRemarks{"README", "LICENSE", "CHANGELOG",
                                                     "CONTRIBUTING", "package"};
  return name.starts_with('_') || std::ranges::find(kRemarks, stem) != kRemarks.end();
}

std::string type_folders() {
  std::array<std::string, kElementTypeCount> names;
  std::ranges::transform(kElementTypes, names.begin(),
                         [](ElementType type) { return fmt::format("{}/", to_string(type)); });
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::optional<ElementType> type_of_file(std::string_view file,
                                        const std::function<bool(std::string_view)>& has_skill) {
  const auto slash = file.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto type = find_element_type(file.substr(0, slash));
  if (!type) return std::nullopt;
  const auto name = file.substr(file.rfind('/') + 1);
  const bool text = name.ends_with(".md") || name.ends_with(".yaml") || name.ends_with(".yml");
  if (!text || name.starts_with('.')) return std::nullopt;
  if (*type != ElementType::skill || name == "SKILL.md") return type;
  return is_of_skill(file, slash, has_skill) ? std::nullopt : type;
}

std::optional<std::string> misplaced(std::string_view file,
                                     const std::function<bool(std::string_view)>& has_skill) {
  const auto name = file.substr(file.rfind('/') + 1);
  const auto ending = lower_ending(name);
  const bool readable = ending == "md" || ending == "yaml" || ending == "yml";
  const auto stem = name.substr(0, name.size() - std::min(name.size(), ending.size() + 1));
  const bool looks = (readable || ending == "json") && !is_remark(name, stem);
  if (!looks || file.starts_with('.') || file.find("/.") != file.npos) return std::nullopt;
  if (type_of_file(file, has_skill)) return std::nullopt;
  const auto slash = file.find('/');
  const auto type = slash == file.npos ? std::nullopt : find_element_type(file.substr(0, slash));
  if (slash == file.npos) {
    return fmt::format("it is in no folder of a type: move it to {}", type_folders());
  }
  if (!type) {
    return fmt::format("\"{}\" is no type of elements: move it to {}",
                       visible(file.substr(0, slash)), type_folders());
  }
  if (is_of_skill(file, slash, has_skill)) return std::nullopt;
  const auto other = ending == "json" ? "yaml" : ending;  // JSON is YAML
  return fmt::format("elements are .md, .yaml or .yml: rename it to {}.{}", visible(stem), other);
}

std::optional<ElementType> type_of_skill(std::string_view file,
                                         const std::function<bool(std::string_view)>& has_skill) {
  if (!file.ends_with("/SKILL.md") || is_below_skill(file, has_skill)) return std::nullopt;
  return ElementType::skill;
}

std::string type_directory(const std::string& folder, ElementType type) {
  const std::string one(to_string(type));
  const std::string many(plural_of(type));
  const auto root = Root::open(folder);
  return root && root->stamp(one) == 0 && root->stamp(many) != 0 ? many : one;
}

}  // namespace lode
