// The operations of a call other than update and move; see manage_changes.h.
#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/manage_changes.h"
#include "providers/backlog/manage_edit.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::size_t kOnPage = 500;  // tasks that are ready, looked through at once
constexpr std::size_t kMostFreeIds = 1000;

Error conflict(std::string message) { return {Code::conflict, std::move(message), {}}; }

std::string call_of(std::string_view op, std::string_view id) {
  return to_text(JsonObject{{"op", std::string(op)}, {"id", std::string(id)}});
}

// A file's name, without anything that means something to a file system or a shell.
bool is_artifact_name(std::string_view name) {
  constexpr std::size_t kMost = 100;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == ' ' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !name.empty() && name.size() <= kMost && name.front() != '.' && name.front() != ' ' &&
         name.back() != ' ' && valid_utf8(name) && std::all_of(name.begin(), name.end(), fits);
}

}  // namespace

Status TaskChanges::add(const TaskOperation& operation) {
  switch (operation.verb) {
    case TaskVerb::create: return create(operation);
    case TaskVerb::update:
    case TaskVerb::move: return update(operation);
    case TaskVerb::claim: return claim(operation);
    case TaskVerb::comment: return comment(operation);
    case TaskVerb::attach: return attach(operation);
    case TaskVerb::remove: return remove(operation);
    case TaskVerb::restore: return restore(operation);
  }
  return {};
}

// ---- create ----

// Where the tree has its tasks of this type: in a folder of their own, in docs/, or, as in the
// first trees of backlog-mcp, all in tasks/.
std::string TaskChanges::folder_for(TaskType type) const {
  std::string own(task_folder(type));
  if (needs_.files.has_folder(own)) return own;
  if (needs_.files.has_folder("docs/tasks")) return "docs/" + own;
  Tasks::Query query;
  query.filter.types = {type};
  query.limit = 1;
  const auto others = needs_.tasks.list(query).tasks;
  const bool together = !others.empty() && others.front().file.starts_with("tasks/");
  return together ? "tasks" : own;
}

// Above the counter, and above every id that has a file here or in the trash.
Status TaskChanges::open_ids() {
  if (ids_) return {};
  auto ids = TaskIds::open(needs_.ids);
  if (!ids) return std::move(ids).error();
  ids_.emplace(std::move(*ids));
  for (const auto* docs : {"", "docs/"}) {
    for (const auto each : kTaskTypes) {
      for (const auto& name : needs_.files.names(fmt::format("{}{}", docs, task_folder(each)))) {
        if (names_task_id(name)) ids_->see(id_of_task_file(name));
      }
    }
  }
  for (const auto& entry : needs_.files.entries()) ids_->see(entry.substr(entry.rfind('~') + 1));
  return {};
}

Result<std::string> TaskChanges::new_id(TaskType type) {
  if (auto opened = open_ids(); !opened) return std::move(opened).error();
  // A file of any name may say an id.
  for (std::size_t tries = 0; tries < kMostFreeIds; ++tries) {
    auto id = ids_->next(type);
    if (!id || (!needs_.tasks.find(*id) && in_call(*id) == nullptr)) return id;
  }
  return internal("no id is free");
}

// A task that is left out of what is followed could never be read.
Status TaskChanges::check_followed(const std::string& file) const {
  const auto folder = needs_.tasks.folder();
  if (!folder || !folder->filter().skips(file, false)) return {};
  if (folder->filter().secrets.hides(file)) {
    return invalid(fmt::format("{} would be hidden as a secret is: see workspace.hide", file));
  }
  return invalid(
      fmt::format("{} would be hidden by a .gitignore in the backlog's folder, which a task must "
                  "not be: take the line out that matches it",
                  file));
}

Status TaskChanges::create(const TaskOperation& operation) {
  auto id = new_id(operation.type);
  if (!id) return std::move(id).error();
  File file;
  file.name = fmt::format("{}/{}.md", folder_for(operation.type), *id);
  file.task.id = *id;
  file.task.type = operation.type;
  file.task.file = file.name;
  if (auto admitted = needs_.gate.admit_write(file.task); !admitted) return admitted;
  if (auto followed = check_followed(file.name); !followed) return followed;
  const auto time = task_time(needs_.now);
  JsonObject fields{{"id", *id}};
  if (operation.type != TaskType::task) fields["type"] = std::string(to_string(operation.type));
  if (const auto* title = operation.find(TaskField::title)) fields["title"] = *title;
  if (has_status(operation.type)) fields["status"] = "open";
  for (const auto& [field, given] : operation.fields) {
    auto value = checked_value(file.task, field, given);
    if (!value) return std::move(value).error();
    if (!value->is_null()) fields[std::string(task_key_for(field))] = std::move(*value);
    const bool links = field == TaskField::parent || field == TaskField::dependencies;
    if (links) linked_.push_back(*id);
  }
  for (const auto& other : operation.others) {
    if (!other.value().is_null()) fields[other.key()] = other.value();
  }
  fields["created_at"] = time;
  fields["updated_at"] = time;
  const auto body = operation.body.value_or("");
  auto text = make_document(fields, body);
  if (!text) return std::move(text).error();
  warn_of_paths(body);
  made_.push_back(*id);
  files_.push_back(std::move(file));
  auto& made = files_.back();
  if (auto taken = take_text(made, std::move(*text)); !taken) return taken;
  lines_.push_back({fmt::format("created {}", made.task.uri()), &made});
  return {};
}

