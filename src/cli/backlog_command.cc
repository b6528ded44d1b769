#include "cli/backlog_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/uri.h"
#include "base/utf8.h"
#include "cli/local_request.h"
#include "cli/terminal_text.h"

namespace lode {
namespace {

constexpr std::string_view kTasks = "mcp://backlog/tasks";
constexpr std::string_view kTool = "backlog_manage";
constexpr std::size_t kMostInput = std::size_t{1} << 20;  // of a body from standard input

void print_line(const std::string& text) { std::printf("%s\n", text.c_str()); }

std::string text_in(JsonView view, std::string_view name) {
  return visible(view[name].string().value_or(""));
}

// What stands at an address of the backlog.
Result<std::string> read_text(const Command& command, const std::string& uri) {
  LocalRequest request;
  auto reading = command.instance.engine().read(request.exchange(), uri);
  if (!reading) return std::move(reading).error();
  const auto* cached = std::get_if<std::shared_ptr<const Cached>>(&*reading);
  if (cached == nullptr || (*cached)->contents().items.empty()) {
    return Error{Code::unsupported, "it asks for input", {}};
  }
  return (*cached)->contents().items.front().bytes;
}

// ---- lists ----

std::string query_of(const BacklogWords& words) {
  std::string query;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    query += fmt::format("{}{}={}", query.empty() ? "?" : "&", name, encode_component(value));
  };
  add("status", fmt::format("{}", fmt::join(words.statuses, ",")));
  add("type", fmt::format("{}", fmt::join(words.types, ",")));
  add("parent", words.parent);
  add("label", words.labels.empty() ? "" : words.labels.front());
  add("assignee", words.assignee);
  add("q", words.query);
  add("ready", words.ready ? "true" : words.waiting ? "false" : "");
  add("sort", words.sort);
  return query;
}

struct TaskRows {
  std::vector<JsonDocument> pages;
  std::vector<JsonView> tasks;  // of the pages
  bool more = false;
};

// Page by page, until there are as many as are wanted.
Status add_tasks(const Command& command, std::string_view query, std::size_t limit, TaskRows& out) {
  std::string next = std::string(kTasks).append(query);
  while (!next.empty() && !out.more) {
    auto text = read_text(command, next);
    if (!text) return std::move(text).error();
    auto page = JsonDocument::parse(*text);
    if (!page) return std::move(page).error();
    out.pages.push_back(std::move(*page));
    const auto root = out.pages.back().root();
    root["tasks"].each([&](JsonView task) {
      if (out.tasks.size() < limit) {
        out.tasks.push_back(task);
      } else {
        out.more = true;
      }
    });
    next = root["next"].string().value_or("");
    if (out.tasks.size() >= limit && !next.empty()) out.more = true;
  }
  return {};
}

Colour colour_of(std::string_view status) {
  if (status == "in_progress") return Colour::blue;
  if (status == "blocked") return Colour::red;
  if (status == "done") return Colour::green;
  return status == "cancelled" ? Colour::dim : Colour::none;
}

// What stands behind a title.
std::string marks_of(JsonView task) {
  std::string out;
  const auto priority = text_in(task, "priority");
  if (!priority.empty() && priority != "medium") out += " !" + priority;
  if (const auto due = text_in(task, "due"); !due.empty()) out += " due " + due;
  if (const auto who = text_in(task, "assignee"); !who.empty()) {
    out += (who.starts_with('@') ? " " : " @") + who;
  }
  if (const auto criteria = text_in(task, "criteria"); !criteria.empty()) out += " " + criteria;
  return out;
}

std::string status_of(JsonView task) {
  if (task["malformed"].boolean().value_or(false)) return "malformed";
  const auto status = text_in(task, "status");
  return status.empty() ? text_in(task, "type") : status;
}

void print_rows(const std::vector<JsonView>& tasks, const Terminal& terminal) {
  std::size_t widest = 0;
  for (const auto& task : tasks) widest = std::max(widest, text_columns(text_in(task, "id")));
  widest = std::min<std::size_t>(widest, 24);
  constexpr std::size_t kStatus = 11;
  const auto taken = widest + kStatus + 4;
  for (const auto& task : tasks) {
    const auto status = status_of(task);
    auto rest = text_in(task, "title");
    const auto marks = marks_of(task);
    if (terminal.columns > taken) {
      const auto room = terminal.columns - taken;
      const auto of_marks = std::min(text_columns(marks), room / 2);
      rest = fit_columns(rest, room - of_marks) +
             terminal.paint(Colour::dim, fit_columns(marks, of_marks));
    } else {
      rest += marks;
    }
    print_line(fmt::format("{}  {}  {}",
                           terminal.paint(Colour::bold, pad_columns(text_in(task, "id"), widest)),
                           terminal.paint(colour_of(status), pad_columns(status, kStatus)), rest));
  }
}

std::string rows_json(const TaskRows& rows) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().key("tasks").begin_array();
  for (const auto& task : rows.tasks) w.raw(task.text());
  w.end_array().member("more", rows.more).end_object();
  return out;
}

