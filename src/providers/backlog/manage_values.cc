#include "providers/backlog/manage_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/uri.h"
#include "providers/backlog/task.h"
#include "providers/backlog/task_address.h"

namespace lode {
namespace {

constexpr std::size_t kTextBytes = 64 * 1024;  // of a piece of evidence, and such
constexpr std::size_t kMostReferences = 1000;

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Result<JsonArray> list_in(const Json& value, std::size_t most, std::size_t bytes, bool lines) {
  JsonArray items;
  if (value.is_string()) {
    items.push_back(value);
  } else if (const auto* list = value.if_array()) {
    items = *list;
  } else {
    return invalid("is to be a list of texts");
  }
  if (items.size() > most) return invalid(fmt::format("has more than {} items", most));
  for (auto& item : items) {
    if (lines) {
      auto line = task_line_in(item, bytes);
      if (!line) return std::move(line).error().in("an item");
      continue;
    }
    const auto* text = item.if_string();
    if (text == nullptr || text->empty() || text->size() > bytes) {
      return invalid(fmt::format("holds something that is no text of 1 to {} bytes", bytes));
    }
  }
  return items;
}

Result<std::string> id_in(const Json& value) {
  auto line = task_line_in(value, kTaskUrlBytes);
  if (!line) return line;
  auto id = id_in_argument(*line);
  if (!id.starts_with('#') && !is_task_id(id)) return invalid("is no id of a task");
  return id;
}

Result<Json> references_in(const Json& value) {
  const JsonArray one{value};
  const auto* list = value.is_array() ? &value.get_array() : &one;
  if (list->size() > kMostReferences) {
    return invalid(fmt::format("has more than {} items", kMostReferences));
  }
  JsonArray out;
  for (const auto& item : *list) {
    const auto* map = item.if_object();
    const auto* url = map == nullptr ? &item : map->if_contains("url");
    if (url == nullptr) return invalid("has an item without url");
    auto line = task_line_in(*url, kTaskUrlBytes);
    if (!line) return std::move(line).error().in("a url");
    JsonObject reference{{"url", *line}};
    if (const auto* title = map == nullptr ? nullptr : map->if_contains("title")) {
      auto said = task_line_in(*title, kTitleBytes);
      if (!said) return std::move(said).error().in("a title");
      reference["title"] = *said;
    }
    out.emplace_back(std::move(reference));
  }
  return Json(std::move(out));
}

template <class T>
Result<Json> one_of(const Json& value, std::optional<T> (*find)(std::string_view),
                    std::string_view names) {
  const auto* word = value.if_string();
  const auto found = word == nullptr ? std::nullopt : find(view(*word));
  if (!found) return invalid(fmt::format("is one of {}", names));
  return Json(std::string(to_string(*found)));
}

Result<Json> ids_in(const Json& value) {
  auto list = list_in(value, kMostDependencies, kTaskUrlBytes, true);
  if (!list) return std::move(list).error();
  for (auto& item : *list) {
    auto id = id_in(item);
    if (!id) return std::move(id).error().in("an item");
    item = *id;
  }
  return Json(std::move(*list));
}

Result<Json> due_in(const Json& value) {
  auto line = task_line_in(value, kShortTextBytes);
  if (!line) return std::move(line).error();
  if (!parse_task_time(*line)) return invalid("is to be a date as 2026-12-01");
  return Json(*line);
}

Result<Json> order_in(const Json& value) {
  constexpr double kMost = 1e12;
  if (!value.is_number()) return invalid("is to be a number");
  const auto number = value.to_number<double>();
  if (!std::isfinite(number) || std::abs(number) > kMost) return invalid("is too large");
  return value;
}
}  // namespace

Result<std::string> task_line_in(const Json& value, std::size_t most) {
  const auto* text = value.if_string();
  if (text == nullptr) return invalid("is to be a text");
  if (text->empty()) return invalid("is empty");
  if (text->size() > most) return invalid(fmt::format("has more than {} bytes", most));
  if (has_control(view(*text))) return invalid("has a line end or a control character in it");
  return std::string(view(*text));
}

Result<Json> task_value_in(TaskField field, const Json& value) {
  const auto line = [&](std::size_t most) -> Result<Json> {
    auto text = task_line_in(value, most);
    if (!text) return std::move(text).error();
    return Json(*text);
  };
  const auto list = [&](std::size_t bytes, bool lines) -> Result<Json> {
    auto items = list_in(value, kMostLabels, bytes, lines);
    if (!items) return std::move(items).error();
    return Json(std::move(*items));
  };
  switch (field) {
    case TaskField::title: return line(kTitleBytes);
    case TaskField::status:
      return one_of(value, &find_task_status, "open, in_progress, blocked, done, cancelled");
    case TaskField::priority:
      return one_of(value, &find_task_priority, "critical, high, medium, low, lowest");
    case TaskField::parent: {
      auto id = id_in(value);
      if (!id) return std::move(id).error();
      return Json(*id);
    }
    case TaskField::dependencies: return ids_in(value);
    case TaskField::labels: return list(kShortTextBytes, true);
    case TaskField::assignee: return line(kShortTextBytes);
    case TaskField::due: return due_in(value);
    case TaskField::references: return references_in(value);
    case TaskField::evidence:
    case TaskField::blocked_reason: return list(kTextBytes, false);
    case TaskField::order: return order_in(value);
    default: return invalid("cannot be set");
  }
}

std::string id_in_argument(std::string_view text) {
  if (text.find("://") == text.npos) return std::string(text);
  const auto uri = Uri::parse(text);
  const auto address = uri ? parse_task_address(*uri) : std::nullopt;
  return address ? address->id : std::string(text);
}

}  // namespace lode
