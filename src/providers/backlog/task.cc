#include "providers/backlog/task.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/uri.h"
#include "base/utf8.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/task_body.h"
#include "providers/backlog/task_fields.h"
#include "providers/backlog/task_mentions.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, kTaskTypeCount> kTypeNames{"task", "epic", "folder",
                                                                  "milestone", "artifact"};
constexpr std::array<std::string_view, kTaskStatusCount> kStatusNames{
    "in_progress", "open", "blocked", "done", "cancelled"};
constexpr std::array<std::string_view, 5> kPriorityNames{"critical", "high", "medium", "low",
                                                         "lowest"};

template <class T>
using Word = std::pair<std::string_view, T>;

constexpr std::array kStatusWords{
    Word<TaskStatus>{"todo", TaskStatus::open},
    Word<TaskStatus>{"to_do", TaskStatus::open},
    Word<TaskStatus>{"new", TaskStatus::open},
    Word<TaskStatus>{"pending", TaskStatus::open},
    Word<TaskStatus>{"doing", TaskStatus::in_progress},
    Word<TaskStatus>{"started", TaskStatus::in_progress},
    Word<TaskStatus>{"complete", TaskStatus::done},
    Word<TaskStatus>{"completed", TaskStatus::done},
    Word<TaskStatus>{"closed", TaskStatus::done},
    Word<TaskStatus>{"canceled", TaskStatus::cancelled},
};
constexpr std::array kPriorityWords{
    Word<TaskPriority>{"urgent", TaskPriority::critical},
    Word<TaskPriority>{"highest", TaskPriority::critical},
    Word<TaskPriority>{"normal", TaskPriority::medium},
    Word<TaskPriority>{"none", TaskPriority::medium},
    Word<TaskPriority>{"p0", TaskPriority::critical},
    Word<TaskPriority>{"p1", TaskPriority::high},
    Word<TaskPriority>{"p2", TaskPriority::medium},
    Word<TaskPriority>{"p3", TaskPriority::low},
    Word<TaskPriority>{"p4", TaskPriority::lowest},
    Word<TaskPriority>{"0", TaskPriority::critical},
    Word<TaskPriority>{"1", TaskPriority::high},
    Word<TaskPriority>{"2", TaskPriority::medium},
    Word<TaskPriority>{"3", TaskPriority::low},
    Word<TaskPriority>{"4", TaskPriority::lowest},
};

// "In Progress" as "in_progress".
std::string folded(std::string_view name) {
  std::string out(name.substr(0, kShortTextBytes));
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 32);
    if (c == ' ' || c == '-') c = '_';
  }
  return out;
}

// By name, else by one of the words.
template <class T, std::size_t kNames, std::size_t kWords>
std::optional<T> find_in(std::string_view name, const std::array<std::string_view, kNames>& names,
                         const std::array<Word<T>, kWords>& words) {
  const auto wanted = folded(name);
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<T>(found - names.begin());
  const auto word = std::find_if(words.begin(), words.end(),
                                 [&](const Word<T>& each) { return each.first == wanted; });
  return word == words.end() ? std::nullopt : std::optional(word->second);
}

bool is_scalar(const YamlNode& node) { return !node.is_list() && !node.is_map(); }

// UTF-8 as YAML is, of at most so many bytes.
std::string cut(std::string_view text, std::size_t most) {
  return std::string(first_bytes(text, most));
}