// ---- the board ----

struct BoardColumn {
  std::string_view name;
  std::string_view title;
  std::array<std::string_view, 2> queries;  // one below the other; empty: there is none
  Colour colour;
};

constexpr std::array kColumns{
    BoardColumn{"in_progress", "In progress", {"?status=in_progress"}, Colour::blue},
    BoardColumn{"ready", "Ready", {"?ready=true"}, Colour::none},
    BoardColumn{"blocked", "Blocked or waiting", {"?status=blocked", "?ready=false"}, Colour::red},
    BoardColumn{"done", "Done lately", {"?status=done&sort=updated"}, Colour::green},
};
constexpr std::size_t kNarrow = 64;  // columns below which the board's stand under each other
constexpr std::size_t kGap = 2;

std::vector<std::string> cell_lines(JsonView task, std::size_t width) {
  std::vector<std::string> lines{fit_columns(text_in(task, "id") + marks_of(task), width)};
  for (auto& line : wrap_columns(text_in(task, "title"), width, 2)) lines.push_back("  " + line);
  return lines;
}

void print_columns(const std::vector<TaskRows>& columns, const Terminal& terminal) {
  const auto width = (terminal.columns - kGap * (columns.size() - 1)) / columns.size();
  std::vector<std::vector<std::string>> cells(columns.size());
  std::size_t height = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const auto& task : columns[i].tasks) {
      for (auto& line : cell_lines(task, width - 2)) cells[i].push_back(std::move(line));
    }
    if (columns[i].tasks.empty()) cells[i].emplace_back("-");
    if (columns[i].more) cells[i].emplace_back("… and more");
    height = std::max(height, cells[i].size());
  }
  std::string head;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto title = pad_columns(kColumns[i].title, width);
    head += terminal.paint(Colour::bold, title) + (i + 1 < columns.size() ? "  " : "");
  }
  print_line(head);
  for (std::size_t line = 0; line < height; ++line) {
    std::string row;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto text = line < cells[i].size() ? cells[i][line] : "";
      const bool is_id = !text.starts_with(' ');
      row += terminal.paint(is_id ? kColumns[i].colour : Colour::none, pad_columns(text, width));
      if (i + 1 < columns.size()) row += "  ";
    }
    if (!terminal.coloured) row.erase(row.find_last_not_of(' ') + 1);
    print_line(row);
  }
}

void print_sections(const std::vector<TaskRows>& columns, const Terminal& terminal) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].tasks.empty()) continue;
    print_line(terminal.paint(Colour::bold, kColumns[i].title));
    print_rows(columns[i].tasks, terminal);
    if (columns[i].more) print_line("… and more");
  }
}

// ---- one task ----

void print_field(const Terminal& terminal, std::string_view name, const std::string& value) {
  if (value.empty()) return;
  print_line(fmt::format("{} {}", terminal.paint(Colour::dim, fmt::format("{:<13}", name)), value));
}

std::string joined(JsonView list, std::string_view member) {
  std::string out;
  list.each([&](JsonView item) {
    const auto text = member.empty() ? visible(item.string().value_or("")) : text_in(item, member);
    out += (out.empty() ? "" : ", ") + text;
  });
  return out;
}

