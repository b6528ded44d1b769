#include "providers/capability/folder.h"

#include <functional>
#include <utility>

namespace lode {

Result<std::shared_ptr<ElementFolder>> ElementFolder::open(const std::string& path, Log& log,
                                                           Watcher::Callback callback) {
  auto root = Root::open(path);
  if (!root) return std::move(root).error();
  std::shared_ptr<ElementFolder> folder(new ElementFolder(std::move(*root)));
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

}  // namespace lode