std::int64_t seconds_of(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

// Reads the fields of one frontmatter, and notes what is wrong with them.
class FieldReader {
 public:
  FieldReader(const YamlNode& map, std::vector<TaskProblem>& problems)
      : map_(map), problems_(problems) {}

  // A scalar as it is written; nothing: not said, or null.
  std::optional<std::string> text(TaskField field, std::size_t most) const {
    const auto* value = said(field);
    if (value == nullptr) return std::nullopt;
    if (!is_scalar(*value)) {
      wrong(field, "is no text", value->line);
      return std::nullopt;
    }
    if (value->text.size() > most) {
      wrong(field, fmt::format("is longer than {} bytes", most), value->line);
    }
    return cut(value->text, most);
  }

  // The items of a list, or the one text that stands for a list of one.
  std::vector<std::string> texts(TaskField field, std::size_t count, std::size_t most) const {
    std::vector<std::string> out;
    const auto* value = said(field);
    if (value == nullptr) return out;
    const auto add = [&](const YamlNode& node) {
      if (!is_scalar(node)) return wrong(field, "holds something that is no text", node.line);
      if (out.size() < count && !node.text.empty()) out.push_back(cut(node.text, most));
    };
    if (!value->is_list()) add(*value);
    for (const auto& item : value->items) add(item);
    if (value->items.size() > count) {
      wrong(field, fmt::format("has more than {} items; the rest is left out", count), value->line);
    }
    return out;
  }

  // One of a set of names.
  template <class T>
  T one_of(TaskField field, T fallback, std::optional<T> (*find)(std::string_view),
           std::string_view names) const {
    const auto word = text(field, kShortTextBytes);
    if (!word) return fallback;
    if (const auto found = find(*word)) return *found;
    wrong(field, fmt::format("is none of {}", names), said(field)->line);
    return fallback;
  }

  const YamlNode* said(TaskField field) const {
    const auto* value = find_task_field(field, map_);
    return value == nullptr || value->kind == YamlKind::null ? nullptr : value;
  }

  void wrong(TaskField field, std::string_view what, std::size_t line) const {
    constexpr std::size_t kMostProblems = 20;
    if (problems_.size() >= kMostProblems) return;
    problems_.push_back({line, fmt::format("{} {}", task_key_for(field, map_), what)});
  }

 private:
  const YamlNode& map_;
  std::vector<TaskProblem>& problems_;
};

std::vector<TaskReference> references_of(const FieldReader& reader) {
  constexpr std::size_t kMost = 1000;
  constexpr std::size_t kBytes = 8192;
  std::vector<TaskReference> out;
  const auto* list = reader.said(TaskField::references);
  if (list == nullptr) return out;
  if (!list->is_list()) reader.wrong(TaskField::references, "is no list", list->line);
  for (const auto& item : list->items) {
    if (out.size() == kMost) break;
    const auto* url = item.find("url");
    const auto* title = item.find("title");
    if (is_scalar(item)) {
      out.push_back({cut(item.text, kBytes), ""});
    } else if (url != nullptr && is_scalar(*url)) {
      const bool titled = title != nullptr && is_scalar(*title);
      out.push_back({cut(url->text, kBytes), titled ? cut(title->text, kTitleBytes) : ""});
    } else {
      reader.wrong(TaskField::references, "has an item without url", item.line);
    }
  }
  return out;
}

void read_type(const FieldReader& reader, std::string_view file, Task& task) {
  const auto folder = type_of_task_file(file).value_or(TaskType::task);
  task.type = type_of_task_id(task.id).value_or(folder);
  const auto said = reader.text(TaskField::type, kShortTextBytes);
  const auto known = said ? find_task_type(*said) : std::nullopt;
  task.type = known.value_or(task.type);
  task.says_type = known.has_value();
}

// Other programs have types of their own, as "bug": these say what a label says.
void add_type_label(const FieldReader& reader, Task& task) {
  const auto* value = reader.said(TaskField::type);
  if (value == nullptr || !is_scalar(*value)) return;  // said already
  auto said = cut(value->text, kShortTextBytes);
  if (said.empty() || find_task_type(said) || task.labels.size() >= kMostLabels) return;
  if (std::find(task.labels.begin(), task.labels.end(), said) != task.labels.end()) return;
  task.labels.push_back(std::move(said));
}

// The file's name counts: it is what others find the task by.
void read_id(const FieldReader& reader, std::string_view file, Task& task) {
  task.id = id_of_task_file(file);
  const auto said = reader.text(TaskField::id, kTaskIdBytes);
  if (!said || task_key(*said) == task_key(task.id)) return;
  if (!names_task_id(file) && is_task_id(*said)) {
    task.id = *said;
    return;
  }
  reader.wrong(TaskField::id, fmt::format("is not {}, which the file's name says", task.id),
               reader.said(TaskField::id)->line);
}

void read_links(const FieldReader& reader, Task& task) {
  task.parent = reader.text(TaskField::parent, kTaskIdBytes).value_or("");
  task.dependencies = reader.texts(TaskField::dependencies, kMostDependencies, kTaskIdBytes);
  if (!task.parent.empty() && task_key(task.parent) == task_key(task.id)) {
    reader.wrong(TaskField::parent, "is the task itself", reader.said(TaskField::parent)->line);
    task.parent.clear();
  }
  const auto itself = [&](const std::string& id) { return task_key(id) == task_key(task.id); };
  if (std::erase_if(task.dependencies, itself) > 0) {
    reader.wrong(TaskField::dependencies, "has the task itself",
                 reader.said(TaskField::dependencies)->line);
  }
}

void read_times(const FieldReader& reader, const TaskFile& file, Task& task) {
  task.updated = reader.text(TaskField::updated, kShortTextBytes).value_or("");
  task.created = reader.text(TaskField::created, kShortTextBytes).value_or("");
  if (task.updated.empty()) task.updated = task_time(file.modified);
  if (task.created.empty()) task.created = task.updated;
  for (const auto field : {TaskField::updated, TaskField::created}) {
    const auto* value = reader.said(field);
    if (value != nullptr && is_scalar(*value) && !parse_task_time(value->text)) {
      reader.wrong(field, "is no time in ISO 8601", value->line);
    }
  }
  task.updated_at = parse_task_time(task.updated).value_or(seconds_of(file.modified));
  task.updated_at = std::clamp<std::int64_t>(task.updated_at, 0, kLastTaskTime);
  task.due = reader.text(TaskField::due, kShortTextBytes).value_or("");
}

void read_order(const FieldReader& reader, Task& task) {
  const auto* value = reader.said(TaskField::order);
  if (value == nullptr) return;
  const bool number = value->kind == YamlKind::integer || value->kind == YamlKind::number;
  constexpr double kMost = 1e12;
  if (number && value->number >= -kMost && value->number <= kMost) {
    task.order = value->number;
  } else {
    reader.wrong(TaskField::order, "is no number", value->line);
  }
}

// What JSON cannot hold is a text there.
void make_finite(Json& value) {
  if (auto* number = value.if_double(); number != nullptr && !std::isfinite(*number)) {
    value = std::isnan(*number) ? ".nan" : *number > 0 ? ".inf" : "-.inf";
  } else if (auto* items = value.if_array()) {
    for (auto& item : *items) make_finite(item);
  } else if (auto* members = value.if_object()) {
    for (auto& member : *members) make_finite(member.value());
  }
}

void read_fields(const YamlNode& map, const TaskFile& file, Task& task) {
  constexpr std::size_t kTextBytes = 64 * 1024;
  const FieldReader reader(map, task.problems);
  read_id(reader, file.file, task);
  read_type(reader, file.file, task);
  task.title = reader.text(TaskField::title, kTitleBytes).value_or("");
  task.status = reader.one_of(TaskField::status, TaskStatus::open, &find_task_status,
                              "open, in_progress, blocked, done, cancelled");
  task.priority = reader.one_of(TaskField::priority, TaskPriority::medium, &find_task_priority,
                                "critical, high, medium, low, lowest");
  read_links(reader, task);
  task.labels = reader.texts(TaskField::labels, kMostLabels, kShortTextBytes);
  if (!task.says_type) add_type_label(reader, task);
  const auto assignees = reader.texts(TaskField::assignee, kMostLabels, kShortTextBytes);
  task.assignee = assignees.empty() ? "" : assignees.front();
  read_times(reader, file, task);
  read_order(reader, task);
  task.references = references_of(reader);
  task.evidence = reader.texts(TaskField::evidence, kMostLabels, kTextBytes);
  task.blocked_reason = reader.texts(TaskField::blocked_reason, kMostLabels, kTextBytes);
  auto fields = to_json(map);
  make_finite(fields);
  if (fields.is_object()) task.fields = std::move(fields.get_object());
}

// A body may hold any bytes; what is shown is UTF-8.
std::string shown_body(std::string_view body) {
  if (valid_utf8(body)) return std::string(body);
  std::string out;
  for (std::size_t at = 0; at < body.size();) {
    const auto lead = static_cast<unsigned char>(body[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const auto character = body.substr(at, length);
    const bool good = valid_utf8(character);
    out.append(good ? character : "\xef\xbf\xbd");
    at += good ? character.size() : 1;
  }
  return out;
}

// "line 7: …" as the parser says it.
TaskProblem problem_of(const std::string& message) {
  TaskProblem problem{1, message};
  if (message.starts_with("line ")) {
    problem.line = static_cast<std::size_t>(std::strtoul(message.c_str() + 5, nullptr, 10));
    const auto colon = message.find(": ");
    if (colon != std::string::npos) problem.text = message.substr(colon + 2);
  }
  problem.text += " (the file is kept as it is)";
  return problem;
}

Task malformed(const TaskFile& file, const Error& error) {
  Task task;
  task.malformed = true;
  task.id = id_of_task_file(file.file);
  task.type =
      type_of_task_id(task.id).value_or(type_of_task_file(file.file).value_or(TaskType::task));
  task.updated = task.created = task_time(file.modified);
  task.updated_at = std::clamp<std::int64_t>(seconds_of(file.modified), 0, kLastTaskTime);
  task.body = shown_body(file.text);
  task.title = cut(first_heading(task.body), kTitleBytes);
  task.problems.push_back(problem_of(error.message));
  if (!conflict_sides(file.text).empty()) {
    task.problems.back().text =
        "git left the conflict of a merge in it: lode backlog renumber makes two tasks of two; one "
        "that both sides changed is merged by hand (the file is kept as it is)";
  }
  return task;
}

Task well_formed(const Document& document, const TaskFile& file) {
  Task task;
  read_fields(document.frontmatter(), file, task);
  task.body = shown_body(document.body());
  if (task.body.starts_with("\n")) task.body.erase(0, 1);
  task.acceptance = criteria_in(task.body);
  task.criteria = static_cast<std::uint16_t>(task.acceptance.size());
  task.criteria_done = static_cast<std::uint16_t>(std::count_if(
      task.acceptance.begin(), task.acceptance.end(), [](const auto& each) { return each.done; }));
  task.excerpt = excerpt_of(task.body, kExcerptBytes);
  if (task.title.empty()) task.title = cut(first_heading(task.body), kTitleBytes);
  if (task.title.empty()) task.problems.push_back({1, "title is missing"});
  return task;
}

// ---- times ----

// A number of exactly so many digits, which is taken away.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  int value = 0;
  const auto read =
      std::from_chars(text.data(), text.data() + std::min(digits, text.size()), value);
  if (text.size() < digits || read.ec != std::errc() || read.ptr != text.data() + digits ||
      value < 0) {
    return std::nullopt;
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// What a zone is ahead of UTC, in seconds. Nothing: it is none.
std::optional<std::int64_t> take_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const bool ahead = text.starts_with('+');
  if (!ahead && !text.starts_with('-')) return std::nullopt;
  text.remove_prefix(1);
  const auto hours = take_number(text, 2);
  take(text, ':');
  const auto minutes = text.empty() ? std::optional(0) : take_number(text, 2);
  if (!hours || !minutes || !text.empty() || *hours > 14 || *minutes > 59) return std::nullopt;
  return (ahead ? 1 : -1) * (*hours * 3600 + *minutes * 60);
}

// Seconds of the day, less the zone.
std::optional<std::int64_t> take_clock(std::string_view text) {
  const auto hours = take_number(text, 2);
  if (!take(text, ':')) return std::nullopt;
  const auto minutes = take_number(text, 2);
  const auto seconds = take(text, ':') ? take_number(text, 2) : std::optional(0);
  if (!hours || !minutes || !seconds || *hours > 24 || *minutes > 59 || *seconds > 60) {
    return std::nullopt;
  }
  if (take(text, '.'))
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  const auto zone = take_zone(text);
  if (!zone) return std::nullopt;
  return *hours * 3600 + *minutes * 60 + *seconds - *zone;
}

}  // namespace

std::string_view to_string(TaskType type) { return kTypeNames[static_cast<std::size_t>(type)]; }
std::string_view to_string(TaskStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}
std::string_view to_string(TaskPriority priority) {
  return kPriorityNames[static_cast<std::size_t>(priority)];
}

std::optional<TaskType> find_task_type(std::string_view name) {
  auto wanted = folded(name);
  if (wanted.ends_with('s')) wanted.pop_back();
  const auto found = std::find(kTypeNames.begin(), kTypeNames.end(), wanted);
  if (found == kTypeNames.end()) return std::nullopt;
  return static_cast<TaskType>(found - kTypeNames.begin());
}
std::optional<TaskStatus> find_task_status(std::string_view name) {
  return find_in<TaskStatus>(name, kStatusNames, kStatusWords);
}
std::optional<TaskPriority> find_task_priority(std::string_view name) {
  return find_in<TaskPriority>(name, kPriorityNames, kPriorityWords);
}

bool is_over(TaskStatus status) {
  return status == TaskStatus::done || status == TaskStatus::cancelled;
}
bool has_status(TaskType type) { return type != TaskType::folder && type != TaskType::artifact; }

bool is_task_id(std::string_view text) {
  if (text.empty() || text.size() > kTaskIdBytes || !valid_utf8(text)) return false;
  if (text.front() == '.' || text.front() == ' ' || text.back() == ' ') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           byte >= 0x80 || std::string_view("-_. ").find(c) != std::string_view::npos;
  });
}

