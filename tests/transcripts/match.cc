#include "match.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace lode::transcripts {
namespace {

constexpr std::string_view kRest = "<...>";
constexpr std::string_view kAbsent = "<absent>";
constexpr std::string_view kHas = "<has ";
constexpr std::string_view kTextAs = "<a text as ";  // and a name

std::string_view string_of(const Json& value) {
  const auto* text = value.if_string();
  return text == nullptr ? std::string_view() : std::string_view(text->data(), text->size());
}

bool is_placeholder(const Json& value) {
  const auto text = string_of(value);
  return text.size() > 2 && text.starts_with('<') && text.ends_with('>');
}

struct Kind {
  std::string_view mark;
  std::string_view pattern;
};
constexpr std::array kKinds = {
    Kind{"<a time>", R"(\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?)"},
    Kind{"<a digest>", "[0-9a-f]{16,64}"},
    Kind{"<a number>", R"(\d+)"},
    Kind{"<a text>", ".*"},
};

// The expression that a string with such marks stands for; empty: it has none.
std::string pattern_of(std::string_view text) {
  std::string out;
  bool marked = false;
  while (!text.empty()) {
    if (const auto end = text.find('>'); text.starts_with(kTextAs) && end != text.npos) {
      const std::string name(text.substr(kTextAs.size(), end - kTextAs.size()));
      out.append("(?P<").append(name).append(">.*?)");
      text.remove_prefix(end + 1);
      marked = true;
      continue;
    }
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const Kind& k) { return text.starts_with(k.mark); });
    const bool found = kind != kKinds.end();
    const auto literal = found ? 0 : std::min(text.find('<', 1), text.size());
    out += found ? std::string(kind->pattern) : RE2::QuoteMeta(text.substr(0, literal));
    text.remove_prefix(found ? kind->mark.size() : literal);
    marked |= found;
  }
  return marked ? "(?s)" + out : "";
}

// A captured string is used without its quotes: "{state}x".
std::string captured(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}
std::string captured(const Json& value) {
  return value.is_string() ? captured(string_of(value)) : to_text(value);
}

using Captures = std::map<std::string, std::string>;

bool fits_pattern(const std::string& pattern, const Json& actual, Captures& captures) {
  const auto text = actual.is_string() ? std::string(string_of(actual)) : to_text(actual);
  if (!actual.is_string() && !actual.is_number()) return false;
  const RE2 expression(pattern);
  std::vector<re2::StringPiece> parts(
      static_cast<std::size_t>(expression.NumberOfCapturingGroups()) + 1);
  const auto count = static_cast<int>(parts.size());
  if (!expression.Match(text, 0, text.size(), RE2::ANCHOR_BOTH, parts.data(), count)) return false;
  for (const auto& [name, group] : expression.NamedCapturingGroups()) {
    const auto& part = parts[static_cast<std::size_t>(group)];
    captures[name] = captured(std::string_view(part.data(), part.size()));
  }
  return true;
}

class Matcher {
 public:
  Matcher(bool subset, const Names& names) : subset_(subset), names_(names) {}

  bool match(const Json& expected, const Json& actual) {
    if (const auto pattern = pattern_of(string_of(expected)); !pattern.empty()) {
      return fits_pattern(pattern, actual, captures);
    }
    if (is_placeholder(expected)) return match_placeholder(string_of(expected), actual);
    if (expected.is_object() && actual.is_object()) {
      return match_object(expected.get_object(), actual.get_object());
    }
    if (expected.is_array() && actual.is_array()) {
      return match_array(expected.get_array(), 0, actual.get_array(), 0);
    }
    return expected.kind() == actual.kind() && expected == actual;
  }

  Captures captures;

 private:
  bool match_placeholder(std::string_view text, const Json& actual) {
    const auto inside = text.substr(1, text.size() - 2);
    if (inside == "any") return true;
    if (text.starts_with(kHas)) {
      return string_of(actual).find(inside.substr(kHas.size() - 1)) != std::string_view::npos;
    }
    if (inside.starts_with('!')) {
      const auto* other = names_.find(inside.substr(1));
      return other != nullptr && *other != captured(actual);
    }
    captures[std::string(inside)] = captured(actual);
    return true;
  }

