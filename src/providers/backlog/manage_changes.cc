#include "providers/backlog/manage_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/nearest.h"
#include "base/utf8.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/manage_edit.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::size_t kMostCandidates = 10'000;  // for "did you mean"
constexpr std::size_t kMostVisited = 100'000;    // tasks, in search of a cycle

Error conflict(std::string message) { return {Code::conflict, std::move(message), {}}; }

std::string text_of(const Json& value) {
  const auto* text = value.if_string();
  return text == nullptr ? "" : std::string(text->data(), text->size());
}

bool is_same_id(std::string_view a, std::string_view b) { return task_key(a) == task_key(b); }

// What is wrong now and was not before; a line may have moved.
std::vector<std::string> new_problems(const Task& before, const Task& after) {
  std::multiset<std::string_view> known;
  for (const auto& problem : before.problems) known.insert(problem.text);
  std::vector<std::string> out;
  for (const auto& problem : after.problems) {
    const auto old = known.find(problem.text);
    if (old == known.end()) {
      out.push_back(problem.text);
    } else {
      known.erase(old);
    }
  }
  return out;
}

}  // namespace

// ---- finding ----

Result<std::string> TaskChanges::resolved(const std::string& id) const {
  if (!id.starts_with('#')) return id;
  std::size_t number = 0;
  const auto* const end = id.data() + id.size();
  const auto read = std::from_chars(id.data() + 1, end, number);
  if (read.ec != std::errc() || read.ptr != end || number == 0 || number > made_.size()) {
    return invalid(
        fmt::format("\"{}\" is no earlier operation of this call; \"#1\" is what the first made",
                    visible(cut_text(id, 40))));
  }
  return made_[number - 1];
}

const TaskChanges::File* TaskChanges::in_call(std::string_view id) const {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const File& file) {
    return file.is_task && is_same_id(file.task.id, id);
  });
  return found == files_.end() ? nullptr : &*found;
}

// As the files are now, not as somebody last saw them.
std::optional<TaskHead> TaskChanges::known(const std::string& id) const {
  auto& tasks = needs_.tasks;
  auto head = tasks.find(id);
  if (head && needs_.files.stamp(head->file) != head->stamp) {
    tasks.refresh(head->file);
    head = tasks.find(id);
  }
  if (head || !is_task_id(id)) return head;
  for (const auto* docs : {"", "docs/"}) {
    for (const auto type : kTaskTypes) {
      const auto folder = fmt::format("{}{}", docs, task_folder(type));
      for (const auto& name : needs_.files.names(folder)) {
        const auto file = fmt::format("{}/{}", folder, name);
        if (type_of_task_file(file) && is_same_id(id_of_task_file(file), id)) tasks.refresh(file);
      }
    }
  }
  return tasks.find(id);
}

Error TaskChanges::no_such(std::string_view id) const {
  std::vector<std::string> ids;
  needs_.tasks.each([&](const TaskHead& task) {
    if (needs_.gate.shows(task)) ids.push_back(task.id);
    return ids.size() < kMostCandidates;
  });
  const std::vector<std::string_view> candidates(ids.begin(), ids.end());
  return not_found(
      fmt::format("no task has the id \"{}\"{}; mcp://backlog/tasks?q=WORDS finds them",
                  visible(cut_text(id, 100)), did_you_mean(id, candidates)));
}

std::optional<TaskHead> TaskChanges::head_of(const std::string& id) const {
  if (const auto* file = in_call(id)) {
    return file->removed ? std::nullopt : std::optional<TaskHead>(file->task);
  }
  auto head = known(id);
  return head && needs_.gate.shows(*head) ? head : std::nullopt;
}