// ---- claim ----

// One that is open and not somebody else's. Who has it already does not get it again: of two
// with one name both would begin.
Status TaskChanges::take_claim(File& file, const std::string& who) {
  const auto& task = file.task;
  if (task.malformed) {
    return invalid(fmt::format("{} is malformed, and left as it is until you mend it", file.name));
  }
  if (!has_status(task.type)) {
    return invalid(fmt::format("{} is a {}, which nobody does", task.id, to_string(task.type)));
  }
  if (is_over(task.status)) {
    return conflict(fmt::format("{} is {}", task.id, to_string(task.status)));
  }
  if (task.status == TaskStatus::blocked) {
    return conflict(fmt::format("{} is blocked{}", task.id,
                                task.blocked_reason.empty()
                                    ? ""
                                    : ": " + visible(cut_text(task.blocked_reason.front(), 200))));
  }
  const bool begun = task.status == TaskStatus::in_progress && !task.assignee.empty();
  if (begun || (!task.assignee.empty() && task.assignee != who)) {
    return conflict(fmt::format("{} has {} already (since {})", visible(task.assignee), task.id,
                                visible(task.updated)));
  }
  TaskOperation change;
  change.verb = TaskVerb::claim;
  change.fields.emplace_back(TaskField::status, "in_progress");
  // Who is one of several stays so.
  if (task.assignee != who) change.fields.emplace_back(TaskField::assignee, who);
  auto changed = edit(file, change);
  if (!changed) return std::move(changed).error();
  lines_.push_back({fmt::format("claimed {} for {}: {}", task.uri(), visible(who),
                                visible(cut_text(file.task.title, 200))),
                    &file});
  for (const auto& other : needs_.tasks.blockers(file.task)) {
    if (needs_.gate.shows(other)) {
      warnings_.push_back(fmt::format("{} waits for {}", task.id, other.id));
    }
  }
  return {};
}

Status TaskChanges::claim(const TaskOperation& operation) {
  if (operation.id.empty()) return claim_next(operation);
  auto file = find(operation.id);
  if (!file) return std::move(file).error();
  return take_claim(**file, operation.as.empty() ? needs_.gate.who() : operation.as);
}

// The first that is ready, by rank, as the files are now.
Status TaskChanges::claim_next(const TaskOperation& operation) {
  const auto who = operation.as.empty() ? needs_.gate.who() : operation.as;
  Tasks::Query query;
  query.filter.ready = true;
  query.filter.label = operation.label;
  if (const auto* parent = operation.find(TaskField::parent);
      parent != nullptr && parent->is_string()) {
    auto id = resolved(std::string(parent->get_string()));
    if (!id) return std::move(id).error();
    query.filter.parent = *id;
  }
  query.limit = kOnPage;
  // What is hidden from the caller blocks nothing for him, here as in lists.
  query.shows = [&](const TaskHead& task) { return needs_.gate.shows(task); };
  const auto is_free = [&](const TaskHead& task) {
    return task.assignee.empty() || task.assignee == who;
  };
  for (bool more = true; more;) {
    const auto listed = needs_.tasks.list(query);
    for (const auto& head : listed.tasks) {
      if (!is_free(head) || in_call(head.id) != nullptr) continue;
      const auto now = known(head.id);
      if (!now || !is_free(*now) || !needs_.tasks.is_ready(*now, query.shows)) continue;
      if (!needs_.gate.admit_write(*now)) continue;
      auto file = find(head.id);
      if (!file) return std::move(file).error();
      return take_claim(**file, who);
    }
    more = listed.more;
    if (more) query.after = sort_key(query.sort, listed.tasks.back());
  }
  const auto which = operation.label.empty()
                         ? std::string()
                         : fmt::format(" with the label \"{}\"", visible(operation.label));
  const auto below = query.filter.parent.empty()
                         ? std::string()
                         : fmt::format(" below {}", visible(query.filter.parent));
  return not_found(
      fmt::format("no task{}{} is ready: mcp://backlog/board shows what is open", which, below));
}

// ---- comment, attach ----

Status TaskChanges::comment(const TaskOperation& operation) {
  auto file = find(operation.id);
  if (!file) return std::move(file).error();
  auto document = Document::parse((*file)->text, DocumentForm::markdown);
  if (!document) {
    return invalid(fmt::format("{}: {}. It is left as it is until you mend it by hand",
                               (*file)->name, document.error().message));
  }
  const auto who = operation.as.empty() ? needs_.gate.who() : operation.as;
  auto added = add_task_comment(*document, who, task_time(needs_.now), operation.text);
  if (!added) return added;
  if (auto marked = mark_task_changed(*document, needs_.now); !marked) return marked;
  warn_of_paths(operation.text);
  if (auto taken = take_text(**file, document->text()); !taken) return taken;
  lines_.push_back({fmt::format("commented on {}", (*file)->task.uri()), *file});
  return {};
}

