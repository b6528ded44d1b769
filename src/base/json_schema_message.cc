#include "base/json_schema_message.h"

#include <array>
#include <utility>

#include "base/json_schema_program.h"
#include "base/json_schema_value.h"

namespace lode::schema {

using boost::json::kind;

std::string path_text(const Path* path) {
  if (path == nullptr) return {};
  const std::string last = path->is_index ? std::to_string(path->index)
                                          : pointer_escaped(shorten(path->key, 4 * kShownBytes));
  return path_text(path->parent) + "/" + last;
}

std::uint8_t types_of(const Json& value) {
  switch (value.kind()) {
    case kind::null: return kNull;
    case kind::bool_: return kBoolean;
    case kind::object: return kObject;
    case kind::array: return kArray;
    case kind::string: return kString;
    default: return is_integer(value) ? kNumber | kInteger : kNumber;
  }
}

std::string type_names(std::uint8_t types) {
  static constexpr std::array<std::pair<Type, std::string_view>, 7> kNames = {
      {{kString, "a string"},
       {kInteger, "an integer"},
       {kNumber, "a number"},
       {kBoolean, "a boolean"},
       {kArray, "an array"},
       {kObject, "an object"},
       {kNull, "null"}}};
  std::string out;
  for (const auto& [type, name] : kNames) {
    if ((types & type) == 0) continue;
    if (!out.empty()) out += " or ";
    out += name;
  }
  return out;
}

std::string type_name(const Json& value) {
  return is_integer(value) ? "an integer" : type_names(types_of(value));
}

std::string shown(const Json& value) {
  if (value.is_structured()) return type_name(value);
  const auto* text = value.if_string();
  return to_text(text == nullptr ? value : Json(shorten(view(*text), kShownBytes)));
}

std::string quoted(const Json& value) { return shorten(to_text(value), kShownBytes); }

}  // namespace lode::schema
