// Other ids for tasks that have the id of another: see manage.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/utf8.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/manage.h"
#include "providers/backlog/manage_edit.h"
#include "providers/backlog/task_mentions.h"
#include "providers/backlog/task_origins.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::size_t kMostAtOnce = 1000;  // tasks; the rest is for another call

// With the new id in place of the old one, if the name has it.
std::string renamed(const std::string& file, const std::string& old, const std::string& now) {
  const auto slash = file.rfind('/') + 1;
  if (!names_task_id(file)) return file;
  return file.substr(0, slash) + now + file.substr(slash + old.size());
}

Status set_own_id(std::string& text, const std::string& file, const std::string& id) {
  auto document = Document::parse(text, DocumentForm::markdown);
  if (!document) return std::move(document).error();
  const auto* said = find_task_field(TaskField::id, document->frontmatter());
  if (said == nullptr && names_task_id(file)) return {};
  auto set = set_task_field(*document, TaskField::id, Json(id));
  if (!set) return std::move(set).error();
  text = document->text();
  return {};
}

// One renumbering: what gets which id, and what is written therefore.
class Renumberer {
 public:
  struct Needs {
    const Tasks& tasks;
    const TaskFiles& files;
    TaskIds& ids;
    TaskOrigins& origins;
    std::chrono::system_clock::time_point now;
  };
  explicit Renumberer(const Needs& needs) : needs_(needs) {}

  Status plan(const std::vector<std::string>& keep) {
    see_ids();
    if (auto found = find_groups(); !found) return found;
    if (auto chosen = choose(keep); !chosen) return chosen;
    if (groups_.empty()) return {};
    if (auto given = give_ids(); !given) return given;
    for (auto& text : texts_) {
      if (groups_.contains(text.group)) redirect(text);
    }
    if (auto others = redirect_others(); !others) return others;
    return make_changes();
  }

  // Whether somebody has to say what a mention means.
  bool is_undecided() const {
    const auto& all = out_.unclear;
    return std::any_of(all.begin(), all.end(), [](const auto& each) { return each.kept.empty(); });
  }
  const std::vector<TaskFiles::Change>& changes() const { return changes_; }
  TaskManager::Renumbering take() { return std::move(out_); }

 private:
  // A file, or one side of it.
  struct Text {
    std::string file;
    std::string side;  // "ours", "theirs"; empty: the file is one task
    std::string text;
    TaskTwin twin;
    std::int64_t created = 0;
    std::string group{};              // the key of its id, if others have it
    std::string new_id{};             // empty: it keeps its own
    TaskManager::Renumbered* done{};  // then nothing

    std::string name() const { return side.empty() ? file : file + ":" + side; }
  };
  struct Group {
    std::string id;
    std::vector<std::size_t> members{};  // in texts_
    std::size_t kept = 0;                // of these
    bool said = false;                   // somebody chose it
    TaskTwins twins{};                   // of the members, in their order
  };

  void see_ids() {
    needs_.tasks.each([&](const TaskHead& task) {
      all_.insert(task.id);
      return true;
    });
    for (const auto& id : all_) needs_.ids.see(id);
    for (const auto& entry : needs_.files.entries()) {
      needs_.ids.see(entry.substr(entry.rfind('~') + 1));
    }
  }

  void add(const std::string& file, const std::string& side, std::string text) {
    const auto task = read_task({file, text, text.size(), {}});
    const auto created = parse_task_time(task.created).value_or(0);
    const auto key = task_key(task.id);
    auto& group = groups_[key];
    group.id = task.id;
    group.members.push_back(texts_.size());
    texts_.push_back({file, side, std::move(text), {file, task.title, task.created}, created, key});
  }

  // Each id with its tasks, of which a file with a conflict may have two. Alone it is no group.
  Status find_groups() {
    std::size_t count = 0;
    for (const auto& id : all_) {
      const auto heads = needs_.tasks.all_with(id);
      const bool several = heads.size() > 1;
      for (const auto& head : heads) {
        if (!several && !head.malformed) {
          others_.insert(head.file);
        } else if (auto added = add_file(head); !added) {
          return std::move(added).error().in(head.file);
        }
      }
    }
    for (auto at = groups_.begin(); at != groups_.end();) {
      const auto& members = at->second.members;
      count += members.size();
      if (members.size() > 1 && count <= kMostAtOnce) {
        ++at;
        continue;
      }
      for (const auto each : members) others_.insert(texts_[each].file);
      at = groups_.erase(at);
    }
    return {};
  }