Result<TaskChanges::File*> TaskChanges::find(const std::string& given) {
  auto id = resolved(given);
  if (!id) return std::move(id).error();
  for (auto& there : files_) {
    if (!there.is_task || !is_same_id(there.task.id, *id)) continue;
    if (there.removed) return conflict(fmt::format("this call deletes {}", there.task.id));
    made_.push_back(there.task.id);
    return &there;
  }
  const auto head = known(*id);
  if (!head || !needs_.gate.shows(*head)) return no_such(*id);
  if (auto admitted = needs_.gate.admit_write(*head); !admitted) return std::move(admitted).error();
  auto text = needs_.files.read(head->file, kTaskTextBytes);
  if (!text) {
    if (text.error().code == Code::not_found) return no_such(*id);
    return invalid(fmt::format("{} has more than {} bytes, and is left as it is: change it by hand",
                               head->file, kTaskTextBytes));
  }
  auto task = read_task({head->file, text->text, text->text.size(), needs_.now});
  const auto with_id = needs_.tasks.all_with(head->id);
  if (std::ranges::count_if(with_id, [&](const auto& each) { return needs_.gate.shows(each); }) >
      1) {
    warnings_.push_back(
        fmt::format("several files have the id {}; {} counts: lode backlog "
                    "renumber mends that",
                    head->id, head->file));
  }
  made_.push_back(task.id);
  File file{head->file, std::move(*text), {}, false, {}, true, std::move(task)};
  file.text = file.before->text;
  files_.push_back(std::move(file));
  return &files_.back();
}

Status TaskChanges::check_version(const File& file, const TaskOperation& operation) const {
  const auto& wanted = operation.if_version;
  const auto& text = file.before ? file.before->text : file.text;
  if (wanted.empty() || is_task_version(wanted, text)) return {};
  const auto changed = changed_since(wanted, text);
  return conflict(fmt::format(
      "{} is not the version {} any more: {} since. Read {} again, then repeat the call "
      "with \"if_version\":\"{}\"",
      file.task.id, visible(cut_text(wanted, 60)),
      changed.empty() ? std::string("it was changed")
                      : fmt::format("{} changed", fmt::join(changed, ", ")),
      file.task.uri(), task_version(text)));
}

// ---- changing ----

Status TaskChanges::take_text(File& file, std::string text) {
  if (text.size() >= kTaskTextBytes) {
    return invalid(fmt::format("{} would have more than {} bytes", file.task.id, kTaskTextBytes));
  }
  bytes_ += text.size();
  if (bytes_ > kMostCallBytes) {
    return invalid(fmt::format("one call writes at most {} bytes; make several", kMostCallBytes));
  }
  auto task = read_task({file.name, text, text.size(), needs_.now});
  if (task.malformed) return internal("the task would be malformed");
  const auto problems = new_problems(file.task, task);
  if (!problems.empty()) return invalid(fmt::format("{}", fmt::join(problems, "; ")));
  file.text = std::move(text);
  file.task = std::move(task);
  return {};
}

Status TaskChanges::check_target(const TaskHead& task, const std::string& id) const {
  if (is_same_id(task.id, id)) return invalid(fmt::format("{} cannot refer to itself", task.id));
  if (!head_of(id)) return no_such(id);
  return {};
}

// With ids as their tasks have them, and addresses that work everywhere.
Result<Json> TaskChanges::checked_value(const TaskHead& task, TaskField field, const Json& value) {
  if (value.is_null()) return value;
  const auto target = [&](const Json& id) -> Result<Json> {
    auto meant = resolved(text_of(id));
    if (!meant) return std::move(meant).error();
    // What is there already, and leads nowhere, may stay.
    const auto& old = task.dependencies;
    const bool stays = std::any_of(old.begin(), old.end(),
                                   [&](const auto& each) { return is_same_id(each, *meant); });
    if (stays && field == TaskField::dependencies) return Json(*meant);
    if (auto there = check_target(task, *meant); !there) return std::move(there).error();
    return Json(head_of(*meant)->id);
  };
  if (field == TaskField::parent) return target(value);
  if (field == TaskField::status && !has_status(task.type)) {
    return invalid(fmt::format("a {} has no status", to_string(task.type)));
  }
  if (field != TaskField::dependencies && field != TaskField::references) return value;
  JsonArray out;
  for (const auto& item : value.get_array()) {
    if (field == TaskField::dependencies) {
      auto id = target(item);
      if (!id) return id;
      out.push_back(std::move(*id));
      continue;
    }
    JsonObject reference = item.get_object();
    const auto url = needs_.links.portable(text_of(reference["url"]));
    if (TaskLinks::is_machine_specific(url)) {
      warnings_.push_back(fmt::format("{} is of this machine alone", visible(cut_text(url, 200))));
    }
    reference["url"] = url;
    out.emplace_back(std::move(reference));
  }
  return Json(std::move(out));
}