std::string task_key(std::string_view id) {
  std::string out(id);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c & ~32) : c;
  return out;
}

std::string task_uri(std::string_view id) {
  return fmt::format("mcp://backlog/tasks/{}", encode_component(id));
}

std::string task_time(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::optional<std::int64_t> parse_task_time(std::string_view text) {
  const auto year = take_number(text, 4);
  const auto month = take(text, '-') ? take_number(text, 2) : std::nullopt;
  const auto day = take(text, '-') ? take_number(text, 2) : std::nullopt;
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t midnight =
      std::int64_t{std::chrono::sys_days(date).time_since_epoch().count()} * 86'400;
  if (text.empty()) return midnight;
  if (!take(text, 'T') && !take(text, 't') && !take(text, ' ')) return std::nullopt;
  const auto clock = take_clock(text);
  return clock ? std::optional(midnight + *clock) : std::nullopt;
}

Task read_task(const TaskFile& file) {
  auto document = Document::parse(std::string(file.text), DocumentForm::markdown);
  Task task = document ? well_formed(*document, file) : malformed(file, document.error());
  task.file = file.file;
  task.bytes = file.bytes;
  task.body_cut = file.bytes > file.text.size();
  if (task.title.empty()) task.title = task.id;
  if (task.body_cut) {
    task.problems.push_back(
        {0, fmt::format("the file is longer than {} bytes; the rest is not searched and stands "
                        "at …/file alone",
                        kTaskTextBytes)});
  }
  return task;
}

}  // namespace lode
