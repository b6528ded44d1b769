#include "workspace/changes.h"

#include <algorithm>
#include <utility>

#include "workspace/workspace.h"

namespace lode {

bool is_within(std::string_view path, std::string_view directory) {
  return directory.empty() || path == directory ||
         (path.starts_with(directory) && path[directory.size()] == '/');
}

bool touches(const Changes& changes, std::string_view path) {
  const auto below = [&](const std::string& name) { return is_within(name, path); };
  const auto around = [&](const std::string& name) { return below(name) || is_within(path, name); };
  return changes.everything || changes.root_gone ||
         std::any_of(changes.trees.begin(), changes.trees.end(), around) ||
         std::any_of(changes.paths.begin(), changes.paths.end(), below) ||
         std::any_of(changes.listings.begin(), changes.listings.end(), below);
}

namespace {

// Names, or the directories that they are in, until they are few.
std::vector<std::string> few(std::vector<std::string_view> names) {
  while (names.size() > ChangedNames::kMost) {
    std::ranges::transform(names, names.begin(), parent_path);
    std::ranges::sort(names);
    const auto doubles = std::ranges::unique(names);
    names.erase(doubles.begin(), doubles.end());
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> sorted(std::unordered_set<std::string>& names) {
  std::vector<std::string> out;
  out.reserve(names.size());
  while (!names.empty()) out.push_back(std::move(names.extract(names.begin()).value()));
  std::sort(out.begin(), out.end());
  return out;
}

// True if the path is below one of the trees.
bool below_any(const std::string& path, const std::unordered_set<std::string>& trees) {
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    if (trees.contains(path.substr(0, slash))) return true;
  }
  return false;
}

}  // namespace

ChangedNames::ChangedNames(const Changes& changes) : changes_(changes) {
  for (const auto* names : {&changes.trees, &changes.paths, &changes.directories}) {
    for (const auto& name : *names) entries_[parent_path(name)].push_back(name);
  }
}

std::vector<std::string> ChangedNames::below(std::string_view directory) const {
  std::vector<std::string_view> names;
  for (const auto& tree : changes_.trees) {
    if (is_within(tree, directory) || is_within(directory, tree)) names.emplace_back(tree);
  }
  for (const auto* changed : {&changes_.paths, &changes_.directories}) {
    for (const auto& name : *changed) {
      if (is_within(name, directory)) names.emplace_back(name);
    }
  }
  for (const auto& listing : changes_.listings) {
    if (is_within(listing, directory) && !entries_.contains(listing)) names.emplace_back(listing);
  }
  return few(std::move(names));
}

std::vector<std::string> ChangedNames::in(std::string_view directory) const {
  if (changes_.everything) return {};
  const auto found = entries_.find(directory);
  if (found == entries_.end()) return {std::string(directory)};
  return few(found->second);
}

void ChangeSet::add(Names& names, std::string path) {
  if (everything_) return;
  names.insert(std::move(path));
  const auto count = trees_.size() + paths_.size() + listings_.size() + directories_.size();
  if (count > most_) add_everything();
}

void ChangeSet::add_everything() {
  everything_ = true;
  trees_.clear();
  paths_.clear();
  listings_.clear();
  directories_.clear();
}

void ChangeSet::add_root_gone() {
  root_gone_ = true;
  add_everything();
}

Changes ChangeSet::take() {
  Changes changes;
  changes.everything = std::exchange(everything_, false);
  changes.root_gone = std::exchange(root_gone_, false);
  // A tree stands for those inside it.
  auto trees = sorted(trees_);
  const Names all(trees.begin(), trees.end());
  std::erase_if(trees, [&](const std::string& tree) { return below_any(tree, all); });
  changes.trees = std::move(trees);
  changes.paths = sorted(paths_);
  changes.listings = sorted(listings_);
  changes.directories = sorted(directories_);
  return changes;
}

}  // namespace lode
