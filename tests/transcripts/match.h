// Holding what arrived against what a transcript expects.
//
// In an expectation some strings are not themselves:
//   "<any>"       any value
//   "<name>"      any value, which {name} stands for afterwards
//   "<!name>"     any value but the one that {name} stands for
//   "<has words>" a string with those words in it
//   "<absent>"    as a member's value, with <~: there is no such member
//   "<...>"       in an array: any number of elements
// and in the middle of a string, or as all of it, these stand for what differs from
// run to run:
//   <a time>      a day, or a day and a time: 2026-07-28T09:30:00Z
//   <a digest>    16 to 64 hexadecimal digits
//   <a number>    digits; as all of the string, also a JSON number
//   <a text>      anything
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace lode::transcripts {

// What {name} stands for: macros of the file, and what was captured.
class Names {
 public:
  explicit Names(std::map<std::string, std::string, std::less<>> macros)
      : values_(std::move(macros)) {}

  void set(const std::string& name, std::string text) { values_[name] = std::move(text); }
  const std::string* find(std::string_view name) const;

  // Replaces {name}, {repeat N text} and {bytes FF 00}; what is none of these
  // stays.
  std::string expand(std::string_view text) const;
  // The opposite, for macros that are whole JSON values.
  std::string abbreviate(std::string json) const;

 private:
  std::optional<std::string> value_of(std::string_view inside) const;

  std::map<std::string, std::string, std::less<>> values_;
};

// Whether the actual value is what was expected; captures into names if so.
bool matches(const Json& expected, const Json& actual, bool subset, Names& names);
bool matches_text(std::string_view expected, std::string_view actual, Names& names);

// The actual value with the expectation's placeholders where they still fit.
Json with_placeholders(const Json& expected, const Json& actual);
// A JSON text with <a time> and <a digest> for those that are in it.
std::string with_marks(std::string json);

}  // namespace lode::transcripts