Status TaskChanges::attach(const TaskOperation& operation) {
  auto found = find(operation.id);
  if (!found) return std::move(found).error();
  File& task = **found;
  auto url = operation.url;
  if (url.empty()) {
    if (!is_artifact_name(operation.name)) {
      return invalid(
          "\"name\" is a file's name of letters, digits, \"-\", \"_\", \".\" and blanks");
    }
    const auto path = fmt::format("{}/{}", task.task.id, operation.name);
    url = "mcp://backlog/artifacts/" + encode_path(path);
    File artifact;
    artifact.name = "artifacts/" + path;
    artifact.is_task = false;
    artifact.text = operation.content;
    bytes_ += artifact.text.size();
    auto admitted = needs_.gate.admit_write(url, needs_.tasks.path_of(artifact.name));
    if (!admitted) return admitted;
    const auto same = [&](const File& file) { return file.name == artifact.name; };
    if (needs_.files.exists(artifact.name) || std::any_of(files_.begin(), files_.end(), same)) {
      return conflict(fmt::format("there is {} already; give another name", url));
    }
    files_.push_back(std::move(artifact));
  }
  auto document = Document::parse(task.text, DocumentForm::markdown);
  if (!document) {
    return invalid(fmt::format("{}: {}. It is left as it is until you mend it by hand", task.name,
                               document.error().message));
  }
  JsonObject reference{{"url", url}};
  if (!operation.title.empty()) reference["title"] = operation.title;
  auto value =
      checked_value(task.task, TaskField::references, Json(JsonArray{std::move(reference)}));
  if (!value) return std::move(value).error();
  auto all = task_list_field(*document, TaskField::references);
  const Json added = value->get_array().front();
  all.push_back(added);
  auto set = set_task_field(*document, TaskField::references, Json(std::move(all)));
  if (!set) return std::move(set).error();
  if (auto marked = mark_task_changed(*document, needs_.now); !marked) return marked;
  if (auto taken = take_text(task, document->text()); !taken) return taken;
  lines_.push_back(
      {fmt::format("attached {} to {}", std::string(added.get_object().at("url").get_string()),
                   task.task.uri()),
       &task});
  return {};
}

// ---- delete, restore ----

Status TaskChanges::remove(const TaskOperation& operation) {
  auto found = find(operation.id);
  if (!found) return std::move(found).error();
  File& file = **found;
  if (!file.before) return invalid(fmt::format("{} is made by this very call", file.task.id));
  if (auto same = check_version(file, operation); !same) return same;
  // Work trees have a trash each, and one counter.
  if (auto opened = open_ids(); !opened) return opened;
  ids_->keep(file.task.id);
  file.removed = true;
  file.entry = needs_.files.new_entry(file.task.id, needs_.now);
  lines_.push_back(
      {fmt::format("deleted {}. Undo: {}", file.task.uri(), call_of("restore", file.entry)),
       nullptr});
  std::vector<std::string> left;
  for (const auto& list :
       {needs_.tasks.children(file.task.id), needs_.tasks.blocked_by(file.task.id)}) {
    for (const auto& task : list) {
      const bool told = std::find(left.begin(), left.end(), task.id) != left.end();
      if (left.size() < 10 && !told && needs_.gate.shows(task)) left.push_back(task.id);
    }
  }
  if (!left.empty()) {
    warnings_.push_back(fmt::format("still named by {}", fmt::join(left, ", ")));
  }
  return {};
}

Status TaskChanges::restore(const TaskOperation& operation) {
  const auto absent =
      not_found(fmt::format("the trash has no task \"{}\"", visible(cut_text(operation.id, 150))));
  auto entries = needs_.files.entries();
  std::string entry;
  for (auto at = entries.rbegin(); at != entries.rend() && entry.empty(); ++at) {
    const auto id = at->substr(at->rfind('~') + 1);
    if (*at == operation.id || task_key(id) == task_key(operation.id)) entry = *at;
  }
  if (entry.empty()) return absent;
  auto kept = needs_.files.read_entry(entry);
  if (!kept || !type_of_task_file(kept->file)) return absent;
  File file;
  file.name = kept->file;
  file.text = std::move(kept->text);
  file.entry = entry;
  file.task = read_task({file.name, file.text, file.text.size(), needs_.now});
  if (!needs_.gate.shows(file.task)) return absent;
  if (auto admitted = needs_.gate.admit_write(file.task); !admitted) return admitted;
  if (known(file.task.id) || in_call(file.task.id) != nullptr || needs_.files.exists(file.name)) {
    return conflict(fmt::format("there is a {} again: delete it, then restore this one with {}",
                                file.task.id, call_of("restore", entry)));
  }
  made_.push_back(file.task.id);
  files_.push_back(std::move(file));
  lines_.push_back({fmt::format("restored {}", files_.back().task.uri()), &files_.back()});
  return {};
}

}  // namespace lode
