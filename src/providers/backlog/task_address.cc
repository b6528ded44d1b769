#include "providers/backlog/task_address.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/nearest.h"
#include "base/uri_template.h"
#include "base/utf8.h"
#include "providers/backlog/layout.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 10> kParameters{
    "status", "type", "parent", "label", "assignee", "q", "ready", "sort", "limit", "cursor"};
constexpr std::array<std::string_view, 6> kOwn{"tasks", "resources", "artifacts",
                                               "board", "problems",  ""};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (end > 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

template <class T, class All>
Result<std::vector<T>> all_of(const Address& address, std::string_view name, const All& all,
                              std::optional<T> (*find)(std::string_view)) {
  std::vector<T> out;
  for (const auto& word : split(address.value(name))) {
    const auto found = find(word);
    if (!found) {
      std::vector<std::string_view> names;
      names.reserve(all.size());
      for (const auto each : all) names.push_back(to_string(each));
      return invalid(fmt::format("{}: \"{}\" is none of {}", name, visible(cut_text(word, 40)),
                                 fmt::join(names, ", ")));
    }
    out.push_back(*found);
  }
  return out;
}

Status check_parameters(const Address& address) {
  for (const auto& name : address.extra()) {
    if (std::ranges::find(kParameters, name) != kParameters.end()) {
      return invalid(fmt::format("\"{}\" is given twice", name));
    }
    return invalid(fmt::format("there is no parameter \"{}\"{}: there are {}",
                               visible(cut_text(name, 40)), did_you_mean(name, kParameters),
                               fmt::join(kParameters, ", ")));
  }
  return {};
}

Status read_ready(const Address& address, TaskFilter& filter) {
  const auto* word = address.find("ready");
  if (word == nullptr) return {};
  filter.ready = *word == "true" || *word == "1" || word->empty();
  filter.waiting = *word == "false" || *word == "0";
  if (!filter.ready && !filter.waiting) return invalid("\"ready\" is true or false");
  return {};
}

Status read_limit(const Address& address, std::size_t& limit) {
  const auto* text = address.find("limit");
  if (text == nullptr) return {};
  const auto* const end = text->data() + text->size();
  const auto read = std::from_chars(text->data(), end, limit);
  if (read.ec != std::errc() || read.ptr != end || limit < 1 || limit > kMostListedTasks) {
    return invalid(fmt::format("\"limit\" is a whole number from 1 to {}", kMostListedTasks));
  }
  return {};
}

// The parameters as they are given, but for the cursor, for the address of the next page.
std::string parameters_of(const Address& address) {
  std::string out;
  for (const auto name : kParameters) {
    const auto* value = address.find(name);
    if (value == nullptr || name == "cursor") continue;
    out += fmt::format("{}{}={}", out.empty() ? "" : "&", name, encode_component(*value));
  }
  return out;
}

// The path below mcp://backlog/, decoded; nothing: no file can have that name.
std::optional<std::string> path_of(const Uri& uri) {
  auto path = decoded_path(uri);
  if (!path) return std::nullopt;
  return path->substr(1);
}

}  // namespace

std::string TaskAddress::uri(std::string_view its_id) const {
  const std::string_view end = of == Of::file ? "/file" : of == Of::history ? "/history" : "";
  return task_uri(its_id).append(end);
}

std::optional<TaskAddress> parse_task_address(const Uri& uri) {
  const auto path = path_of(uri);
  if (!path) return std::nullopt;
  const auto segments = uri.segments();
  if (path->ends_with(".md") && type_of_task_file(*path) &&
      (names_task_id(*path) || path->starts_with("tasks/"))) {
    return TaskAddress{id_of_task_file(*path), TaskAddress::Of::file};
  }
  if (segments.size() < 2 || segments.size() > 3 || segments[0] != "tasks") return std::nullopt;
  if (!is_task_id(segments[1])) return std::nullopt;
  TaskAddress address{segments[1], TaskAddress::Of::task};
  if (segments.size() == 2 || segments[2].empty()) return address;
  if (segments[2] != "file" && segments[2] != "history") return std::nullopt;
  address.of = segments[2] == "file" ? TaskAddress::Of::file : TaskAddress::Of::history;
  return address;
}

std::optional<std::string> parse_document_address(const Uri& uri) {
  auto path = path_of(uri);
  if (!path || !path->ends_with(".md")) return std::nullopt;
  const auto first = std::string_view(*path).substr(0, path->find('/'));
  if (std::ranges::find(kOwn, first) != kOwn.end()) return std::nullopt;
  return path;
}

Result<TaskListQuery> parse_task_list(const Address& address) {
  if (auto good = check_parameters(address); !good) return std::move(good).error();
  TaskListQuery query;
  auto statuses = all_of<TaskStatus>(address, "status", kTaskStatuses, &find_task_status);
  if (!statuses) return std::move(statuses).error();
  query.filter.statuses = std::move(*statuses);
  auto types = all_of<TaskType>(address, "type", kTaskTypes, &find_task_type);
  if (!types) return std::move(types).error();
  query.filter.types = std::move(*types);
  query.filter.parent = address.value("parent");
  query.filter.label = address.value("label");
  query.filter.assignee = address.value("assignee");
  if (auto ready = read_ready(address, query.filter); !ready) return std::move(ready).error();
  if (const auto* word = address.find("sort")) {
    const auto sort = find_task_sort(*word);
    if (!sort) return invalid("\"sort\" is rank, id, priority, due, updated, created or title");
    query.sort = *sort;
  }
  if (auto limit = read_limit(address, query.limit); !limit) return std::move(limit).error();
  query.words = address.value("q");
  query.cursor = address.value("cursor");
  query.parameters = parameters_of(address);
  return query;
}

Result<TaskListQuery> parse_task_list(const Uri& uri) {
  static const auto kTemplate = UriTemplate::parse(kTaskListTemplate).value();
  auto match = kTemplate.match(uri.text());
  if (!match) return not_found("no such resource");
  return parse_task_list(Address(uri, std::move(*match)));
}

}  // namespace lode
