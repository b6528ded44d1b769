#include "providers/project/survey.h"

#include <sys/stat.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "workspace/path_filter.h"
#include "workspace/sweep.h"

namespace lode {
namespace {

Survey::Kind kind_of(std::uint32_t mode) {
  if (S_ISDIR(mode)) return Survey::Kind::directory;
  return S_ISLNK(mode) ? Survey::Kind::link : Survey::Kind::file;
}

}  // namespace

Result<Survey> Survey::make(const Workspace::Place& place, const SecretRules& secrets,
                            const PathChoice& choice, const Exchange& exchange) {
  const auto tell = [&](std::size_t entries) {
    exchange.progress.report(static_cast<double>(entries), std::nullopt, "looking at files");
  };
  auto snapshot = sweep(place.tree->root, {place.tree->ignore, secrets}, exchange.stop, tell, {},
                        place.relative);
  if (!snapshot) return std::move(snapshot).error();
  Survey survey;
  survey.snapshot_ = std::make_unique<const Snapshot>(std::move(*snapshot));
  survey.select(place, choice, exchange);
  if (choice.has_pattern()) survey.drop_empty_directories();
  return survey;
}

// A directory's path comes before those below it.
void Survey::select(const Workspace::Place& place, const PathChoice& choice,
                    const Exchange& exchange) {
  const std::size_t base = place.relative.empty() ? 0 : place.relative.size() + 1;
  std::unordered_set<std::string_view> closed;
  std::string absolute = join_path(place.tree->root.path(), "");
  const std::size_t root = absolute.size();
  for (std::size_t i = 0; i < snapshot_->size(); ++i) {
    const auto relative = snapshot_->path(i);
    const Item item{relative.substr(base), kind_of(snapshot_->state(i).mode),
                    snapshot_->state(i).stamp};
    const bool directory = item.kind == Kind::directory;
    absolute.replace(root, std::string::npos, relative);
    const auto parent = parent_path(item.path);
    if ((!parent.empty() && closed.contains(parent)) || choice.leaves_out(item.path) ||
        exchange.hides(absolute, item.kind != Kind::link)) {
      if (directory) closed.insert(item.path);
    } else if (directory || choice.takes(item.path)) {
      items_.push_back(item);
    }
  }
}

void Survey::drop_empty_directories() {
  std::unordered_set<std::string_view> needed;
  for (const auto& item : items_) {
    if (item.kind == Kind::directory) continue;
    auto parent = parent_path(item.path);
    while (!parent.empty() && needed.insert(parent).second) parent = parent_path(parent);
  }
  std::erase_if(items_, [&](const Item& item) {
    return item.kind == Kind::directory && !needed.contains(item.path);
  });
}

std::size_t Survey::count(Kind kind) const {
  return static_cast<std::size_t>(std::count_if(
      items_.begin(), items_.end(), [kind](const Item& item) { return item.kind == kind; }));
}

const Survey::Item* Survey::find(std::string_view path) const {
  const auto at = std::lower_bound(
      items_.begin(), items_.end(), path,
      [](const Item& item, std::string_view wanted) { return item.path < wanted; });
  return at == items_.end() || at->path != path ? nullptr : &*at;
}

}  // namespace lode