void print_task(JsonView task, const Terminal& terminal) {
  print_line(terminal.paint(Colour::bold,
                            fmt::format("{} {}", text_in(task, "id"), text_in(task, "title"))));
  const auto status = status_of(task);
  print_field(terminal, "status", terminal.paint(colour_of(status), status));
  for (const char* name : {"type", "priority", "parent", "assignee", "due", "created", "updated"}) {
    print_field(terminal, name, text_in(task, name));
  }
  print_field(terminal, "labels", joined(task["labels"], ""));
  print_field(terminal, "depends on", joined(task["dependencies"], ""));
  print_field(terminal, "blocked by", joined(task["blocked_by"], "id"));
  print_field(terminal, "blocks", joined(task["blocks"], "id"));
  print_field(terminal, "children", joined(task["children"], "id"));
  print_field(terminal, "references", joined(task["references"], "url"));
  print_field(terminal, "evidence", joined(task["evidence"], ""));
  print_field(terminal, "reason", joined(task["blocked_reason"], ""));
  task["problems"].each([&](JsonView problem) {
    print_field(terminal, "problem", terminal.paint(Colour::red, text_in(problem, "problem")));
  });
  print_field(terminal, "address", text_in(task, "uri"));
  const auto body = visible_lines(task["body"].string().value_or(""));
  if (!body.empty()) print_line("\n" + body.substr(0, body.find_last_not_of('\n') + 1));
}

// ---- changes ----

// Says what the tool refused, with what is typed here instead of the call of an assistant. The
// status is that of an id that is not there, if one is not.
int refuse(const Command& command, std::string said, std::string_view example,
           const std::vector<std::string>& ids) {
  if (const auto at = said.find(". Example: {"); at != said.npos) {
    said = fmt::format("{}. Example: {}", said.substr(0, at), example);
  }
  const auto& tasks = command.instance.tasks();
  const bool absent =
      std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return !tasks.find(id); });
  return report_usage(absent ? not_found(std::move(said)) : invalid(std::move(said)), command.json);
}

// The tool's answer; nothing: it was refused, and `status` is that of the program.
std::optional<std::string> call_tool(const Command& command, const Json& arguments,
                                     std::string_view example, const std::vector<std::string>& ids,
                                     int& status) {
  LocalRequest request;
  auto outcome = command.instance.engine().call(request.exchange(), kTool, arguments);
  const auto* contents = outcome ? std::get_if<Contents>(&*outcome) : nullptr;
  status = 0;
  if (!outcome) {
    status = report_usage(outcome.error(), command.json);
  } else if (contents == nullptr || contents->items.empty()) {
    status = report({Code::unsupported, "the tool asks for input", {}}, command.json);
  } else if (contents->failed) {
    status = refuse(command, contents->items.front().bytes, example, ids);
  }
  return status == 0 ? std::optional(contents->items.front().bytes) : std::nullopt;
}

// "created mcp://backlog/tasks/TASK-0007 (version …)", and warnings on lines of their own.
int tell_created(const Command& command, const std::string& said) {
  const auto line = std::string_view(said).substr(0, said.find('\n'));
  const auto begin = line.find(kTasks);
  const auto uri =
      begin == line.npos ? std::string_view() : line.substr(begin, line.find(' ', begin) - begin);
  const auto decoded = decode(uri.substr(uri.rfind('/') + 1));
  const auto id = decoded ? *decoded : std::string();
  if (command.json) {
    std::string out;
    JsonWriter w(out);
    w.begin_object().member("id", id).member("uri", uri).member("done", said).end_object();
    print_line(out);
    return 0;
  }
  print_line(visible(id));
  if (line.size() < said.size()) {
    std::fprintf(stderr, "%s\n", visible_lines(said.substr(line.size() + 1)).c_str());
  }
  return 0;
}

Result<std::string> body_of(const std::string& said) {
  if (said != "-") return said;
  std::string body;
  std::array<char, 4096> part{};
  while (const auto count = std::fread(part.data(), 1, part.size(), stdin)) {
    body.append(part.data(), count);
    if (body.size() > kMostInput) return invalid("the body has more than 1 MiB");
  }
  return body;
}

JsonArray list_of(const std::vector<std::string>& texts) {
  return JsonArray(texts.begin(), texts.end());
}

}  // namespace