void TaskChanges::warn_of_paths(std::string_view text) {
  for (const auto& path : needs_.links.machine_specific_in(text)) {
    warnings_.push_back(fmt::format("{} is of this machine alone", visible(path)));
  }
}

Result<std::vector<std::string>> TaskChanges::edit(File& file, const TaskOperation& operation) {
  auto document = Document::parse(file.text, DocumentForm::markdown);
  if (!document) {
    return invalid(fmt::format("{}: {}. It is left as it is until you mend it by hand", file.name,
                               document.error().message));
  }
  std::vector<std::string> changed;
  for (const auto& [field, given] : operation.fields) {
    auto value = checked_value(file.task, field, given);
    if (!value) return std::move(value).error();
    const bool adds = operation.verb == TaskVerb::move && value->is_array();
    if (adds) {
      auto all = task_list_field(*document, field);
      all.insert(all.end(), value->get_array().begin(), value->get_array().end());
      *value = std::move(all);
    }
    auto set = set_task_field(*document, field, *value);
    if (!set) return std::move(set).error();
    if (!*set) continue;
    changed.emplace_back(task_key_for(field, document->frontmatter()));
    if (field == TaskField::parent || field == TaskField::dependencies) {
      linked_.push_back(file.task.id);
    }
  }
  for (const auto& other : operation.others) {
    const std::string_view key(other.key().data(), other.key().size());
    auto set = set_other_field(*document, key, other.value());
    if (!set) return std::move(set).error();
    if (*set) changed.emplace_back(key);
  }
  const auto old_body = std::string(document->body());
  if (operation.body) {
    // Whoever sends a whole body may not have seen what stands there.
    const bool blank = old_body.find_first_not_of(" \t\r\n") == old_body.npos;
    if (!blank && operation.if_version.empty()) {
      return invalid(fmt::format(
          "{} has a body: give \"if_version\":\"{}\" if you have read it, or \"old\" and \"new\" "
          "to replace a part",
          file.task.id, task_version(file.before ? file.before->text : file.text)));
    }
    if (auto set = set_task_body(*document, *operation.body); !set) return std::move(set).error();
    warn_of_paths(*operation.body);
  }
  if (!operation.replacements.empty()) {
    auto set = replace_in_body(*document, operation.replacements);
    if (!set) return std::move(set).error();
    for (const auto& [old, now] : operation.replacements) warn_of_paths(now);
  }
  if (document->body() != old_body) changed.emplace_back("body");
  if (changed.empty()) return changed;
  if (auto marked = mark_task_changed(*document, needs_.now); !marked) {
    return std::move(marked).error();
  }
  if (auto taken = take_text(file, document->text()); !taken) return std::move(taken).error();
  return changed;
}

Status TaskChanges::update(const TaskOperation& operation) {
  auto file = find(operation.id);
  if (!file) return std::move(file).error();
  if (auto same = check_version(**file, operation); !same) return same;
  const auto before = (*file)->task.status;
  auto changed = edit(**file, operation);
  if (!changed) return std::move(changed).error();
  const auto& task = (*file)->task;
  if (changed->empty()) {
    lines_.push_back({fmt::format("{} says this already", task.uri()), *file});
    return {};
  }
  const auto moved = task.status == before
                         ? std::string()
                         : fmt::format(", {} → {}", to_string(before), to_string(task.status));
  lines_.push_back(
      {fmt::format("{} {}: {}{}", operation.verb == TaskVerb::move ? "moved" : "updated",
                   task.uri(), fmt::join(*changed, ", "), moved),
       *file});
  return {};
}

// ---- cycles ----

