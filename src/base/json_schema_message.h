// The words of a SchemaProblem. Internal to JsonSchema.
//
// Values of an instance may be long: what is shown of them is short.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"

namespace lode::schema {

constexpr std::size_t kShownBytes = 60;    // of a value in a message
constexpr std::size_t kShownChoices = 12;  // of an enum, of known properties

// Where a value stands in the instance: a chain of frames, the innermost first.
struct Path {
  const Path* parent = nullptr;
  std::string_view key;
  std::size_t index = 0;
  bool is_index = false;
};

// The path as a JSON pointer; of null, empty.
std::string path_text(const Path* path);

// The bits of Type that a value has: two for an integer.
std::uint8_t types_of(const Json& value);

// "a string or null", of a set of Type.
std::string type_names(std::uint8_t types);

// "an integer"
std::string type_name(const Json& value);

// A value of an instance: scalars as JSON, containers by their type.
std::string shown(const Json& value);

// A value of a schema, as JSON.
std::string quoted(const Json& value);

// "a, b, c and 4 others"
template <class Range, class Show>
std::string listed(const Range& values, Show show) {
  std::string out;
  std::size_t count = 0;
  for (const auto& value : values) {
    if (count == kShownChoices) return fmt::format("{} and {} others", out, values.size() - count);
    out += fmt::format("{}{}", count++ == 0 ? "" : ", ", show(value));
  }
  return out;
}

}  // namespace lode::schema
