#include "base/json_schema_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/json_schema_value.h"

namespace lode::schema {
namespace {

// The insides of classes. ECMA-262 counts all Unicode spaces and line ends.
constexpr std::string_view kSpace =
    R"(\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr std::string_view kNotSpace =
    R"(\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027})"
    R"(\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";
constexpr std::string_view kAscii = R"(\x{0}-\x{7f})";
constexpr std::string_view kNotAscii = R"(\x{80}-\x{10ffff})";
constexpr std::string_view kAnyCharacter = R"([\x{0}-\x{10ffff}])";
constexpr std::string_view kNoCharacter = R"([^\x{0}-\x{10ffff}])";
constexpr std::string_view kDot = R"([^\n\r\x{2028}\x{2029}])";

using Name = std::pair<std::string_view, std::string_view>;

// RE2 knows general categories by their short names only.
constexpr std::array kCategories = {
    Name{"Other", "C"},
    Name{"Control", "Cc"},
    Name{"Format", "Cf"},
    Name{"Private_Use", "Co"},
    Name{"Surrogate", "Cs"},
    Name{"Letter", "L"},
    Name{"Lowercase_Letter", "Ll"},
    Name{"Modifier_Letter", "Lm"},
    Name{"Other_Letter", "Lo"},
    Name{"Titlecase_Letter", "Lt"},
    Name{"Uppercase_Letter", "Lu"},
    Name{"Mark", "M"},
    Name{"Spacing_Mark", "Mc"},
    Name{"Enclosing_Mark", "Me"},
    Name{"Nonspacing_Mark", "Mn"},
    Name{"Number", "N"},
    Name{"Decimal_Number", "Nd"},
    Name{"digit", "Nd"},
    Name{"Letter_Number", "Nl"},
    Name{"Other_Number", "No"},
    Name{"Punctuation", "P"},
    Name{"punct", "P"},
    Name{"Connector_Punctuation", "Pc"},
    Name{"Dash_Punctuation", "Pd"},
    Name{"Close_Punctuation", "Pe"},
    Name{"Final_Punctuation", "Pf"},
    Name{"Initial_Punctuation", "Pi"},
    Name{"Other_Punctuation", "Po"},
    Name{"Open_Punctuation", "Ps"},
    Name{"Symbol", "S"},
    Name{"Currency_Symbol", "Sc"},
    Name{"Modifier_Symbol", "Sk"},
    Name{"Math_Symbol", "Sm"},
    Name{"Other_Symbol", "So"},
    Name{"Separator", "Z"},
    Name{"Line_Separator", "Zl"},
    Name{"Paragraph_Separator", "Zp"},
    Name{"Space_Separator", "Zs"},
};

constexpr std::array<std::string_view, 6> kPropertyPrefixes = {
    "General_Category=", "gc=", "Script_Extensions=", "scx=", "Script=", "sc="};

Error unsupported(std::string message) { return {Code::unsupported, std::move(message), {}}; }

std::string code_point(unsigned long value) { return fmt::format("\\x{{{:x}}}", value); }

bool among(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_surrogate(unsigned long value, unsigned long first) {
  return value >= first && value < first + 0x400;
}

// Reads the pattern from left to right, once, and writes RE2's form.
class Translator {
 public:
  explicit Translator(std::string_view in) : in_(in) {}

  Result<TranslatedPattern> run();

 private:
  Status step();
  Status group();
  Status guard(bool negative);
  Status character_class();
  Status class_item();
  Status escape(bool in_class);
  Status unicode_escape();
  Status set_escape(bool in_class);
  Status property_escape(bool negative, bool in_class);
  Status character_escape();
  void append_set(std::string_view inside, bool in_class);
  Result<unsigned long> hex(std::size_t digits);

  bool at_end() const { return at_ >= in_.size(); }
  bool next_is(std::string_view text) const { return in_.substr(at_).starts_with(text); }
  bool take(std::string_view text);
  // Whether what comes next is an escape that stands for a set, such as \d.
  bool set_escape_next() const;
  std::size_t end_of_group() const;

  std::string_view in_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool alternatives_ = false;  // a | outside of any group
  bool after_set_ = false;     // in a class: the last item was a set, not a character
  TranslatedPattern out_;
};

Result<TranslatedPattern> Translator::run() {
  while (!at_end()) {
    if (auto status = step(); !status) return std::move(status).error();
  }
  if (alternatives_ && !out_.guards.empty()) return unsupported("a lookahead in an alternative");
  return std::move(out_);
}

bool Translator::take(std::string_view text) {
  if (!next_is(text)) return false;
  at_ += text.size();
  return true;
}

Status Translator::step() {
  if (take("\\")) return escape(false);
  if (take("[")) return character_class();
  if (take("(")) return group();
  if (take(".")) {
    out_.pattern += kDot;
    return {};
  }
  const char c = in_[at_++];
  if (c == ')') --depth_;
  if (c == '|' && depth_ == 0) alternatives_ = true;
  out_.pattern += c;
  return {};
}

// Groups need not capture: only whether there is a match counts.
Status Translator::group() {
  const bool negative = next_is("?!");
  if (negative || next_is("?=")) {
    at_ += 2;
    return guard(negative);
  }
  if (next_is("?<=") || next_is("?<!")) return unsupported("lookbehind");
  if (take("?<")) {
    const std::size_t end = in_.find('>', at_);
    if (end == std::string_view::npos) return invalid("a group's name has no end");
    at_ = end + 1;
  } else if (!take("?:") && next_is("?")) {
    return invalid("an unknown kind of group: (" + shorten(in_.substr(at_), 4));
  }
  ++depth_;
  out_.pattern += "(?:";
  return {};
}

Status Translator::guard(bool negative) {
  if (out_.pattern != "^") return unsupported("a lookahead that is not at the beginning");
  const std::size_t end = end_of_group();
  if (end == std::string_view::npos) return invalid("missing )");
  auto inner = Translator(in_.substr(at_, end - at_)).run();
  if (!inner) return std::move(inner).error();
  if (!inner->guards.empty()) return unsupported("a lookahead in a lookahead");
  out_.guards.push_back({"^(?:" + inner->pattern + ")", negative});
  at_ = end + 1;
  if (!at_end() && among(in_[at_], "*+?{")) return invalid("a repeated lookahead");
  return {};
}

// Where the group that begins here ends: at its own closing parenthesis.
std::size_t Translator::end_of_group() const {
  int depth = 0;
  bool in_class = false;
  for (std::size_t i = at_; i < in_.size(); ++i) {
    const char c = in_[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && depth-- == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

Status Translator::character_class() {
  if (take("^]")) {
    out_.pattern += kAnyCharacter;
    return {};
  }
  if (take("]")) {
    out_.pattern += kNoCharacter;
    return {};
  }
  out_.pattern += take("^") ? "[^" : "[";
  after_set_ = false;
  while (!take("]")) {
    if (at_end()) return invalid("missing ]");
    if (auto status = class_item(); !status) return status;
  }
  out_.pattern += ']';
  return {};
}

Status Translator::class_item() {
  const bool after_set = std::exchange(after_set_, false);
  if (take("\\")) return escape(true);
  const char c = in_[at_++];
  // RE2 would read [: as the start of a named class, and a hyphen beside an
  // expanded set as a range.
  const bool literal_hyphen = c == '-' && (after_set || set_escape_next());
  if (c == '[' || literal_hyphen) out_.pattern += '\\';
  out_.pattern += c;
  return {};
}

bool Translator::set_escape_next() const {
  return next_is("\\") && at_ + 1 < in_.size() && among(in_[at_ + 1], "dDwWsSpP");
}

Status Translator::escape(bool in_class) {
  if (at_end()) return invalid("a \\ at the end");
  if (among(in_[at_], "dDwWsSpP")) return set_escape(in_class);
  if (!among(in_[at_], "bB")) return character_escape();
  const char c = in_[at_++];
  if (in_class && c == 'B') return invalid("\\B in a class");
  out_.pattern += in_class ? code_point('\b') : std::string{'\\', c};
  return {};
}

Status Translator::set_escape(bool in_class) {
  after_set_ = true;
  const char c = in_[at_++];
  if (c == 'p' || c == 'P') return property_escape(c == 'P', in_class);
  if (c == 's' || c == 'S') {
    append_set(c == 's' ? kSpace : kNotSpace, in_class);
  } else {
    out_.pattern += {'\\', c};
  }
  return {};
}

void Translator::append_set(std::string_view inside, bool in_class) {
  out_.pattern += in_class ? std::string(inside) : fmt::format("[{}]", inside);
}

Status Translator::character_escape() {
  const char c = in_[at_++];
  if (c == 'u') return unicode_escape();
  if (c == 'x') {
    auto value = hex(2);
    if (!value) return std::move(value).error();
    out_.pattern += code_point(*value);
  } else if (c == 'c') {
    if (at_end() || !is_letter(in_[at_])) return invalid("\\c without a letter");
    out_.pattern += code_point(static_cast<unsigned long>(in_[at_++]) & 0x1fU);
  } else if (c == '0') {
    out_.pattern += code_point(0);
  } else if (c == 'k' || (c >= '1' && c <= '9')) {
    return unsupported("a back-reference");
  } else if (is_letter(c) && !among(c, "tnrfv")) {
    return invalid(fmt::format("the unknown escape \\{}", c));
  } else {
    if (c != '_' && static_cast<unsigned char>(c) < 0x80) out_.pattern += '\\';
    out_.pattern += c;
  }
  return {};
}

Result<unsigned long> Translator::hex(std::size_t digits) {
  const std::string_view text = in_.substr(at_, digits);
  unsigned long value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != digits || digits == 0 || read.ptr != text.data() + text.size()) {
    return invalid("a malformed hexadecimal escape");
  }
  at_ += digits;
  return value;
}

Status Translator::unicode_escape() {
  const bool braces = take("{");
  const std::size_t digits = braces ? in_.substr(at_).find('}') : 4;
  if (digits > 8) return invalid("a malformed \\u escape");
  auto value = hex(digits);
  if (!value) return std::move(value).error();
  if (braces) ++at_;
  if (!braces && is_surrogate(*value, 0xd800) && take("\\u")) {
    auto low = hex(4);
    if (!low) return std::move(low).error();
    if (!is_surrogate(*low, 0xdc00)) return unsupported("a lone surrogate");
    *value = 0x10000 + ((*value - 0xd800) << 10U) + (*low - 0xdc00);
  }
  if (*value >= 0xd800 && *value < 0xe000) return unsupported("a lone surrogate");
  if (*value > 0x10ffff) return invalid("a code point beyond 10ffff");
  out_.pattern += code_point(*value);
  return {};
}

Status Translator::property_escape(bool negative, bool in_class) {
  const std::size_t end = in_.find('}', at_);
  if (!take("{") || end == std::string_view::npos) return invalid("\\p without {…}");
  std::string_view name = in_.substr(at_, end - at_);
  at_ = end + 1;
  if (name == "ASCII") {
    append_set(negative ? kNotAscii : kAscii, in_class);
    return {};
  }
  for (std::string_view prefix : kPropertyPrefixes) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  const auto* const known = std::find_if(kCategories.begin(), kCategories.end(),
                                         [&](const Name& n) { return n.first == name; });
  if (known != kCategories.end()) name = known->second;
  out_.pattern += fmt::format("\\{}{{{}}}", negative ? 'P' : 'p', name);
  return {};
}

Result<std::unique_ptr<const re2::RE2>> compile_re2(const std::string& pattern,
                                                    std::int64_t max_memory) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(max_memory);
  auto expression = std::make_unique<const re2::RE2>(pattern, options);
  if (expression->ok()) return expression;
  const auto code = expression->error_code();
  const bool unknown_property = code == re2::RE2::ErrorBadCharRange &&
                                !expression->error_arg().empty() &&
                                expression->error_arg().front() == '\\';
  if (unknown_property || code == re2::RE2::ErrorPatternTooLarge ||
      code == re2::RE2::ErrorRepeatSize) {
    return unsupported(expression->error());
  }
  return invalid(expression->error());
}

}  // namespace

Result<TranslatedPattern> translate_pattern(std::string_view ecma) {
  return Translator(ecma).run();
}

Result<Pattern> Pattern::compile(std::string_view ecma, std::int64_t max_memory) {
  const std::string doing = fmt::format("the pattern {}", shorten(ecma, 200));
  auto translated = translate_pattern(ecma);
  if (!translated) return std::move(translated).error().in(doing);
  Pattern out;
  out.text_ = ecma;
  auto expression = compile_re2(translated->pattern, max_memory);
  if (!expression) return std::move(expression).error().in(doing);
  out.expression_ = std::move(*expression);
  out.size_ = static_cast<std::size_t>(out.expression_->ProgramSize());
  for (const auto& guard : translated->guards) {
    auto compiled = compile_re2(guard.pattern, max_memory);
    if (!compiled) return std::move(compiled).error().in(doing);
    out.size_ += static_cast<std::size_t>((*compiled)->ProgramSize());
    out.guards_.push_back({std::move(*compiled), guard.negative});
  }
  return out;
}

// At worst every instruction is looked at for every byte.
std::size_t Pattern::cost(std::size_t bytes) const { return 1 + bytes * size_ / 2048; }

bool Pattern::found_in(std::string_view text) const {
  const re2::StringPiece piece(text.data(), text.size());
  if (!re2::RE2::PartialMatch(piece, *expression_)) return false;
  return std::all_of(guards_.begin(), guards_.end(), [&](const Guard& guard) {
    return re2::RE2::PartialMatch(piece, *guard.expression) != guard.negative;
  });
}

}  // namespace lode::schema