namespace {

// "A → B → A"; of a long way its begin and its end.
std::string arrows(const std::vector<std::string>& way) {
  constexpr std::size_t kShownAtEnd = 6;
  std::string out;
  for (std::size_t at = 0; at < way.size(); ++at) {
    if (at > 0) out += " → ";
    if (at == kShownAtEnd && way.size() > 2 * kShownAtEnd + 1) {
      const auto left_out = way.size() - 2 * kShownAtEnd;
      out += fmt::format("({} more) → ", left_out);
      at += left_out;
    }
    out += way[at];
  }
  return out;
}

}  // namespace

// From a task over its parents, or what it depends on, back to itself.
std::optional<std::string> TaskChanges::way_round(const TaskHead& from, bool by_parent) const {
  const auto next = [&](const TaskHead& task) {
    if (!by_parent) return task.dependencies;
    return task.parent.empty() ? std::vector<std::string>() : std::vector<std::string>{task.parent};
  };
  const auto current = [&](const std::string& id) -> std::optional<TaskHead> {
    if (const auto* file = in_call(id)) {
      return file->removed ? std::nullopt : std::optional<TaskHead>(file->task);
    }
    auto head = needs_.tasks.find(id);
    if (head && needs_.files.stamp(head->file) != head->stamp) head = known(id);
    return head;
  };
  struct Step {
    std::string id;
    std::size_t from;  // in `steps`
    bool shown;
  };
  std::vector<Step> steps{{from.id, 0, true}};
  std::set<std::string> seen;
  for (std::size_t at = 0; at < steps.size() && at < kMostVisited; ++at) {
    const auto task = current(steps[at].id);
    if (!task || !seen.insert(task_key(task->id)).second) continue;
    for (const auto& id : next(*task)) {
      const auto other = current(id);
      const bool shown = other && (in_call(id) != nullptr || needs_.gate.shows(*other));
      if (!is_same_id(id, from.id)) {
        steps.push_back({id, at, steps[at].shown && shown});
        continue;
      }
      if (!steps[at].shown) return std::string();
      std::vector<std::string> way{from.id};
      for (std::size_t back = at; back != 0; back = steps[back].from) way.push_back(steps[back].id);
      way.push_back(from.id);
      std::ranges::reverse(way);
      return arrows(way);
    }
  }
  return std::nullopt;
}

Status TaskChanges::check() const {
  for (const auto& id : linked_) {
    const auto* file = in_call(id);
    if (file == nullptr || file->removed) continue;
    for (const bool by_parent : {true, false}) {
      const auto way = way_round(file->task, by_parent);
      if (!way) continue;
      return invalid(fmt::format("the {} of {} would lead round in a circle{}",
                                 by_parent ? "parents" : "dependencies", id,
                                 way->empty() ? "" : ": " + *way));
    }
  }
  return {};
}

// ---- writing ----

Status TaskChanges::write() {
  std::vector<TaskFiles::Change> changes;
  for (auto& file : files_) {
    TaskFiles::Change change{file.name, file.before, {}, {}};
    if (file.removed) {
      change.entry = file.entry;
    } else if (!file.before || file.text != file.before->text) {
      change.after = file.text;
    } else {
      continue;
    }
    changes.push_back(std::move(change));
  }
  if (ids_) {
    if (auto saved = ids_->save(); !saved) return saved;
  }
  auto written = needs_.files.write(changes);
  for (const auto& file : files_) {
    if (file.is_task) needs_.tasks.refresh(file.name);
    if (written && !file.removed && !file.entry.empty()) {
      needs_.files.drop_entry(file.entry, file.name);
    }
  }
  return written;
}

std::string TaskChanges::answer() const {
  std::string out;
  for (const auto& line : lines_) {
    if (!out.empty()) out += '\n';
    out += line.text;
    if (line.file != nullptr && !line.file->removed) {
      out += fmt::format(" (version {})", task_version(line.file->text));
    }
  }
  for (const auto& warning : warnings_) out += "\nwarning: " + warning;
  return out;
}

}  // namespace lode
