#include "providers/backlog/task_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/base64.h"
#include "base/hash.h"
#include "base/tokens.h"
#include "base/uri.h"
#include "base/utf8.h"
#include "providers/backlog/task_fields.h"
#include "search/snippet.h"

namespace lode {
namespace {

constexpr std::size_t kRelated = 100;  // children, blockers and so on that one task names
constexpr std::size_t kSnippetBytes = 160;
constexpr std::size_t kListed = 20;        // labels and dependencies that a task names in a list
constexpr std::size_t kItemTokens = 2000;  // of a task in a list
constexpr std::size_t kFrameTokens = 30;   // of a page, besides tasks and the address of the next
constexpr std::size_t kMostFound = 1000;   // of a search, on all its pages
constexpr std::string_view kList = "mcp://backlog/tasks";

std::size_t tokens_in(std::string_view text) { return Tokenizer::o200k().count(text); }

// How much of a task's lists is written, and of its texts.
struct Room {
  std::size_t items = std::string::npos;
  std::size_t bytes = std::string::npos;
};

// Of more than there is room for, the first, and how many there are.
void write_texts(JsonWriter& w, std::string_view name, const std::vector<std::string>& texts,
                 const Room& room = {}) {
  if (texts.empty()) return;
  w.key(name).begin_array();
  for (std::size_t i = 0; i < std::min(texts.size(), room.items); ++i) {
    w.value(cut_text(texts[i], room.bytes));
  }
  w.end_array();
  if (texts.size() > room.items) {
    w.member(fmt::format("{}_count", name), static_cast<std::int64_t>(texts.size()));
  }
}

// Another task, as a line of this one.
void write_related(JsonWriter& w, const TaskHead& task) {
  w.begin_object().member("id", task.id).member("title", task.title);
  if (has_status(task.type)) w.member("status", to_string(task.status));
  w.member("uri", task.uri()).end_object();
}

void write_related(JsonWriter& w, std::string_view name, std::vector<TaskHead> tasks,
                   const TaskGate& gate) {
  gate.keep_shown(tasks);
  if (tasks.empty()) return;
  w.key(name).begin_array();
  for (std::size_t i = 0; i < std::min(tasks.size(), kRelated); ++i) write_related(w, tasks[i]);
  w.end_array();
  if (tasks.size() > kRelated) {
    w.member(fmt::format("{}_count", name), static_cast<std::int64_t>(tasks.size()));
  }
}

// The members that a list has too.
void write_head(JsonWriter& w, const TaskHead& task, const Room& room = {}) {
  const auto cut = [&](const std::string& text) { return cut_text(text, room.bytes); };
  w.member("id", task.id).member("title", cut(task.title)).member("type", to_string(task.type));
  if (task.malformed) {
    w.member("malformed", true);
  } else if (has_status(task.type)) {
    w.member("status", to_string(task.status)).member("priority", to_string(task.priority));
  }
  w.member_if("parent", task.parent);
  write_texts(w, "dependencies", task.dependencies, room);
  write_texts(w, "labels", task.labels, room);
  w.member_if("assignee", cut(task.assignee)).member_if("due", cut(task.due));
}

void write_details(JsonWriter& w, const Task& task) {
  if (task.order) w.member("order", *task.order);
  w.member("created", task.created).member("updated", task.updated);
  if (!task.references.empty()) {
    w.key("references").begin_array();
    for (const auto& each : task.references) {
      w.begin_object().member("url", each.url).member_if("title", each.title).end_object();
    }
    w.end_array();
  }
  if (!task.acceptance.empty()) {
    w.key("acceptance_criteria").begin_array();
    for (const auto& each : task.acceptance) {
      w.begin_object().member("text", each.text).member("done", each.done).end_object();
    }
    w.end_array();
  }
  write_texts(w, "evidence", task.evidence);
  write_texts(w, "blocked_reason", task.blocked_reason);
}

void write_other_fields(JsonWriter& w, const Task& task) {
  JsonObject others;
  for (const auto& [key, value] : task.fields) {
    if (!is_task_key(key)) others.emplace(key, value);
  }
  if (!others.empty()) w.member("fields", Json(std::move(others)));
}

void write_problems(JsonWriter& w, const std::vector<TaskProblem>& problems) {
  if (problems.empty()) return;
  w.key("problems").begin_array();
  for (const auto& problem : problems) {
    w.begin_object();
    if (problem.line > 0) w.member("line", static_cast<std::int64_t>(problem.line));
    w.member("problem", problem.text).end_object();
  }
  w.end_array();
}

// Metadata of the resource, beside what the protocol carries.
void write_resource(JsonWriter& w, const Task& task) {
  w.key("resource").begin_object();
  w.key("tags").begin_array();
  for (const auto& label : task.labels) w.value(label);
  w.end_array();
  w.member("description", task.excerpt).member("size", static_cast<std::int64_t>(task.bytes));
  w.member("modified", task.updated).member_if("version", task.version);
  w.member("file", task.uri() + "/file").end_object();
}

}  // namespace

std::string task_page(const Task& task, const Tasks& tasks, const TaskGate& gate) {
  std::string out;
  JsonWriter w(out);
  w.begin_object();
  write_head(w, task);
  w.member("uri", task.uri()).member_if("version", task.version);
  if (task.type == TaskType::task && !task.malformed) {
    w.member("ready",
             tasks.is_ready(task, [&](const TaskHead& other) { return gate.shows(other); }));
  }
  write_details(w, task);
  write_related(w, "children", tasks.children(task.id), gate);
  write_related(w, "blocked_by", tasks.blockers(task), gate);
  write_related(w, "blocks", tasks.blocked_by(task.id), gate);
  write_other_fields(w, task);
  write_problems(w, task.problems);
  write_resource(w, task);
  w.member("body", task.body);
  if (task.body_cut) w.member("body_cut", true);
  w.end_object();
  return out;
}

std::string task_version_page(const Task& task) {
  std::string out;
  JsonWriter w(out);
  w.begin_object();
  write_head(w, task);
  w.member("uri", task.uri());
  write_details(w, task);
  write_other_fields(w, task);
  write_problems(w, task.problems);
  w.member("body", task.body).end_object();
  return out;
}

// ---- lists ----

namespace {

struct Item {
  std::string text;
  std::size_t tokens = 0;
};

std::string item_text(const TaskHead& task, std::string_view snippet, const Room& room) {
  std::string out;
  JsonWriter w(out);
  w.begin_object();
  write_head(w, task, room);
  if (task.criteria > 0)
    w.member("criteria", fmt::format("{}/{}", task.criteria_done, task.criteria));
  w.member_if("snippet", cut_text(snippet, room.bytes)).end_object();
  return out;
}

// In a list a task names a few of what it has many of, and less where even that is too long:
// any task fits on a page.
Item item_of(const TaskHead& task, std::string_view snippet) {
  constexpr std::array<Room, 3> kRooms{{{kListed}, {kListed / 4}, {0, 40}}};
  Item item;
  for (const auto& room : kRooms) {
    item.text = item_text(task, snippet, room);
    item.tokens = tokens_in(item.text) + 1;
    if (item.tokens <= kItemTokens) break;
  }
  return item;
}

// Puts items into a page until it is full.
class PageWriter {
 public:
  // frugal: what they cost counts.
  explicit PageWriter(bool frugal) : frugal_(frugal), writer_(out_) {
    writer_.begin_object().key("tasks").begin_array();
  }

