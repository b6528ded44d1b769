#include "providers/backlog/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/manage_edit.h"

namespace lode {
namespace {

constexpr std::string_view kTaskTemplate = "mcp://backlog/tasks/{id}";
constexpr std::string_view kFileTemplate = "mcp://backlog/tasks/{id}/file";
constexpr std::string_view kResourceTemplate = "mcp://backlog/resources/{+path}";
constexpr std::string_view kArtifactTemplate = "mcp://backlog/artifacts/{+path}";
constexpr std::string_view kDecisions = "docs/adr";
constexpr std::string_view kRevision = "rev";
constexpr std::size_t kMostCompletions = 101;  // one more than is shown tells that there are more
constexpr std::chrono::milliseconds kPatience{250};

Error no_such() { return not_found("no such resource"); }

Content content_of(std::string text, std::string_view mime) {
  Content content = Content::text(std::move(text));
  content.mime = mime;
  return content;
}

std::string_view origin_of(const Tasks& tasks) {
  return tasks.place().within.empty() ? kOfUser : kOfWorkspace;
}

}  // namespace

BacklogProvider::BacklogProvider(Tasks& tasks, WatchedAddresses& watched,
                                 const BacklogFiles::Places& files)
    : tasks_(tasks),
      watched_(watched),
      workspace_(files.workspace),
      files_(files),
      file_bytes_(files.file_bytes),
      manifest_(std::make_shared<const Manifest>(make_manifest())) {}

Route BacklogProvider::route(TemplateEntry entry, Answer page, bool listed) {
  return {std::move(entry),
          [this, page](const Exchange& exchange, const Address& address) {
            return answer(exchange, address, page);
          },
          listed};
}

Manifest BacklogProvider::make_manifest() {
  using Self = BacklogProvider;
  const auto unlisted = [](std::string_view address) {
    return TemplateEntry{std::string(address), "", "", "", ""};
  };
  const auto read_file = [this](const Exchange& exchange, const Address& address) {
    return file(exchange, address);
  };
  Manifest manifest;
  manifest.name = "backlog";
  manifest.families = {{std::string(kBacklog)}};
  manifest.shows_files_at = {std::string(kTaskList) + "/", std::string(BacklogFiles::kArtifacts)};
  manifest.routes = {
      route({std::string(kTaskListTemplate), "tasks", "", "Tasks of the backlog, filtered",
             "application/json"},
            &Self::task_list),
      {{std::string(kTaskTemplate), "task", "", "A task", "application/json"},
       [this](const Exchange& exchange, const Address& address) {
         return task(exchange, address);
       }},
      {{std::string(kFileTemplate), "task file", "", "Its markdown", "text/markdown"},
       [this](const Exchange& exchange, const Address& address) {
         return task_file(exchange, address);
       }},
      {{"mcp://backlog/tasks/{id}/history", "task history", "", "Who changed what",
        "application/json"},
       [this](const Exchange& exchange, const Address& address) {
         return task_history(exchange, address);
       }},
      {{std::string(kResourceTemplate), "repository file", "", "A file of the repository", ""},
       read_file},
      {{std::string(kArtifactTemplate), "artifact", "", "An artifact of a task", ""}, read_file},
      {unlisted(BacklogFiles::kResources), read_file, false},
      {unlisted(BacklogFiles::kArtifacts), read_file, false},
      route(unlisted(kBoard), &Self::board, false),
      route(unlisted("mcp://backlog/problems{?after}"), &Self::problems, false),
  };
  return manifest;
}

// ---- which address ----

// A revision goes into the query, which no rule looks at: rules see the path without it.
Uri BacklogProvider::canonical(const Uri& uri) const {
  if (auto versioned = with_revision(uri)) return std::move(*versioned);
  const auto made = [&](std::string text, std::initializer_list<std::string_view> kept) {
    char before = '?';
    for (const auto name : kept) {
      const auto value = uri.query_value(name);
      if (!value) continue;
      text += fmt::format("{}{}={}", std::exchange(before, '&'), name, encode_component(*value));
    }
    auto one = Uri::parse(text);
    return one ? *one : uri;
  };
  if (const auto address = parse_task_address(uri)) {
    const auto task = tasks_.find(address->id);
    const auto text = address->uri(task ? task->id : address->id);
    if (address->of == TaskAddress::Of::history) return made(text, {"after", "from"});
    return made(text, {kRevision});
  }
  if (const auto path = parse_document_address(uri)) {
    const auto spot = files_.find_resource(*path);
    return spot ? made(spot->address, {kRevision}) : uri;
  }
  const auto spot = files_.find(uri);
  return spot ? made(spot->address, {"after", kRevision}) : uri;
}

std::optional<FileBehind> BacklogProvider::file_behind(const Uri& uri) const {
  if (const auto address = parse_task_address(uri)) {
    // One that is not there has the file that it would have, so that a rule about files does
    // not tell which are.
    const auto task = tasks_.find(address->id);
    const auto type = type_of_task_id(address->id).value_or(TaskType::task);
    const auto meant = fmt::format("{}/{}.md", task_folder(type), address->id);
    FileBehind file{tasks_.path_of(task ? task->file : meant), false, true};
    // A rule about the task holds for its file and its history.
    if (address->of != TaskAddress::Of::task) {
      file.also.push_back(task_uri(task ? task->id : address->id));
    }
    return file;
  }
  const auto spot = files_.find(uri);
  if (!spot) return std::nullopt;
  return FileBehind{spot->path, true, spot->looked_up};
}

// The task that a file is, or would be by its name, and the artifact.
std::vector<std::string> BacklogProvider::shown_at(std::string_view path) const {
  std::vector<std::string> out;
  if (auto artifact = files_.artifact_at(path)) out.push_back(std::move(*artifact));
  const auto file = tasks_.file_at(path);
  if (!file || !type_of_task_file(*file)) return out;
  tasks_.look_again(*file);
  const auto task = tasks_.in_file(*file);
  const auto id = task ? task->id : id_of_task_file(*file);
  for (const auto of : {TaskAddress::Of::task, TaskAddress::Of::file}) {
    out.push_back(TaskAddress{id, of}.uri(id));
  }
  return out;
}

std::optional<std::string> BacklogProvider::local_path(const Uri& uri) const {
  if (revision_of(uri)) return std::nullopt;  // no file of the work tree is it
  if (const auto address = parse_task_address(uri)) {
    const auto task = tasks_.find(address->id);
    return task ? std::optional(tasks_.path_of(*task)) : std::nullopt;
  }
  const auto spot = files_.find(uri);
  return spot && spot->there ? std::optional(spot->path) : std::nullopt;
}

// ---- waiting for tasks ----

// A file that was just written may not have been told of: it is looked for under the name that
// its id gives it.
std::optional<TaskHead> BacklogProvider::wait_for(const Exchange& exchange,
                                                  const std::string& id) const {
  auto found = tasks_.find(id);
  if (found || !is_task_id(id)) return found;
  const auto type = type_of_task_id(id).value_or(TaskType::task);
  tasks_.refresh(fmt::format("{}/{}.md", task_folder(type), id));
  found = tasks_.find(id);
  if (!found && tasks_.loading() && tasks_.wait_loaded(exchange.deadline)) found = tasks_.find(id);
  return found;
}

namespace {

Error still_reading() {
  constexpr std::chrono::milliseconds kRetry{1000};
  return {Code::unavailable, "the backlog is still being read; try again", kRetry};
}

}  // namespace

Status BacklogProvider::wait_for_all(const Exchange& exchange) const {
  if (!tasks_.loading() || tasks_.wait_loaded(exchange.deadline)) return {};
  return still_reading();
}

Status BacklogProvider::wait_for_index(const Exchange& exchange) const {
  if (tasks_.searchable() || tasks_.wait_searchable(exchange.deadline)) return {};
  return still_reading();
}

// ---- pages ----

Result<Outcome> BacklogProvider::answer(const Exchange& exchange, const Address& address,
                                        Answer page) const {
  auto content = (this->*page)(exchange, address);
  if (!content) return std::move(content).error();
  content->uri = address.uri().text();
  content->version = content_hash(content->bytes);
  content->origin = origin_of(tasks_);
  Contents contents;
  // What is made of all tasks changes when any of them does.
  if (address.uri().text() != kBoard) contents.made_from.emplace_back(kBoard);
  contents.items.push_back(std::move(*content));
  return contents;
}

Result<Content> BacklogProvider::task_list(const Exchange& exchange, const Address& address) const {
  const auto query = parse_task_list(address);
  if (!query) return query.error();
  auto all = query->words.empty() ? wait_for_all(exchange) : wait_for_index(exchange);
  if (!all) return std::move(all).error();
  auto page = task_list_page(*query, tasks_, TaskGate(exchange, tasks_));
  if (!page) return std::move(page).error();
  return content_of(std::move(*page), "application/json");
}

Result<Content> BacklogProvider::board(const Exchange& exchange, const Address&) const {
  if (tasks_.loading()) tasks_.wait_loaded(std::chrono::steady_clock::now() + kPatience);
  return content_of(board_page(tasks_, TaskGate(exchange, tasks_)), "text/markdown");
}

Result<Content> BacklogProvider::problems(const Exchange& exchange, const Address& address) const {
  std::size_t after = 0;
  if (const auto* text = address.find("after")) {
    const auto* const end = text->data() + text->size();
    const auto read = std::from_chars(text->data(), end, after);
    if (read.ec != std::errc() || read.ptr != end || after > Tasks::kMostProblems) {
      return invalid("\"after\" is a whole number");
    }
  }
  if (auto all = wait_for_all(exchange); !all) return std::move(all).error();
  return content_of(task_problems_page(tasks_, TaskGate(exchange, tasks_), after),
                    "application/json");
}

// ---- one task ----

// Kept for as long as the file is as it was, unless a change of what the task is related to is
// told.
Result<Outcome> BacklogProvider::from_file(const TaskHead& task, Content content) const {
  const auto folder = tasks_.folder();
  if (!folder) return no_such();
  content.version = content_hash(content.bytes);
  content.origin = origin_of(tasks_);
  Contents contents;
  contents.stamp = task.stamp;
  contents.files = {file_uri(join_path(folder->root().path(), task.file))};
  contents.stamp_now = [folder, file = task.file] { return folder->root().stamp(file); };
  contents.items.push_back(std::move(content));
  return contents;
}

Result<Outcome> BacklogProvider::task(const Exchange& exchange, const Address& address) const {
  if (const auto revision = revision_of(address.uri())) {
    return task_at_revision(exchange, address, *revision);
  }
  const auto head = wait_for(exchange, address.value("id"));
  // It may have come since the address was admitted.
  const TaskGate gate(exchange, tasks_);
  if (!head || !gate.may_read(*head)) return no_such();
  // Its children and what blocks it may be any of the others.
  if (auto all = wait_for_all(exchange); !all) return std::move(all).error();
  // The version first: if the file changes between the two, it is not that of the newer one.
  const auto bytes = tasks_.bytes_of(*head, kTaskTextBytes);
  auto whole = tasks_.read_whole(*head);
  if (!whole) return no_such();
  if (bytes) whole->version = lode::task_version(bytes->text);
  auto content = content_of(task_page(*whole, tasks_, gate), "application/json");
  content.uri = address.uri().text();
  content.modified = std::chrono::system_clock::time_point(std::chrono::seconds(whole->updated_at));
  return from_file(*whole, std::move(content));
}

Result<Outcome> BacklogProvider::task_file(const Exchange& exchange, const Address& address) const {
  if (const auto revision = revision_of(address.uri())) {
    return task_at_revision(exchange, address, *revision);
  }
  const auto head = wait_for(exchange, address.value("id"));
  if (!head || !TaskGate(exchange, tasks_).may_read(*head)) return no_such();
  auto bytes = tasks_.bytes_of(*head, file_bytes_);
  if (!bytes) return std::move(bytes).error();
  auto content = content_of(std::move(bytes->text), "text/markdown");
  const bool text = content.bytes.find('\0') == std::string::npos && valid_utf8(content.bytes);
  if (!text) content.form = Content::Form::binary;
  content.uri = address.uri().text();
  content.modified = bytes->modified;
  TaskHead as_read = *head;
  as_read.stamp = bytes->stamp;
  return from_file(as_read, std::move(content));
}

Result<Outcome> BacklogProvider::file(const Exchange& exchange, const Address& address) const {
  if (const auto revision = revision_of(address.uri())) {
    return file_version(exchange, address.uri(), *revision);
  }
  const auto spot = files_.find(address.uri());
  if (!spot) return no_such();
  return files_.read(exchange, *spot, address.uri());
}

// ---- lists ----

std::vector<Entry> BacklogProvider::fixed_entries() const {
  std::vector<Entry> out;
  const auto add = [&](std::string_view uri, std::string_view name, std::string_view description,
                       std::string_view mime) {
    Entry entry;
    entry.uri = uri;
    entry.name = name;
    entry.description = description;
    entry.mime = mime;
    out.push_back(std::move(entry));
  };
  if (tasks_.size() > 0) {
    add(kBoard, "Backlog board", "The open tasks on one page", "text/markdown");
  }
  const auto spot = files_.find_resource(kDecisions);
  const auto info = spot && spot->there ? workspace_.look(spot->place) : std::nullopt;
  if (info && S_ISDIR(info->st_mode)) {
    add(spot->address, "Architecture Decision Records", "The documents in docs/adr",
        "inode/directory");
  }
  return out;
}

// The board is told when any task is another; of the directory of decisions, whether it is there.
Freshness BacklogProvider::freshness() const {
  Freshness fresh{{std::string(kBoard)}};
  if (const auto place = workspace_.find_short(kDecisions)) {
    const auto stamp = [place = *place] { return place.tree->root.stamp(place.relative); };
    fresh.stamps.push_back({stamp(), stamp});
  }
  return fresh;
}

// Keys: "f" and how many of the fixed ones are over; "t" and the rank of the last task whose
// entries are over; "h" and the same, if the first of the next task's is over too.
Result<Page<Entry>> BacklogProvider::list(const Exchange& exchange, const ListQuery& query) {
  if (auto all = wait_for_all(exchange); !all) return std::move(all).error();
  Page<Entry> page;
  page.fresh_while = freshness();
  if (!query.after.empty() && !query.after.starts_with('f')) {
    add_tasks(exchange, query.after, query.limit, page);
    return page;
  }
  const auto fixed = fixed_entries();
  auto at = query.after.empty() ? 0 : std::strtoul(query.after.c_str() + 1, nullptr, 10);
  for (; at < fixed.size(); ++at) {
    if (page.items.size() == query.limit) {
      page.next = fmt::format("f{}", at);
      return page;
    }
    page.items.push_back(fixed[at]);
  }
  add_tasks(exchange, "t", query.limit, page);
  return page;
}

namespace {

Entry entry_of(const TaskHead& task) {
  Entry entry;
  entry.uri = task.uri();
  entry.name = fmt::format("Task {}: {}", task.id, visible(task.title));
  entry.description = visible(task.excerpt);
  entry.mime = "application/json";
  entry.modified = std::chrono::system_clock::time_point(std::chrono::seconds(task.updated_at));
  return entry;
}

Entry file_entry_of(const TaskHead& task) {
  Entry entry = entry_of(task);
  entry.uri += "/file";
  entry.name = task.id + ".md";
  entry.description.clear();
  entry.mime = "text/markdown";
  entry.size = static_cast<std::int64_t>(task.bytes);
  return entry;
}

}  // namespace

// Two entries for each open task: the task, and its file, of which a rule about the task is to
// hold too.
void BacklogProvider::add_tasks(const Exchange& exchange, std::string_view after, std::size_t limit,
                                Page<Entry>& page) const {
  Tasks::Query wanted;
  wanted.filter.statuses = {TaskStatus::in_progress, TaskStatus::open, TaskStatus::blocked};
  wanted.after = after.substr(1);
  wanted.limit = limit;
  bool half = after.starts_with('h');
  std::string last = wanted.after;
  const auto listed = tasks_.list(wanted);
  const TaskGate gate(exchange, tasks_);
  for (const auto& task : listed.tasks) {
    for (const bool is_file : {false, true}) {
      if ((half && !is_file) || (is_file && !gate.shows(task))) continue;
      if (page.items.size() == limit) {
        page.next = (is_file ? "h" : "t") + last;
        return;
      }
      page.items.push_back(is_file ? file_entry_of(task) : entry_of(task));
    }
    half = false;
    last = sort_key(TaskSort::rank, task);
  }
  if (listed.more) page.next = "t" + last;
}

Result<Page<Entry>> BacklogProvider::children(const Exchange& exchange, const Uri& uri,
                                              const ListQuery& query) {
  const auto spot = files_.find(uri);
  if (!spot) return invalid("not a directory");
  return files_.children(exchange, *spot, query);
}

// ---- completion ----

Result<Completions> BacklogProvider::complete(const Exchange& exchange,
                                              const CompletionQuery& query) {
  Completions found;
  const auto add_names = [&](const auto& all) {
    for (const auto each : all) {
      if (to_string(each).starts_with(query.value)) found.values.emplace_back(to_string(each));
    }
  };
  const auto& argument = query.argument;
  if (argument == "status") add_names(kTaskStatuses);
  if (argument == "type") add_names(kTaskTypes);
  if (argument == "id" || argument == "parent") complete_ids(exchange, query.value, found);
  // A label is for those who see a task that has it.
  if (argument == "label" || argument == "assignee") {
    const bool label = argument == "label";
    const TaskGate gate(exchange, tasks_);
    for (auto& name : label ? tasks_.labels(query.value, kMostCompletions)
                            : tasks_.assignees(query.value, kMostCompletions)) {
      Tasks::Query wanted;
      (label ? wanted.filter.label : wanted.filter.assignee) = name;
      wanted.limit = 1;
      wanted.shows = gate.shows_or_all();
      if (!wanted.shows || !tasks_.list(wanted).tasks.empty())
        found.values.push_back(std::move(name));
    }
  }
  if (argument == "path") {
    const auto base =
        query.name == kArtifactTemplate ? BacklogFiles::kArtifacts : BacklogFiles::kResources;
    for (auto& path : files_.complete(exchange, base, query.value)) {
      const auto uri = Uri::parse(join_path(base, encode_path(path)));
      if (uri && exchange.offers(Action::complete, *uri)) found.values.push_back(std::move(path));
      if (found.values.size() == kMostCompletions) break;
    }
  }
  return found;
}

void BacklogProvider::complete_ids(const Exchange& exchange, const std::string& begin,
                                   Completions& found) const {
  tasks_.each_from(task_key(begin), [&](const TaskHead& task) {
    if (!task_key(task.id).starts_with(task_key(begin))) return false;
    const auto uri = Uri::parse(task.uri());
    const FileBehind file{tasks_.path_of(task), false};
    if (uri && exchange.offers(Action::complete, *uri, file)) found.values.push_back(task.id);
    return found.values.size() < kMostCompletions;
  });
}

// ---- changes of files ----

void BacklogProvider::publish(const Workspace::Tree& tree, const Changes& changes,
                              Events& events) const {
  for (const auto& uri : watched_.all()) {
    const auto spot = files_.find(uri);
    if (!spot || spot->owner || spot->place.tree != &tree) continue;
    if (!touches(changes, spot->place.relative)) continue;
    events.publish({Change::Kind::resource, std::string(uri.text()), {}, {}, true});
  }
}

// ---- changes that nobody follows ----

void BacklogProvider::watch(const Uri& uri, bool on) {
  watched_.watch(uri, on);
  if (auto stamp = on ? outside_stamp(uri) : std::nullopt) {
    const Lock lock(outside_);
    artifacts_.insert_or_assign(uri, std::move(*stamp));
  }
  const auto address = parse_task_address(uri);
  if (!on || !address || address->of != TaskAddress::Of::history) return;
  const Lock lock(commits_);
  if (!seen_) see_head();
}

std::optional<std::string> BacklogProvider::outside_stamp(const Uri& uri) const {
  if (!uri.text().starts_with(BacklogFiles::kArtifacts)) return std::nullopt;
  const auto spot = files_.find(uri);
  if (!spot || !spot->owner) return std::nullopt;
  return fmt::format("{}:{}", spot->place.tree->root.stamp(spot->place.relative), spot->path);
}

void BacklogProvider::look_at_artifacts(Events& events) const {
  std::vector<Uri> changed;
  {
    const Lock lock(outside_);
    std::map<Uri, std::string> now;
    for (const auto& uri : watched_.all()) {
      auto stamp = outside_stamp(uri);
      if (!stamp) continue;
      const auto known = artifacts_.find(uri);
      if (known == artifacts_.end() || known->second != *stamp) changed.push_back(uri);
      now.emplace(uri, std::move(*stamp));
    }
    artifacts_ = std::move(now);
  }
  for (const auto& uri : changed) {
    events.publish({Change::Kind::resource, std::string(uri.text()), {}, {}, true});
  }
}

}  // namespace lode
