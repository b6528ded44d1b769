#include "providers/capability/folder.h"

#include <fmt/format.h>

#include <utility>

namespace lode {
namespace {

// What the rules of a directory say of one below it.
Result<SecretRules> rules_for(const Root& root, const std::string& within,
                              const SecretRules& secrets) {
  if (within.empty()) return secrets;
  const auto outer = Root::open(within);
  if (!outer) return outer.error();
  const auto begin = outer->path() == "/" ? outer->path() : outer->path() + "/";
  if (!root.path().starts_with(begin)) {
    return Error{Code::denied, fmt::format("{} is outside of {}", root.path(), within), {}};
  }
  return secrets.below(std::string_view(root.path()).substr(begin.size()));
}

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

Result<std::shared_ptr<ElementFolder>> ElementFolder::open(const ElementSource& source,
                                                           const SecretRules& secrets, Log& log,
                                                           Watcher::Callback callback) {
  auto root = Root::open(source.path);
  if (!root) return std::move(root).error();
  auto rules = rules_for(*root, source.within, secrets);
  if (!rules) return std::move(rules).error();
  std::shared_ptr<ElementFolder> folder(new ElementFolder(std::move(*root), std::move(*rules)));
  if (!callback) return folder;
  folder->watcher_ =
      std::make_unique<Watcher>(folder->root_, folder->filter(), log, std::move(callback));
  if (auto started = folder->watcher_->start(); !started) {
    log.warning("elements are not watched", {{"problem", started.error().message}});
  }
  return folder;
}

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
