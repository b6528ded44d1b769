#include "providers/capability/folder.h"

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
  // A file beside or below a SKILL.md belongs to that skill.
  for (auto folder = file.substr(0, file.rfind('/')); folder.size() > slash;
       folder = folder.substr(0, folder.rfind('/'))) {
    if (has_skill(folder)) return std::nullopt;
  }
  return type;
}

std::optional<ElementType> type_of_skill(std::string_view file,
                                         const std::function<bool(std::string_view)>& has_skill) {
  if (!file.ends_with("/SKILL.md") || is_below_skill(file, has_skill)) return std::nullopt;
  return ElementType::skill;
}

}  // namespace lode