  bool match_object(const JsonObject& expected, const JsonObject& actual) {
    std::size_t found = 0;
    for (const auto& [key, value] : expected) {
      const auto* there = actual.if_contains(key);
      if (string_of(value) == kAbsent) {
        if (there != nullptr) return false;
        continue;
      }
      if (there == nullptr || !match(value, *there)) return false;
      ++found;
    }
    return subset_ || found == actual.size();
  }

  bool match_array(const JsonArray& expected, std::size_t e, const JsonArray& actual,
                   std::size_t a) {
    if (e == expected.size()) return a == actual.size();
    if (string_of(expected[e]) == kRest) {
      for (std::size_t next = a; next <= actual.size(); ++next) {
        if (match_array(expected, e + 1, actual, next)) return true;
      }
      return false;
    }
    return a < actual.size() && match(expected[e], actual[a]) &&
           match_array(expected, e + 1, actual, a + 1);
  }

  const bool subset_;
  const Names& names_;
};

std::optional<std::string> repeated(std::string_view inside) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(inside.data(), inside.data() + inside.size(), count);
  if (error != std::errc() || end == inside.data() + inside.size()) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out.append(end + 1, inside.data() + inside.size());
  return out;
}

std::string bytes_of(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 3) {
    unsigned byte = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    out += static_cast<char>(byte);
  }
  return out;
}

}  // namespace

const std::string* Names::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

std::optional<std::string> Names::value_of(std::string_view inside) const {
  if (inside.starts_with("repeat ")) return repeated(inside.substr(7));
  if (inside.starts_with("bytes ")) return bytes_of(inside.substr(6));
  const auto* value = find(inside);
  return value == nullptr ? std::nullopt : std::optional(expand(*value));
}

std::string Names::expand(std::string_view text) const {
  std::string out;
  while (!text.empty()) {
    const auto open = text.find('{');
    out.append(text.substr(0, open));
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    const auto close = text.find('}');
    const auto value =
        close == std::string_view::npos ? std::nullopt : value_of(text.substr(1, close - 1));
    out.append(value ? *value : "{");
    text.remove_prefix(value ? close + 1 : 1);
  }
  return out;
}

std::string Names::abbreviate(std::string json) const {
  for (const auto& [name, text] : values_) {
    const auto whole = parse_json(expand(text));
    if (!whole || !whole->is_object()) continue;
    const auto full = to_text(*whole);
    for (auto at = json.find(full); at != std::string::npos; at = json.find(full, at)) {
      json.replace(at, full.size(), "{" + name + "}");
    }
  }
  return json;
}

bool matches(const Json& expected, const Json& actual, bool subset, Names& names) {
  Matcher matcher(subset, names);
  if (!matcher.match(expected, actual)) return false;
  for (auto& [name, text] : matcher.captures) names.set(name, std::move(text));
  return true;
}

bool matches_text(std::string_view expected, std::string_view actual, Names& names) {
  return matches(Json(boost::json::string_view(expected.data(), expected.size())),
                 Json(boost::json::string_view(actual.data(), actual.size())), false, names);
}

Json with_placeholders(const Json& expected, const Json& actual) {
  if (const auto pattern = pattern_of(string_of(expected)); !pattern.empty()) {
    Captures ignored;
    return fits_pattern(pattern, actual, ignored) ? expected : actual;
  }
  if (is_placeholder(expected) && string_of(expected) != kRest) return expected;
  if (expected.is_object() && actual.is_object()) {
    JsonObject out = actual.get_object();
    for (auto& [key, value] : out) {
      const auto* before = expected.get_object().if_contains(key);
      if (before != nullptr) value = with_placeholders(*before, value);
    }
    return out;
  }
  if (expected.is_array() && actual.is_array()) {
    JsonArray out = actual.get_array();
    const auto& before = expected.get_array();
    for (std::size_t i = 0; i < std::min(out.size(), before.size()); ++i) {
      out[i] = with_placeholders(before[i], out[i]);
    }
    return out;
  }
  return actual;
}

std::string with_marks(std::string json) {
  RE2::GlobalReplace(&json, R"(\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)", "<a time>");
  RE2::GlobalReplace(&json, R"(\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b)", "<a digest>");
  return json;
}

}  // namespace lode::transcripts