  // next: the address of the page after this one, if it ended behind the item. False: there is
  // no room; of the first there always is.
  bool add(const Item& item, std::string_view next) {
    constexpr std::size_t kMost = kListTokens - kFrameTokens;
    const auto with_item = tokens_ + item.tokens;
    // There are no more tokens than bytes: mostly they need not be counted.
    const bool fits =
        !frugal_ || with_item + next.size() <= kMost || with_item + tokens_in(next) <= kMost;
    if (count_ > 0 && !fits) return false;
    tokens_ = with_item;
    ++count_;
    writer_.raw(item.text);
    return true;
  }

  // total: of the whole list; nothing: nobody counted. next: where the page after this one begins;
  // empty: there is none.
  std::string end(std::optional<std::size_t> total, std::string_view next, bool loading) {
    writer_.end_array();
    if (total) writer_.member("total", static_cast<std::int64_t>(*total));
    writer_.member_if("next", next);
    if (loading) writer_.member("incomplete", "the backlog is still being read");
    writer_.end_object();
    return std::move(out_);
  }

 private:
  const bool frugal_;
  std::string out_;
  JsonWriter writer_;
  std::size_t tokens_ = 0;
  std::size_t count_ = 0;
};

// What a cursor begins with: it is one of this very list, filtered and sorted so. Behind it is the
// key of the last task of its page, which the caller has been shown, so that nothing in it is
// secret; it is the same for the same page, so that this has one version.
std::string cursor_mark(const TaskListQuery& query) {
  return fmt::format("t1:{:.16}:", content_hash(query.parameters));
}

std::string next_page(const TaskListQuery& query, std::string_view after) {
  return fmt::format("{}?{}{}cursor={}", kList, query.parameters,
                     query.parameters.empty() ? "" : "&",
                     encode_component(base64url_encode(cursor_mark(query).append(after))));
}

// The key in a cursor; empty: there is none, and the list begins. Nothing: it is not one of this
// list.
std::optional<std::string> key_in_cursor(const TaskListQuery& query) {
  if (query.cursor.empty()) return "";
  const auto text = base64url_decode(query.cursor);
  const auto mark = cursor_mark(query);
  if (!text || !text->starts_with(mark) || text->size() == mark.size()) return std::nullopt;
  return text->substr(mark.size());
}

// Of a search: how many are over. Nothing: it is not a number.
std::optional<std::size_t> count_in(std::string_view key) {
  std::size_t count = 0;
  if (key.empty()) return count;
  const auto read = std::from_chars(key.data(), key.data() + key.size(), count);
  if (read.ec != std::errc() || read.ptr != key.data() + key.size()) return std::nullopt;
  return count;
}

// How many hits a page needs. To sort them, and to know how many there are, all are wanted; a page
// of the best is found much quicker without.
std::size_t most_found(const TaskListQuery& query, std::size_t from) {
  const bool all = query.sort || query.limit > 0;
  return all ? kMostFound : std::min(from + kFoundTasks + 1, kMostFound);
}

// Best first; or the best, sorted as the query says.
std::vector<Tasks::Hit> found_by(const TaskListQuery& query, std::size_t most, const Tasks& tasks,
                                 const TaskGate& gate) {
  auto hits = tasks.search(query.words, query.filter, most, gate.shows_or_all());
  if (!query.sort) return hits;
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    order.emplace_back(sort_key(*query.sort, hits[i].task), i);
  }
  std::ranges::sort(order);
  std::vector<Tasks::Hit> sorted;
  for (const auto& [key, i] : order) sorted.push_back(std::move(hits[i]));
  return sorted;
}

std::string found_page(const TaskListQuery& query, std::size_t from, const Tasks& tasks,
                       const TaskGate& gate) {
  PageWriter page(query.limit == 0);
  const auto next_at = [&](std::size_t at) { return next_page(query, std::to_string(at)); };
  const auto most = most_found(query, from);
  const auto hits = found_by(query, most, tasks, gate);
  const auto end = std::min(hits.size(), from + (query.limit == 0 ? kFoundTasks : query.limit));
  std::size_t at = from;
  for (; at < end; ++at) {
    const auto& task = hits[at].task;
    const auto whole = tasks.read_whole(task);
    const auto snippet = whole ? snippet_of(whole->body, query.words, kSnippetBytes) : "";
    if (!page.add(item_of(task, snippet), next_at(at + 1))) break;
  }
  const bool all = hits.size() < most || most == kMostFound;
  return page.end(all ? std::optional(hits.size()) : std::nullopt,
                  at < hits.size() ? next_at(at) : "", !tasks.searchable());
}

}  // namespace