int run_backlog_list(const Command& command, const BacklogWords& words) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  BacklogWords wanted = words;
  const bool says = !words.statuses.empty() || words.ready || words.waiting || !words.query.empty();
  if (!says && !words.all) wanted.statuses = {"in_progress", "open", "blocked"};
  TaskRows rows;
  if (auto added = add_tasks(command, query_of(wanted), words.limit, rows); !added) {
    return report_usage(added.error(), command.json);
  }
  if (command.json) {
    print_line(rows_json(rows));
    return 0;
  }
  print_rows(rows.tasks, Terminal::of_stdout());
  if (rows.tasks.empty()) std::fprintf(stderr, "no such tasks\n");
  if (rows.more) std::fprintf(stderr, "there are more; --limit shows them\n");
  return 0;
}

int run_backlog_show(const Command& command, const BacklogWords& words) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  const auto& id = words.ids.front();
  const auto text = read_text(command, fmt::format("{}/{}", kTasks, encode_component(id)));
  if (!text) return report_usage(Error(text.error()).in(id), command.json);
  if (command.json) {
    print_line(*text);
    return 0;
  }
  const auto task = JsonDocument::parse(*text);
  if (!task) return report(task.error(), command.json);
  print_task(task->root(), Terminal::of_stdout());
  return 0;
}

int run_backlog_board(const Command& command, const BacklogWords& words) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  std::vector<TaskRows> columns;
  for (const auto& column : kColumns) {
    auto& rows = columns.emplace_back();
    for (const auto query : column.queries) {
      if (query.empty()) continue;
      if (auto added = add_tasks(command, query, words.limit, rows); !added) {
        return report(added.error(), command.json);
      }
    }
  }
  if (command.json) {
    std::string out;
    JsonWriter w(out);
    w.begin_object();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      w.key(kColumns[i].name).raw(rows_json(columns[i]));
    }
    w.end_object();
    print_line(out);
    return 0;
  }
  auto terminal = Terminal::of_stdout();
  constexpr std::size_t kUnknown = 120;
  if (terminal.columns == 0) terminal.columns = kUnknown;
  if (terminal.columns < kNarrow) {
    print_sections(columns, terminal);
  } else {
    print_columns(columns, terminal);
  }
  return 0;
}

int run_backlog_new(const Command& command, const BacklogWords& words) {
  const auto body = body_of(words.body);
  if (!body) return report_usage(body.error(), command.json);
  JsonObject operation{{"op", "create"}, {"title", words.title}};
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) operation[name] = value;
  };
  add("type", words.types.empty() ? "" : words.types.front());
  add("status", words.statuses.empty() ? "" : words.statuses.front());
  add("parent", words.parent);
  add("assignee", words.assignee);
  add("priority", words.priority);
  add("due", words.due);
  add("body", *body);
  if (!words.labels.empty()) operation["labels"] = list_of(words.labels);
  if (!words.dependencies.empty()) operation["dependencies"] = list_of(words.dependencies);
  auto ids = words.dependencies;
  if (!words.parent.empty()) ids.push_back(words.parent);
  int status = 0;
  const auto said = call_tool(command, std::move(operation),
                              "lode backlog new 'Serve the board' --label http --priority high "
                              "--due 2026-12-01 --depends-on TASK-0003",
                              ids, status);
  return said ? tell_created(command, *said) : status;
}

int run_backlog_done(const Command& command, const BacklogWords& words) {
  JsonArray operations;
  for (const auto& id : words.ids) {
    JsonObject operation{{"op", "move"}, {"id", id}, {"status", "done"}};
    if (!words.evidence.empty()) operation["evidence"] = words.evidence;
    operations.push_back(std::move(operation));
  }
  int status = 0;
  const auto said =
      call_tool(command, JsonObject{{"operations", std::move(operations)}},
                "lode backlog done TASK-0007 --evidence 'tests pass'", words.ids, status);
  if (!said) return status;
  if (command.json) {
    std::string out;
    JsonWriter(out).begin_object().member("done", *said).end_object();
    print_line(out);
  } else {
    print_line(visible_lines(*said));
  }
  return 0;
}

}  // namespace lode
