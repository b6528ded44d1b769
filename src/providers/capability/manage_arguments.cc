#include "providers/capability/manage_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/nearest.h"
#include "base/uri.h"
#include "base/utf8.h"

namespace lode {
namespace {

// The shapes of arguments; an operation that was added may have others.
constexpr std::array<std::string_view, 7> kTexts{"operation",   "type", "id",   "name",
                                                 "description", "body", "scope"};
constexpr std::array<std::string_view, 2> kMaps{"fields", "values"};

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::string_view kElements = "capability-index://elements/";

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Empty: it is right.
std::string_view wrong_shape(std::string_view name, const Json& value) {
  if (holds(kTexts, name) && !value.is_string()) return "a string";
  if (holds(kMaps, name) && !value.is_object()) return "an object";
  return {};
}

}  // namespace

Error teach(std::string_view what, const ManageOperation& operation) {
  return invalid(fmt::format("{}. Example: {}", what, operation.example));
}

Status check_arguments(const ManageOperation& operation, const JsonObject& arguments) {
  const auto needs = words(operation.needs);
  auto known = words(operation.takes);
  known.insert(known.end(), needs.begin(), needs.end());
  known.emplace_back("operation");
  for (const auto& argument : arguments) {
    const std::string_view name(argument.key().data(), argument.key().size());
    if (!holds(known, name)) {
      return teach(fmt::format("{} has no argument \"{}\"{}", operation.name, name,
                               did_you_mean(name, known)),
                   operation);
    }
    if (const auto shape = wrong_shape(name, argument.value()); !shape.empty()) {
      return teach(fmt::format("\"{}\" is to be {}", name, shape), operation);
    }
  }
  for (const auto name : needs) {
    const auto* given = arguments.if_contains(name);
    const auto* text = given == nullptr ? nullptr : given->if_string();
    if (given == nullptr || (text != nullptr && text->empty())) {
      return teach(fmt::format("{} needs \"{}\"", operation.name, name), operation);
    }
  }
  return {};
}

void split_id(JsonObject& arguments) {
  const auto* given = arguments.if_contains("id");
  if (given == nullptr || !given->is_string()) return;
  const std::string id(view(given->get_string()));
  std::string type;
  std::string rest;
  if (id.starts_with(kElements)) {
    const auto uri = Uri::parse(id);
    const auto segments = uri ? uri->segments() : std::vector<std::string>();
    if (segments.size() != 2) return;
    type = segments[0];
    rest = segments[1];
  } else if (const auto colon = id.find(':');
             colon != id.npos && !arguments.contains("type") &&
             find_element_type(std::string_view(id).substr(0, colon))) {
    type = id.substr(0, colon);
    rest = id.substr(colon + 1);
  } else {
    return;
  }
  arguments["id"] = rest;
  if (!arguments.contains("type")) arguments["type"] = type;
}

std::string text_in(const JsonObject& arguments, std::string_view name) {
  const auto* value = arguments.if_contains(name);
  return value == nullptr ? "" : std::string(view(value->get_string()));
}

JsonObject map_in(const JsonObject& arguments, std::string_view name) {
  const auto* value = arguments.if_contains(name);
  return value == nullptr ? JsonObject() : value->get_object();
}

Result<ElementType> type_in(const JsonObject& arguments) {
  const auto word = text_in(arguments, "type");
  if (const auto type = find_element_type(word)) return *type;
  std::vector<std::string_view> names;
  names.reserve(kElementTypeCount);
  for (const auto type : kElementTypes) names.push_back(to_string(type));
  if (word.empty()) {
    return invalid(fmt::format("\"type\" is missing; there are {}", fmt::join(names, ", ")));
  }
  return invalid(fmt::format("\"{}\" is no type of elements{}; there are {}", word,
                             did_you_mean(word, names), fmt::join(names, ", ")));
}

Result<JsonObject> fields_in(const JsonObject& arguments) {
  auto fields = map_in(arguments, "fields");
  for (const std::string_view name : {"name", "description"}) {
    const auto* given = arguments.if_contains(name);
    if (given == nullptr) continue;
    const auto* other = fields.if_contains(name);
    if (other != nullptr && *other != *given) {
      return invalid(fmt::format("\"{}\" is given twice, and not alike", name));
    }
    fields[name] = *given;
  }
  return fields;
}

Error several(ElementType type, std::string_view name, const std::vector<std::string>& ids) {
  constexpr std::size_t kMostNamed = 10;
  const std::size_t count = std::min(ids.size(), kMostNamed);
  const std::span<const std::string> named(ids.data(), count);
  return invalid(
      fmt::format("{} elements of the type {} are called \"{}\": say which by its id: "
                  "{}{}",
                  ids.size(), to_string(type), visible(name), fmt::join(named, ", "),
                  count < ids.size() ? ", …" : ""));
}

}  // namespace lode
