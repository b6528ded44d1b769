// Versions of what stands at the backlog's addresses, from git: …@{rev}, and the history of a
// task.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/provider.h"
#include "providers/backlog/task_address.h"
#include "providers/backlog/task_history.h"
#include "workspace/mime.h"

namespace lode {
namespace {

constexpr std::string_view kRevision = "rev";  // in the query of the one spelling
constexpr std::size_t kOnPage = 20;            // changes, of a history
constexpr std::size_t kMostSkipped = 10'000;   // on the pages before; what is older is not told

Error no_such() { return not_found("no such resource"); }

// What was read at a revision never changes there, but the revision may come to mean another:
// nothing is kept.
Outcome version_outcome(Content content, const GitFile& file, const Uri& uri) {
  content.uri = uri.text();
  content.version = file.commit;
  content.modified = file.time;
  content.origin = kOfWorkspace;
  Contents contents;
  contents.ttl = std::chrono::milliseconds(0);
  contents.items.push_back(std::move(content));
  return contents;
}

Content file_content(std::string bytes, std::string_view name) {
  Content content;
  const bool text = bytes.find('\0') == std::string::npos && valid_utf8(bytes);
  content.form = text ? Content::Form::text : Content::Form::binary;
  content.mime = mime_type(name, std::string_view(bytes).substr(0, kMimeHead));
  content.bytes = std::move(bytes);
  return content;
}

Task task_of(const TaskHead& head, std::string_view bytes, std::chrono::sys_seconds time) {
  const auto text = first_bytes(bytes, kTaskTextBytes);
  return read_task({head.file, text, bytes.size(), time});
}

}  // namespace

// "…@v2" in its one spelling, with the revision in the query: rules see the path without it.
// Nothing: there is no revision, or something stands at the path as it is.
std::optional<Uri> BacklogProvider::with_revision(const Uri& uri) const {
  if (uri.path().find('@') == std::string_view::npos) return std::nullopt;
  const auto text = uri.text_without_query();
  const auto exists = [&](const std::string&) {
    const auto spot = files_.find(uri);
    return spot && spot->there;
  };
  const auto versioned = split_revision(uri.path(), exists);
  if (!versioned) return std::nullopt;
  const auto plain = Uri::parse(text.substr(0, text.rfind('@')));
  if (!plain) return std::nullopt;
  const auto one = canonical(*plain);
  // Pages and histories are of the present: an "@" in their address means nothing.
  const auto task = parse_task_address(one);
  if (task ? task->of == TaskAddress::Of::history : !files_.find(one)) return std::nullopt;
  auto made = Uri::parse(fmt::format("{}?{}={}", one.text_without_query(), kRevision,
                                     encode_component(versioned->revision)));
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

Status BacklogProvider::watchable(const Uri& uri) const {
  if (revision_of(uri)) {
    return invalid("a version from git never changes; subscribe to the address without \"@\"");
  }
  const auto list = parse_task_list(uri);
  return list || list.error().code == Code::not_found ? Status() : list.error();
}

std::optional<std::string> BacklogProvider::revision_of(const Uri& uri) {
  return uri.query_value(kRevision);
}

Result<Outcome> BacklogProvider::file_version(const Exchange& exchange, const Uri& uri,
                                              const std::string& revision) const {
  const auto spot = files_.find(uri);
  if (!spot) return no_such();
  const auto& [tree, relative] = spot->place;
  auto file = versions_.read(tree->root, relative, revision, exchange.deadline, exchange.stop);
  if (!file) return std::move(file).error();
  if (!file->directory) {
    auto content = file_content(std::move(file->bytes), last_name(spot->path));
    return version_outcome(std::move(content), *file, uri);
  }
  std::string lines;
  for (const auto& entry : file->entries) {
    if (workspace_.secrets().hides(join_path(relative, entry.name))) continue;
    const auto address = Uri::parse(join_path(spot->address, encode_path(entry.name)));
    if (!address || !exchange.offers(Action::list, *address)) continue;
    lines.append(version_address(address->text(), revision)).append("\n");
  }
  auto content = Content::text(std::move(lines));
  content.mime = "inode/directory";
  return version_outcome(std::move(content), *file, uri);
}

// Where a task is, and where it may have been: under the name that its id gives it, in each of the
// layouts. Only what the caller may read: what is not there any more has rules too.
std::vector<TaskHead> BacklogProvider::places_of(const Exchange& exchange,
                                                 const std::string& id) const {
  std::vector<TaskHead> places;
  if (!is_task_id(id)) return places;
  const TaskGate gate(exchange, tasks_);
  const auto now = wait_for(exchange, id);
  const auto add = [&](TaskHead head) {
    const auto same = [&](const TaskHead& each) { return each.file == head.file; };
    if (std::ranges::none_of(places, same) && gate.may_read(head)) places.push_back(head);
  };
  if (now) add(*now);
  const auto type = type_of_task_id(id).value_or(TaskType::task);
  for (const auto& folder : {std::string(task_folder(type)), std::string("tasks")}) {
    for (const char* docs : {"", "docs/"}) {
      TaskHead head;
      head.id = now ? now->id : id;
      head.type = type;
      head.file = fmt::format("{}{}/{}.md", docs, folder, head.id);
      add(std::move(head));
    }
  }
  // A rule that denies the task where it is denies all that it was.
  if (now && (places.empty() || places.front().file != now->file)) places.clear();
  return places;
}

// Under one of its names; else under one that begins with the id, as the folder had it then.
Result<BacklogProvider::TaskAtRevision> BacklogProvider::find_at_revision(
    const Exchange& exchange, const std::string& id, const std::string& revision) const {
  const auto read = [&](const std::string& file) -> Result<GitFile> {
    const auto spot = files_.place_of(tasks_.path_of(file));
    if (!spot) return no_such();
    return versions_.read(spot->place.tree->root, spot->place.relative, revision, exchange.deadline,
                          exchange.stop);
  };
  const auto places = places_of(exchange, id);
  for (const auto& head : places) {
    auto file = read(head.file);
    if (!file && file.error().code != Code::not_found) return std::move(file).error();
    if (file && !file->directory) return TaskAtRevision{head, std::move(*file)};
  }
  const TaskGate gate(exchange, tasks_);
  for (auto head : places) {
    const auto folder = std::string(parent_path(head.file));
    const auto listed = read(folder);
    if (!listed || !listed->directory) continue;
    for (const auto& entry : listed->entries) {
      head.file = join_path(folder, entry.name);
      const bool its = !entry.directory && type_of_task_file(head.file) &&
                       task_key(id_of_task_file(head.file)) == task_key(head.id);
      if (!its || !gate.may_read(head)) continue;
      auto file = read(head.file);
      if (file && !file->directory) return TaskAtRevision{head, std::move(*file)};
    }
  }
  return no_such();
}

// What the task was then; what others meant to it then is not told.
Result<Outcome> BacklogProvider::task_at_revision(const Exchange& exchange, const Address& address,
                                                  const std::string& revision) const {
  auto found = find_at_revision(exchange, address.value("id"), revision);
  if (!found) return std::move(found).error();
  auto& [head, file] = *found;
  const auto parsed = parse_task_address(address.uri());
  if (parsed && parsed->of == TaskAddress::Of::file) {
    auto content = file_content(std::move(file.bytes), "a.md");
    return version_outcome(std::move(content), file, address.uri());
  }
  auto content = Content::text(task_version_page(task_of(head, file.bytes, file.time)));
  content.mime = "application/json";
  return version_outcome(std::move(content), file, address.uri());
}

// The changes of a file under all its names, the newest first. A commit that renamed it is one
// change.
Result<GitFileHistory> BacklogProvider::history_of(const Exchange& exchange, const Root& root,
                                                   const std::vector<TaskHead>& places,
                                                   const GitHistoryPage& page) const {
  std::vector<std::string> paths;
  for (const auto& head : places) {
    const auto spot = files_.place_of(tasks_.path_of(head));
    if (spot) paths.push_back(spot->place.relative);
  }
  if (paths.empty()) return GitFileHistory();
  auto history = versions_.history(root, paths, page, exchange.deadline, exchange.stop);
  if (history && history->more && page.skip + history->changes.size() > kMostSkipped) {
    history->more = false;
    history->whole = false;
  }
  return history;
}

// How many changes the pages before have shown. In no template, since nobody makes them up: a
// page names the next.
Result<GitHistoryPage> BacklogProvider::history_page(const Uri& uri) {
  GitHistoryPage page{uri.query_value("from").value_or(""), 0, kOnPage};
  const auto after = uri.query_value("after");
  if (!after) return page;
  const auto* const end = after->data() + after->size();
  const auto read = std::from_chars(after->data(), end, page.skip);
  if (read.ec != std::errc() || read.ptr != end || page.skip > kMostSkipped) {
    return invalid(fmt::format("\"after\" is a whole number up to {}", kMostSkipped));
  }
  return page;
}

Result<Outcome> BacklogProvider::task_history(const Exchange& exchange,
                                              const Address& address) const {
  const auto page = history_page(address.uri());
  if (!page) return page.error();
  const auto places = places_of(exchange, address.value("id"));
  const auto spot = places.empty() ? std::nullopt : files_.place_of(tasks_.path_of(places.front()));
  if (!spot) return no_such();
  const auto& head = places.front();
  const auto& root = spot->place.tree->root;
  const auto history = history_of(exchange, root, places, *page);
  if (!history) return history.error();
  if (!tasks_.find(head.id) && history->changes.empty()) return no_such();
  std::vector<std::string> ids;
  for (const auto& change : history->changes) {
    for (const auto* id : {&change.before, &change.after}) {
      if (!id->empty() && std::ranges::find(ids, *id) == ids.end()) ids.push_back(*id);
    }
  }
  auto blobs = ids.empty() ? Result(std::vector<std::optional<std::string>>())
                           : versions_.blobs(root, spot->place.relative, ids, exchange.deadline,
                                             exchange.stop);
  if (!blobs) return std::move(blobs).error();
  const auto version = [&](const std::string& id, std::chrono::sys_seconds time) {
    const auto at = std::ranges::find(ids, id);
    const auto index = static_cast<std::size_t>(at - ids.begin());
    const bool known = at != ids.end() && index < blobs->size() && (*blobs)[index];
    return known ? std::optional(task_of(head, *(*blobs)[index], time)) : std::nullopt;
  };
  std::vector<TaskRevision> revisions;
  for (const auto& change : history->changes) {
    revisions.push_back(
        {change.id, change.author, task_time(change.time), change.subject,
         changes_between(version(change.before, change.time), version(change.after, change.time))});
  }
  const auto next = history->more ? fmt::format("{}/history?after={}&from={}", head.uri(),
                                                page->skip + history->changes.size(), history->from)
                                  : "";
  auto content = Content::text(task_history_page(head, revisions, next, history->whole));
  content.mime = "application/json";
  content.uri = address.uri().text();
  content.version = content_hash(content.bytes);
  content.origin = kOfWorkspace;
  Contents contents;
  contents.ttl = std::chrono::milliseconds(0);
  contents.items.push_back(std::move(content));
  return contents;
}

// ---- commits ----

std::vector<Uri> BacklogProvider::watched_histories() const {
  auto all = watched_.all();
  std::erase_if(all, [](const Uri& uri) {
    const auto address = parse_task_address(uri);
    return !address || address->of != TaskAddress::Of::history;
  });
  return all;
}

// Whether HEAD is another commit than it was.
bool BacklogProvider::see_head() const {
  const auto spot = files_.place_of(tasks_.path_of("tasks/TASK-0001.md"));
  const auto top = spot ? Git::top_of(spot->place.tree->root, spot->place.relative) : no_such();
  if (!top) return false;
  const auto& root = spot->place.tree->root;
  const auto stamp = Git::stamp(root, *top);
  const bool same = seen_ && stamp != 0 && stamp == seen_->stamp;
  if (same && !seen_->unsettled) return false;
  const auto head = git_.head(root, *top);
  if (!head) return false;
  const bool other = seen_ && head->id != seen_->id;
  // git writes its log before the branch: it is looked at once more.
  seen_ = SeenHead{head->id, stamp, !same};
  return other;
}

void BacklogProvider::look_at_commits(Events& events) const {
  const auto histories = watched_histories();
  {
    const Lock lock(commits_);
    if (histories.empty()) {
      seen_.reset();
      return;
    }
    if (!see_head()) return;
  }
  for (const auto& uri : histories) {
    const auto file = file_behind(uri);
    const auto address = parse_task_address(uri);
    if (!file || !address) continue;
    std::vector<Cause> because{{task_uri(address->id), *file}};
    events.publish({Change::Kind::resource, std::string(uri.text()), {}, std::move(because)});
  }
}

}  // namespace lode
