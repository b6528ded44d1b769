// URI templates (RFC 6570): expansion at all four levels, and the way back for
// the templates that a server registers.
//
//   resource://file/{+path}/{aspect}{?compact,max_depth}
//
// A template is parsed once and immutable; share it between threads freely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace lode {

// What a variable stands for when a template is expanded. An empty list or map
// counts as undefined, like a variable that is not bound at all.
using TemplateList = std::vector<std::string>;
using TemplateMap = std::vector<std::pair<std::string, std::string>>;
using TemplateValue = std::variant<std::string, TemplateList, TemplateMap>;
using Bindings = std::map<std::string, TemplateValue, std::less<>>;

struct TemplateVariable {
  std::string name;
  char op = 0;               // one of + # . / ; ? & or 0 for a plain {name}
  bool explode = false;      // {name*}
  std::uint16_t prefix = 0;  // {name:n}; 0: none
};

// What UriTemplate::match() found.
struct TemplateMatch {
  // Decoded once. Query variables that the URI does not give are absent.
  std::map<std::string, std::string, std::less<>> values;
  // Names in the query, decoded, that the template does not have, or that
  // stand there a second time (the first value is the one that counts).
  std::vector<std::string> extra;

  // The value, or null. Valid as long as this match.
  const std::string* find(std::string_view name) const;
};

class UriTemplate {
 public:
  static constexpr std::size_t kMaxLength = 2048;
  static constexpr std::size_t kMaxVariables = 64;

  // Code::invalid says what is wrong and at which offset.
  static Result<UriTemplate> parse(std::string_view text);

  const std::string& text() const { return text_; }
  // In the order of the template.
  const std::vector<TemplateVariable>& variables() const { return variables_; }

  // The URI reference that the values give. Cannot fail: undefined variables
  // vanish, as the RFC says; a prefix on a list or map is ignored. In {+a} and
  // {#a} a percent-encoding in the value stays as it is.
  std::string expand(const Bindings& values) const;

  // Whether match() can ever succeed: before the query only literals, {a} and
  // {+a}; then only {?a} and {&a}; no modifiers; no name twice; no literal
  // query. A server refuses to register a template that is not.
  bool matchable() const { return matchable_; }

  // The values from which this template makes the URI, which should be the
  // text() of a Uri: literals are compared byte by byte, so a template has its
  // scheme and host in lower case.
  //
  //   {a}    one or more unreserved or percent-encoded characters, or any of
  //          !'()* (which JavaScript's encodeURIComponent leaves alone)
  //   {+a}   one or more of any characters up to the query, slashes included
  //   {?a,b} a query or none, with its names in any order
  //
  // Variables take as much as they can from left to right and give back what
  // the rest needs. Time is bounded by the product of the two lengths. The
  // query is never part of {+a}; a gateway that forwards its tail as it came
  // takes Uri::path() and Uri::query() instead. A value of {+a} may hold a
  // slash that was written as %2F.
  std::optional<TemplateMatch> match(std::string_view uri) const;

 private:
  friend class UriTemplateParser;
  // A literal, encoded; or an expression: `count` variables from `first`.
  struct Part {
    std::string literal;
    std::uint16_t first = 0;
    std::uint16_t count = 0;  // 0: a literal
  };
  // What match() looks for before the query: a literal, or one variable.
  struct Step {
    std::string literal;
    std::uint16_t variable = 0;  // if the literal is empty
  };
  UriTemplate() = default;

  std::size_t unit(const Step& step, std::string_view path, std::size_t at) const;
  using Steps = std::span<const Step>;
  std::vector<bool> reachable(Steps steps, std::string_view path) const;
  bool match_path(std::string_view path, TemplateMatch& found) const;
  bool match_several(Steps steps, std::string_view path, TemplateMatch& found) const;
  bool match_one(const Step& step, std::string_view path, TemplateMatch& found) const;
  bool take(const Step& step, std::string_view text, TemplateMatch& found) const;
  bool match_query(std::string_view query, TemplateMatch& found) const;

  std::string text_;
  std::vector<TemplateVariable> variables_;
  std::vector<Part> parts_;
  std::vector<Step> steps_;
  bool matchable_ = false;
};

}  // namespace lode