  Status add_file(const TaskHead& head) {
    auto now = needs_.files.read(head.file, kTaskTextBytes);
    if (!now) return {};  // it has gone, or is too long to be changed
    if (!head.malformed) {
      add(head.file, "", now->text);
      before_.emplace(head.file, std::move(*now));
      return {};
    }
    others_.insert(head.file);
    auto sides = conflict_sides(now->text);
    if (sides.empty()) return {};
    if (!are_two_tasks(head.file, sides)) {
      out_.unmerged.push_back(head.file);
      return {};
    }
    if (!names_task_id(head.file)) return invalid("two tasks in a file whose name has no id");
    others_.erase(head.file);
    add(head.file, "ours", std::move(sides.ours));
    add(head.file, "theirs", std::move(sides.theirs));
    before_.emplace(head.file, std::move(*now));
    return {};
  }

  // Two clones made a file of the same name, and git put both texts into it; or both changed one
  // task. Where git does not know, two differ in when they were created and in their titles.
  bool are_two_tasks(const std::string& file, const ConflictSides& sides) const {
    const auto ours = read_task({file, sides.ours, sides.ours.size(), {}});
    const auto theirs = read_task({file, sides.theirs, sides.theirs.size(), {}});
    if (ours.malformed || theirs.malformed) return false;
    const bool differ = ours.created != theirs.created && ours.title != theirs.title;
    return needs_.origins.added_apart(file).value_or(differ);
  }

