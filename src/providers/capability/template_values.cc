#include "providers/capability/template_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/nearest.h"

namespace lode {
namespace {

constexpr std::size_t kMostProblems = 20;  // in one message

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

JsonArray split(std::string_view text) {
  JsonArray out;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    auto word = text.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (!word.empty()) out.emplace_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool fits(std::string_view type, const Json& value) {
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_bool();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  if (type == kListOrMap) return value.is_array() || value.is_object();
  return true;
}

// Nothing: it is not of the type, and cannot be read as one that is.
std::optional<Json> as_type(std::string_view type, const Json& value) {
  if (fits(type, value)) return value;
  if (!value.is_string()) return std::nullopt;
  const auto text = view(value.get_string());
  auto read = parse_json(text);
  if (read && fits(type, *read)) return std::move(*read);
  const bool list = type == "array" || type == kListOrMap;
  if (list && !text.starts_with('[')) return Json(split(text));
  return std::nullopt;
}

std::string shown(const Json& value) {
  constexpr std::size_t kMost = 40;
  const auto text = to_text(value);
  return text.size() <= kMost ? text : "such a value";
}

std::string described(const Variable& variable) {
  return variable.description.empty()
             ? fmt::format("\"{}\"", variable.name)
             : fmt::format("\"{}\" ({})", variable.name, variable.description);
}

std::string unknown(std::string_view name, const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 20;
  auto hint = did_you_mean(name, names);
  if (hint.empty() && !names.empty()) {
    const auto shown = std::span(names).first(std::min(names.size(), kShown));
    hint = fmt::format("; it has {}{}", fmt::join(shown, ", "),
                       names.size() > kShown ? " and others" : "");
  }
  return fmt::format("\"{}\" is no variable of this template{}", name, hint);
}

bool is_choice(const Variable& variable, const Json& value) {
  const auto& choices = variable.choices;
  if (choices.empty()) return true;
  const auto text = value.is_string() ? std::string(view(value.get_string())) : to_text(value);
  return std::find(choices.begin(), choices.end(), text) != choices.end();
}

// What a variable has been given, or has by default. Null: nothing.
Json given_or_default(const Variable& variable, const JsonObject& values) {
  const auto* given = values.if_contains(variable.name);
  if (given != nullptr && !given->is_null()) return *given;
  return variable.fallback ? Json(*variable.fallback) : Json();
}

}  // namespace

Result<JsonObject> bind_values(std::span<const Variable> variables, const JsonObject& values) {
  std::vector<std::string> problems;
  std::vector<std::string> missing;
  std::vector<std::string_view> names;
  JsonObject bound;
  for (const auto& variable : variables) {
    names.push_back(variable.name);
    const Json value = given_or_default(variable, values);
    if (value.is_null()) {
      if (variable.required) missing.push_back(described(variable));
    } else if (!is_choice(variable, value)) {
      problems.push_back(fmt::format("\"{}\" is to be one of {}, which {} is not", variable.name,
                                     fmt::join(variable.choices, ", "), shown(value)));
    } else if (auto typed = as_type(variable.type, value)) {
      bound[variable.name] = std::move(*typed);
    } else {
      problems.push_back(fmt::format("\"{}\" is to be of the type {}, which {} is not",
                                     variable.name, variable.type, shown(value)));
    }
  }
  if (!missing.empty()) {
    problems.insert(problems.begin(), fmt::format("no value for {}", fmt::join(missing, ", ")));
  }
  const std::set<std::string_view> known(names.begin(), names.end());
  for (const auto& value : values) {
    const std::string_view name(value.key().data(), value.key().size());
    if (!known.contains(name)) problems.push_back(unknown(name, names));
    if (problems.size() == kMostProblems) break;
  }
  if (!problems.empty()) return invalid(fmt::format("{}", fmt::join(problems, "; ")));
  return bound;
}

}  // namespace lode
