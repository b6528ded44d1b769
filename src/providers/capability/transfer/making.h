// What derived.h's two sides have in common: making up a field where an element does not
// say it, or not in the form's own shape.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "providers/capability/transfer/value.h"

namespace lode {

class Making {
 public:
  using Fits = bool (*)(ElementType, std::string_view, const Json&);

  Making(const ElementValue& value, Fits fits) : value_(value), fits_(fits) {}

  // Unless it is there, and in the form's own shape.
  void make(std::string_view name, Json made) {
    const auto* there = value_.fields.if_contains(name);
    if (there == nullptr || !fits_(value_.type, name, *there)) out_.emplace(name, std::move(made));
  }
  void make(std::string_view name, const std::string& made) { make(name, Json(made)); }
  void make(std::string_view name, const char* made) { make(name, Json(made)); }
  // A field of all types, unless it is there and fits.
  void make_common(std::string_view name, Json made, bool (*fits)(const Json&)) {
    const auto* there = value_.fields.if_contains(name);
    if (there == nullptr || !fits(*there)) out_.emplace(name, std::move(made));
  }
  JsonObject take() { return std::move(out_); }

 private:
  const ElementValue& value_;
  const Fits fits_;
  JsonObject out_;
};

// The first of these that is a text and not empty.
inline std::string first_of(const JsonObject& fields,
                            std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (auto text = text_field(fields, name); !text.empty()) return text;
  }
  return "";
}

inline std::string about(const ElementValue& value) {
  return first_of(value.fields, {"description", "name"});
}

inline bool all_are(const JsonArray& list, bool (*fits)(const Json&)) {
  return std::all_of(list.begin(), list.end(), fits);
}
inline bool is_text(const Json& value) { return value.is_string(); }
inline bool has_skill_id(const Json& value) {
  return value.is_object() && value.get_object().contains("skill_id");
}

}  // namespace lode
