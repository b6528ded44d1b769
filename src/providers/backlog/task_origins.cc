#include "providers/backlog/task_origins.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "providers/backlog/ids.h"
#include "providers/backlog/layout.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

constexpr std::size_t kMostChanges = 200;  // of a file's history

TaskTwin twin_of(const std::string& file, std::string_view text) {
  const auto head = first_bytes(text, kTaskTextBytes);
  const auto task = read_task({file, head, text.size(), {}});
  return {file, task.title, task.created};
}

// Created at the same time; with the same title, if several were.
std::vector<std::size_t> find_twins(const TaskTwin& wanted, const TaskTwins& twins) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < twins.size(); ++i) {
    if (twins[i].created == wanted.created) found.push_back(i);
  }
  if (found.size() > 1) {
    std::erase_if(found, [&](std::size_t i) { return twins[i].title != wanted.title; });
  }
  return found;
}

// Under which names it may have been: its own, and the one that a new task of the id gets.
std::vector<std::string> names_of(const std::string& file, const std::string& id) {
  auto plain = join_path(parent_path(file), id + ".md");
  if (plain == file) return {file};
  return {file, std::move(plain)};
}

}  // namespace

TaskOrigins::TaskOrigins(const std::string& directory)
    : deadline_(std::chrono::steady_clock::now() + kPatience) {
  const auto top = git_work_tree(directory);
  auto root = top ? Root::open(*top) : not_found("");
  auto head = root ? git_.head(*root, "") : not_found("");
  if (!head || head->id.empty()) return;
  prefix_ = directory.size() > top->size() ? directory.substr(top->size() + 1) : "";
  heads_ = {head->id};
  for (auto& id : Git::incoming(*root, "")) heads_.push_back(std::move(id));
  root_.emplace(std::move(*root));
}

std::optional<std::string> TaskOrigins::read(const std::string& file, const std::string& commit) {
  auto found = git_.file(*root_, "", join_path(prefix_, file), commit, deadline_, {});
  if (!found || found->directory) return std::nullopt;
  return std::move(found->bytes);
}

TaskOrigins::Versions TaskOrigins::tips_of(const std::string& file) {
  Versions out;
  for (const auto& head : heads_) {
    if (auto text = read(file, head)) out.push_back({head, std::move(*text)});
  }
  return out;
}

void TaskOrigins::add_history(const std::string& file, const std::string& from, Versions& out) {
  const auto history = git_.file_history(*root_, "", {join_path(prefix_, file)},
                                         {from, 0, kMostChanges}, deadline_, {});
  if (!history) return;
  std::vector<std::string> ids;
  for (const auto& change : history->changes) ids.push_back(change.after);
  auto texts = git_.blobs(*root_, "", ids, deadline_, {});
  if (!texts || texts->size() != ids.size()) return;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!(*texts)[i]) continue;
    const auto& change = history->changes[i];
    out.push_back({change.id, std::move(*(*texts)[i]), change.before.empty()});
  }
}

const TaskOrigins::Versions& TaskOrigins::versions_of(const std::string& file) {
  const auto known = versions_.find(file);
  if (known != versions_.end()) return known->second;
  auto& out = versions_[file];
  for (const auto& head : heads_) add_history(file, head, out);
  return out;
}

const std::vector<std::size_t>& TaskOrigins::twins_at(const std::string& commit,
                                                      const std::string& id,
                                                      const TaskTwins& twins) {
  const auto [known, fresh] = at_.try_emplace({commit, task_key(id)});
  auto& there = known->second;
  if (!fresh) return there;
  std::vector<std::string> names;
  for (const auto& twin : twins) {
    for (auto& name : names_of(twin.file, id)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  for (const auto& name : names) {
    const auto text = read(name, commit);
    if (!text) continue;
    for (const auto twin : find_twins(twin_of(name, *text), twins)) {
      if (std::ranges::find(there, twin) == there.end()) there.push_back(twin);
    }
  }
  return there;
}

// Which twins the versions with the mention speak for.
std::vector<std::size_t> TaskOrigins::vote(const TaskTwin& in, const TaskMention& mention,
                                           const std::string& id, const TaskTwins& twins,
                                           const Versions& versions) {
  std::vector<std::size_t> out;
  for (const auto& version : versions) {
    if (!has_mention(find_mentions(version.text, id), mention)) continue;
    // Under this name there may have been another task.
    const auto then = twin_of(in.file, version.text);
    if (then.created != in.created || (in.by_title && then.title != in.title)) continue;
    const auto& there = twins_at(version.commit, id, twins);
    if (there.size() != 1) continue;
    if (std::ranges::find(out, there.front()) == out.end()) out.push_back(there.front());
  }
  return out;
}

std::optional<std::size_t> TaskOrigins::meant(const TaskTwin& in, const TaskMention& mention,
                                              const std::string& id, const TaskTwins& twins) {
  if (!root_ || mention.in == TaskMention::In::malformed) return std::nullopt;
  std::vector<std::size_t> votes;
  const auto names = names_of(in.file, id_of_task_file(in.file));
  const auto count = [&](const auto& versions) {
    for (const auto& name : names) {
      for (const auto twin : vote(in, mention, id, twins, versions(name))) {
        if (std::ranges::find(votes, twin) == votes.end()) votes.push_back(twin);
      }
    }
  };
  // While a merge is under way, the ends of its sides say it. Else the history does.
  count([&](const std::string& name) { return tips_of(name); });
  if (votes.empty()) count([&](const std::string& name) { return versions_of(name); });
  return votes.size() == 1 ? std::optional(votes.front()) : std::nullopt;
}

std::optional<bool> TaskOrigins::added_apart(const std::string& file) {
  if (!root_) return std::nullopt;
  std::vector<std::string> added;
  for (const auto& version : versions_of(file)) {
    const bool known = std::ranges::find(added, version.commit) != added.end();
    if (version.first && !known) added.push_back(version.commit);
  }
  return added.empty() ? std::nullopt : std::optional(added.size() > 1);
}

}  // namespace lode
