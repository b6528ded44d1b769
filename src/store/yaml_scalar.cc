#include "store/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace lode {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

bool among(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text;
}

// Takes digits off the front; answers how many.
std::size_t take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && digit(text[n])) ++n;
  text.remove_prefix(n);
  return n;
}

bool is_integer(std::string_view text) {
  text = without_sign(text);
  return take_digits(text) > 0 && text.empty();
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text) {
  text = without_sign(text);
  std::size_t digits = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += take_digits(text);
  }
  if (digits == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text = without_sign(text.substr(1));
    if (take_digits(text) == 0) return false;
  }
  return text.empty();
}

void set_number(YamlNode& node, double number) {
  node.kind = YamlKind::number;
  node.number = number;
}

// REQUIRES: is_float(text).
void set_float(YamlNode& node, std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc::result_out_of_range) {
    const bool small = text.find("e-") != text.npos || text.find("E-") != text.npos;
    number = small ? 0 : std::numeric_limits<double>::infinity();
    if (text.starts_with('-')) number = -number;
  }
  set_number(node, number);
}

bool set_integer(YamlNode& node, std::string_view digits, int base) {
  std::int64_t integer = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, problem] = std::from_chars(digits.data(), last, integer, base);
  if (problem != std::errc() || end != last) return false;
  node.kind = YamlKind::integer;
  node.integer = integer;
  node.number = static_cast<double>(integer);
  return true;
}

// 0o17 and 0x1f: no sign.
bool set_prefixed(YamlNode& node, std::string_view text) {
  if (text.size() < 3 || text[2] == '-') return false;
  if (text.starts_with("0o")) return set_integer(node, text.substr(2), 8);
  if (text.starts_with("0x")) return set_integer(node, text.substr(2), 16);
  return false;
}

bool set_word(YamlNode& node, std::string_view text) {
  if (among(text, {"", "~", "null", "Null", "NULL"})) {
    node.kind = YamlKind::null;
  } else if (among(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) {
    node.kind = YamlKind::boolean;
    node.boolean = text[0] == 't' || text[0] == 'T';
  } else if (among(text, {".nan", ".NaN", ".NAN"})) {
    set_number(node, std::numeric_limits<double>::quiet_NaN());
  } else if (among(without_sign(text), {".inf", ".Inf", ".INF"})) {
    const double infinity = std::numeric_limits<double>::infinity();
    set_number(node, text[0] == '-' ? -infinity : infinity);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void resolve_plain(std::string_view text, YamlNode& node) {
  if (set_word(node, text) || set_prefixed(node, text)) return;
  if (is_integer(text)) {
    if (!set_integer(node, text.starts_with('+') ? text.substr(1) : text, 10)) {
      set_float(node, text);
    }
  } else if (is_float(text)) {
    set_float(node, text);
  } else {
    node.kind = YamlKind::string;
  }
}

bool looks_like_date(std::string_view text) {
  if (text.size() < 8) return false;
  const auto year = text.substr(0, 4);
  if (!std::all_of(year.begin(), year.end(), digit) || text[4] != '-') return false;
  text.remove_prefix(5);
  if (const auto n = take_digits(text); n < 1 || n > 2 || !text.starts_with('-')) return false;
  text.remove_prefix(1);
  const auto n = take_digits(text);
  return n == 1 || n == 2;
}

bool ambiguous(std::string_view text) {
  YamlNode node;
  resolve_plain(text, node);
  if (node.kind != YamlKind::string || looks_like_date(text)) return true;
  std::string lower(text.substr(0, 8));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (among(lower, {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "=", "<<"})) {
    return true;
  }
  // Numbers of YAML 1.1: 1_000, 0b11, 12:30:45, .5_0, and those of other bases.
  const auto unsigned_text = without_sign(text);
  if (unsigned_text.empty() || (!digit(unsigned_text[0]) && unsigned_text[0] != '.')) return false;
  return std::count(text.begin(), text.end(), '.') < 2 &&
         unsigned_text.find_first_not_of("0123456789abcdefABCDEFxXoO_.:+-") == text.npos;
}

}  // namespace lode
