#include "store/yaml_problem.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace lode {

Error yaml_error(std::size_t line, std::string_view what) {
  return invalid(fmt::format("line {}: {}", line, what));
}

std::string_view in_words(std::string_view problem) {
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr auto kWords = std::to_array<Pair>({
      {"mapping values are not allowed in this context",
       "a ':' is not expected here; a text with a colon needs quotes"},
      {"did not find expected key",
       "this does not belong to the keys above; check its indentation"},
      {"did not find expected '-' indicator",
       "this does not belong to the list above; check its indentation"},
      {"could not find expected ':'", "a key without a ':'"},
      {"found character that cannot start any token",
       "a value cannot begin with this character; put it in quotes"},
      {"found unexpected end of stream", "a quote that is not closed"},
      {"found unexpected document indicator", "a quote that is not closed"},
      {"did not find expected ',' or ']'", "a list in '[' that is not closed or lacks a ','"},
      {"did not find expected ',' or '}'", "a map in '{' that is not closed or lacks a ','"},
      {"did not find expected node content", "a value is missing"},
      {"block sequence entries are not allowed in this context", "a list cannot begin here"},
      {"found unknown escape character", "an escape with '\\' that YAML does not know"},
      {"found a tab character that violates indentation", "a tab where spaces must indent"},
      {"found a tab character where an indentation space is expected",
       "a tab where spaces must indent"},
      {"control characters are not allowed", "a control character"},
      {"did not find expected <document start>", "something behind the end of the document"},
  });
  for (const auto& [theirs, ours] : kWords) {
    if (problem == theirs) return ours;
  }
  return problem;
}

}  // namespace lode