Result<std::string> task_list_page(const TaskListQuery& query, const Tasks& tasks,
                                   const TaskGate& gate) {
  const auto no_cursor = [] {
    return invalid("\"cursor\" is not one of this list; begin without it");
  };
  const auto after = key_in_cursor(query);
  if (!after) return no_cursor();
  if (!query.words.empty()) {
    const auto from = count_in(*after);
    if (!from) return no_cursor();
    return found_page(query, std::min(*from, kMostFound), tasks, gate);
  }
  Tasks::Query wanted;
  wanted.filter = query.filter;
  wanted.sort = query.sort.value_or(TaskSort::rank);
  wanted.after = *after;
  wanted.limit = query.limit == 0 ? kListTasks : query.limit;
  wanted.shows = gate.shows_or_all();
  const auto listed = tasks.list(wanted);
  PageWriter page(query.limit == 0);
  std::string next;
  bool more = listed.more;
  for (const auto& task : listed.tasks) {
    auto behind = next_page(query, sort_key(wanted.sort, task));
    if (!page.add(item_of(task, ""), behind)) {
      more = true;
      break;
    }
    next = std::move(behind);
  }
  return page.end(tasks.count(wanted), more ? next : "", tasks.loading());
}

// ---- the board ----

namespace {

constexpr std::size_t kTitleOnBoard = 80;
constexpr std::size_t kRows = 12;  // of a section at most

std::string row_of(const TaskHead& task) {
  std::string row = fmt::format("- {} {}", visible(cut_text(task.id, 40)),
                                visible(cut_text(task.title, kTitleOnBoard)));
  if (task.type != TaskType::task) row += fmt::format(" [{}]", to_string(task.type));
  if (task.priority != TaskPriority::medium) row += fmt::format(" !{}", to_string(task.priority));
  if (!task.due.empty()) row += fmt::format(" due {}", visible(cut_text(task.due, 20)));
  if (!task.assignee.empty()) row += fmt::format(" @{}", visible(cut_text(task.assignee, 20)));
  if (task.criteria > 0) row += fmt::format(" {}/{}", task.criteria_done, task.criteria);
  return row + "\n";
}

struct Section {
  std::string_view title;
  std::string_view address;  // of the whole list
  TaskFilter filter;
};

std::vector<Section> sections() {
  TaskFilter progress;
  progress.statuses = {TaskStatus::in_progress};
  TaskFilter ready;
  ready.ready = true;
  TaskFilter blocked;
  blocked.statuses = {TaskStatus::blocked};
  TaskFilter open;
  open.waiting = true;
  return {{"In progress", "mcp://backlog/tasks?status=in_progress", progress},
          {"Ready", "mcp://backlog/tasks?ready=true", ready},
          {"Blocked", "mcp://backlog/tasks?status=blocked", blocked},
          {"Open, not ready", "mcp://backlog/tasks?ready=false", open}};
}

struct BoardCounts {
  std::array<std::size_t, kTaskStatusCount> by_status{};
  std::size_t ready = 0;
  std::size_t all = 0;
};

BoardCounts counts_of(const Tasks& tasks, const TaskGate& gate) {
  BoardCounts out;
  if (gate.sees_all()) {
    const auto counts = tasks.counts();
    for (const auto type : kTaskTypes) {
      for (std::size_t i = 0; has_status(type) && i < kTaskStatusCount; ++i) {
        out.by_status[i] += counts[static_cast<std::size_t>(type)][i];
      }
    }
    out.ready = tasks.ready_count();
    out.all = tasks.size();
    return out;
  }
  tasks.each([&](const TaskHead& task) {
    if (!gate.shows(task)) return true;
    ++out.all;
    if (!task.malformed && has_status(task.type)) {
      ++out.by_status[static_cast<std::size_t>(task.status)];
    }
    return true;
  });
  Tasks::Query ready;
  ready.filter.ready = true;
  ready.limit = out.all + 1;
  ready.shows = gate.shows_or_all();
  out.ready = tasks.list(ready).tasks.size();
  return out;
}

class BoardWriter {
 public:
  explicit BoardWriter(std::string head) : text_(std::move(head)), tokens_(tokens_in(text_)) {}