  Status choose(const std::vector<std::string>& keep) {
    for (auto& [key, group] : groups_) {
      auto& members = group.members;
      std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(texts_[a].created, a) < std::pair(texts_[b].created, b);
      });
      for (const auto each : members) {
        auto& twin = texts_[each].twin;
        twin.by_title = std::any_of(members.begin(), members.end(), [&](std::size_t other) {
          return other != each && texts_[other].twin.created == twin.created;
        });
        group.twins.push_back(twin);
      }
    }
    for (const auto& wanted : keep) {
      if (auto kept = choose(wanted); !kept) return kept;
    }
    return {};
  }

  Status choose(const std::string& wanted) {
    std::vector<std::string> names;
    for (auto& [key, group] : groups_) {
      for (std::size_t i = 0; i < group.members.size(); ++i) {
        const auto name = texts_[group.members[i]].name();
        names.push_back(name);
        if (wanted != name && !wanted.ends_with("/" + name)) continue;
        if (group.said && group.kept != i) {
          return invalid(fmt::format("only one can keep the id {}", group.id));
        }
        group.kept = i;
        group.said = true;
        return {};
      }
    }
    return invalid(
        fmt::format("no task called {} shares its id with another{}", wanted,
                    names.empty() ? "" : fmt::format("; these do: {}", fmt::join(names, ", "))));
  }

  Status give_ids() {
    std::size_t count = 0;
    for (const auto& [key, group] : groups_) count += group.members.size();
    out_.renumbered.reserve(count);  // texts_ point into it
    for (const auto& [key, group] : groups_) {
      const auto kept = texts_[group.members[group.kept]].name();
      for (std::size_t i = 0; i < group.members.size(); ++i) {
        if (i == group.kept) continue;
        auto& text = texts_[group.members[i]];
        const auto type = read_task({text.file, text.text, text.text.size(), {}}).type;
        auto id = needs_.ids.next(type_of_task_id(group.id).value_or(type));
        if (!id) return std::move(id).error();
        text.new_id = std::move(*id);
        out_.renumbered.push_back(
            {text.name(), group.id, kept, text.new_id, renamed(text.file, group.id, text.new_id)});
        text.done = &out_.renumbered.back();
      }
    }
    return {};
  }

  // ---- what mentions the ids ----

  // Which member of a group a mention means; nothing: it is unclear.
  std::optional<std::size_t> meant(const Text& in, const TaskMention& mention,
                                   const Group& group) const {
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      if (&texts_[group.members[i]] == &in) return i;
    }
    return needs_.origins.meant(in.twin, mention, group.id, group.twins);
  }

  // What every mention means is asked of the text as it was; then all are replaced.
  void redirect(Text& in) {
    struct Step {
      TaskMention mention;
      const Group* group;
      const Text* target;
    };
    std::vector<Step> steps;
    for (const auto& [key, group] : groups_) {
      for (auto& mention : find_mentions(in.text, group.id)) {
        if (const auto member = meant(in, mention, group)) {
          const auto& target = texts_[group.members[*member]];
          if (target.done != nullptr) steps.push_back({std::move(mention), &group, &target});
          continue;
        }
        const auto kept = texts_[group.members[group.kept]].name();
        out_.unclear.push_back({in.name(), mention.line, std::move(mention.written), group.id,
                                group.said ? kept : ""});
      }
    }
    // The last first, so that those before it stay where they are.
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return a.mention.begin > b.mention.begin; });
    for (const auto& [mention, group, target] : steps) {
      replace_mention(in.text, mention, group->id, target->new_id);
      auto& followed = target->done->followed;
      const bool told = target == &in || (!followed.empty() && followed.back() == in.name());
      if (!told) followed.push_back(in.name());
    }
  }

  Status redirect_others() {
    for (const auto& file : others_) {
      auto now = needs_.files.read(file, kTaskTextBytes);
      if (!now) continue;
      const auto task = read_task({file, now->text, now->text.size(), {}});
      Text text{file, "", now->text, {file, task.title, task.created}, 0};
      redirect(text);
      if (text.text == now->text) continue;
      changes_.push_back({file, std::move(*now), std::move(text.text), {}});
    }
    return {};
  }

  // ---- what is written ----

  Status make_changes() {
    std::map<std::string, std::optional<std::string>> after;  // by file; nothing: it goes
    for (auto& text : texts_) {
      if (!groups_.contains(text.group)) continue;
      after.try_emplace(text.file);
      if (text.done == nullptr) {
        after[text.file] = std::move(text.text);
        continue;
      }
      if (auto set = set_own_id(text.text, text.file, text.new_id); !set) {
        return std::move(set).error().in(text.file);
      }
      after[text.done->new_file] = std::move(text.text);
    }
    for (auto& [file, text] : after) {
      const auto before = before_.find(file);
      TaskFiles::Change change{file, {}, std::move(text), {}};
      if (before != before_.end()) change.before = std::move(before->second);
      if (change.before && change.after == change.before->text) continue;
      if (!change.after) change.entry = needs_.files.new_entry(id_of_task_file(file), needs_.now);
      changes_.push_back(std::move(change));
    }
    return {};
  }

  const Needs needs_;
  std::set<std::string> all_;                          // ids
  std::vector<Text> texts_;                            // of groups, and of those that were none
  std::map<std::string, Group> groups_;                // by the key of the id
  std::map<std::string, TaskFiles::Snapshot> before_;  // by file, of texts_
  std::set<std::string> others_;                       // files of tasks in no group
  std::vector<TaskFiles::Change> changes_;
  TaskManager::Renumbering out_;
};

}  // namespace

Result<TaskManager::Renumbering> TaskManager::renumber(const RenumberOptions& options) const {
  load(ManageGate::open());
  auto files = TaskFiles::open(files_place());
  if (!files) return std::move(files).error();
  auto ids = TaskIds::open(ids_place());
  if (!ids) return std::move(ids).error();
  TaskOrigins origins(tasks_.directory());
  Renumberer renumbering({tasks_, *files, *ids, origins, clock_()});
  if (auto planned = renumbering.plan(options.keep); !planned) return std::move(planned).error();
  const auto& changes = renumbering.changes();
  if (options.dry_run || changes.empty() || renumbering.is_undecided()) return renumbering.take();
  if (auto saved = ids->save(); !saved) return std::move(saved).error();
  auto written = files->write(changes);
  for (const auto& change : changes) tasks_.refresh(change.file);
  if (!written) return std::move(written).error().in("nothing was renumbered");
  auto done = renumbering.take();
  done.written = true;
  return done;
}

}  // namespace lode