  // False: there is no room.
  bool add(std::string_view line) {
    const auto tokens = tokens_in(line) + 1;
    if (tokens_ + tokens > kBoardTokens) return false;
    tokens_ += tokens;
    text_ += line;
    return true;
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
  std::size_t tokens_;
};

void add_section(BoardWriter& board, const Section& section, std::size_t count, const Tasks& tasks,
                 const TaskGate& gate) {
  if (count == 0) return;
  Tasks::Query query;
  query.filter = section.filter;
  query.limit = kRows;
  query.shows = gate.shows_or_all();
  const auto listed = tasks.list(query).tasks;
  if (!board.add(fmt::format("\n## {} ({})\n", section.title, count))) return;
  std::size_t shown = 0;
  for (const auto& task : listed) {
    if (!board.add(row_of(task))) break;
    ++shown;
  }
  if (shown < count) board.add(fmt::format("- {} more: {}\n", count - shown, section.address));
}

}  // namespace

std::string board_page(const Tasks& tasks, const TaskGate& gate) {
  const auto counts = counts_of(tasks, gate);
  const auto of = [&](TaskStatus status) {
    return counts.by_status[static_cast<std::size_t>(status)];
  };
  std::string head = "# Backlog\n\n";
  head += fmt::format("{} in progress, {} open ({} ready), {} blocked, {} done, {} cancelled.\n",
                      of(TaskStatus::in_progress), of(TaskStatus::open), counts.ready,
                      of(TaskStatus::blocked), of(TaskStatus::done), of(TaskStatus::cancelled));
  head +=
      "A task whole: mcp://backlog/tasks/ID. Lists: mcp://backlog/tasks?status=open&label=NAME\n";
  if (tasks.loading()) head += "The backlog is still being read: there may be more.\n";
  BoardWriter board(std::move(head));
  for (const auto& section : sections()) {
    const auto& filter = section.filter;
    const auto open = of(TaskStatus::open);
    const auto count = filter.ready     ? counts.ready
                       : filter.waiting ? open - std::min(counts.ready, open)
                                        : of(filter.statuses.front());
    add_section(board, section, count, tasks, gate);
  }
  if (const auto amiss = tasks.troubled(gate.shows_or_all()); amiss > 0) {
    board.add(fmt::format("\n{} files have problems: mcp://backlog/problems\n", amiss));
  }
  return std::move(board).text();
}

std::string task_problems_page(const Tasks& tasks, const TaskGate& gate, std::size_t after) {
  constexpr std::size_t kOnPage = 100;
  const auto problems = tasks.problems(gate.shows_or_all());
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("count", static_cast<std::int64_t>(problems.size()));
  w.key("problems").begin_array();
  const auto end = std::min(problems.size(), after + kOnPage);
  for (std::size_t i = std::min(after, problems.size()); i < end; ++i) {
    const auto& problem = problems[i];
    w.begin_object().member("id", problem.task.id).member("file", visible(problem.task.file));
    if (problem.line > 0) w.member("line", static_cast<std::int64_t>(problem.line));
    w.member("problem", problem.text).member("uri", problem.task.uri()).end_object();
  }
  w.end_array();
  if (end < problems.size()) w.member("next", fmt::format("mcp://backlog/problems?after={}", end));
  w.end_object();
  return out;
}

}  // namespace lode
