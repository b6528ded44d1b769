#include "workspace/ignore_pattern.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace lode {
namespace {

// Spaces at the end go, unless a backslash stands before them.
std::string_view without_trailing_spaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      end = std::min(++i + 1, line.size());
    } else if (line[i] != ' ') {
      end = i + 1;
    }
  }
  return line.substr(0, end);
}

using InClass = bool (*)(int);

// The C locale's classes; git's "space" has neither form feed nor vertical tab.
constexpr std::array<std::pair<std::string_view, InClass>, 12> kClasses = {{
    {"alnum",
     [](int c) { return (c | 32) >= 'a' && (c | 32) <= 'z' ? true : c >= '0' && c <= '9'; }},
    {"alpha", [](int c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }},
    {"blank", [](int c) { return c == ' ' || c == '\t'; }},
    {"cntrl", [](int c) { return c < 32 || c == 127; }},
    {"digit", [](int c) { return c >= '0' && c <= '9'; }},
    {"graph", [](int c) { return c > 32 && c < 127; }},
    {"lower", [](int c) { return c >= 'a' && c <= 'z'; }},
    {"print", [](int c) { return c >= 32 && c < 127; }},
    {"punct",
     [](int c) {
       return (c > 32 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') ||
              (c > 'z' && c < 127);
     }},
    {"space", [](int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }},
    {"upper", [](int c) { return c >= 'A' && c <= 'Z'; }},
    {"xdigit",
     [](int c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f'); }},
}};

std::size_t index_of(char byte) { return static_cast<unsigned char>(byte); }

// "[...]" of a pattern. The rules are those of git's wildmatch, which differ
// from POSIX in what is malformed.
class ClassParser {
 public:
  ClassParser(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  // at: after the "[". False: malformed, so that the pattern matches nothing.
  bool parse() {
    const bool negated = peek() == '!' || peek() == '^';
    if (negated) ++at_;
    do {
      if (at_ >= text_.size() || !item()) return false;
      ++at_;
    } while (at_ < text_.size() && text_[at_] != ']');
    if (at_ >= text_.size()) return false;
    if (negated) set_.flip();
    return true;
  }
  const std::bitset<256>& set() const { return set_; }
  // Where the closing bracket stands.
  std::size_t end() const { return at_; }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Leaves at_ on the item's last byte.
  bool item() {
    const char next = peek(1);
    if (peek() == '\\') return ++at_ < text_.size() && one(text_[at_]);
    if (peek() == '-' && previous_ >= 0 && next != '\0' && next != ']') return range();
    if (peek() == '[' && next == ':') return named();
    return one(text_[at_]);
  }

  bool one(char byte) {
    set_.set(index_of(byte));
    previous_ = static_cast<int>(index_of(byte));
    return true;
  }

  bool range() {
    ++at_;
    if (peek() == '\\' && ++at_ >= text_.size()) return false;
    for (std::size_t c = static_cast<std::size_t>(previous_); c <= index_of(text_[at_]); ++c) {
      set_.set(c);
    }
    previous_ = -1;
    return true;
  }

  bool named() {
    const std::size_t close = text_.find(']', at_ + 2);
    if (close == std::string_view::npos) return false;
    if (close == at_ + 2 || text_[close - 1] != ':') return one('[');
    const auto name = text_.substr(at_ + 2, close - at_ - 3);
    const auto* found = std::find_if(kClasses.begin(), kClasses.end(),
                                     [&](const auto& known) { return known.first == name; });
    if (found == kClasses.end()) return false;
    for (int c = 0; c < 128; ++c) {
      if (found->second(c)) set_.set(static_cast<std::size_t>(c));
    }
    at_ = close;
    previous_ = -1;
    return true;
  }

  const std::string_view text_;
  std::size_t at_;
  int previous_ = -1;  // what a "-" would begin from
  std::bitset<256> set_;
};

}  // namespace

// Fills a pattern's segments from its text.
class IgnorePatternParser {
 public:
  IgnorePatternParser(IgnorePattern& pattern, std::string_view text)
      : pattern_(pattern), text_(text) {}

  // False: malformed; it matches nothing.
  bool parse() {
    for (;;) {
      if (!stars_alone() && !segment()) return false;
      if (at_ >= text_.size()) return true;
      ++at_;  // the slash
    }
  }

 private:
  using Segment = IgnorePattern::Segment;
  using Token = IgnorePattern::Token;

  bool at_slash(std::size_t at) const { return at < text_.size() && text_[at] == '/'; }

  // "**" is any number of directories only between slashes or ends.
  bool stars_alone() {
    const std::size_t after = std::min(text_.find_first_not_of('*', at_), text_.size());
    if (after - at_ < 2 || pattern_.name_only_) return false;
    const bool escaped = after < text_.size() && text_[after] == '\\' && at_slash(after + 1);
    if (after != text_.size() && !at_slash(after) && !escaped) return false;
    // "**\/" wants one directory at least.
    if (escaped) pattern_.segments_.push_back({Segment::Form::suffix, "", {}});
    pattern_.segments_.push_back({Segment::Form::any_depth, "", {}});
    at_ = after + (escaped ? 1 : 0);
    return true;
  }

  bool segment() {
    Segment segment;
    for (; at_ < text_.size() && text_[at_] != '/'; ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        if (++at_ >= text_.size()) return false;
        if (text_[at_] == '/') break;
        segment.tokens.push_back({Token::Kind::byte, text_[at_]});
      } else if (c == '[') {
        if (!set(segment)) return false;
      } else {
        add(segment, c);
      }
    }
    simplify(segment);
    pattern_.segments_.push_back(std::move(segment));
    return true;
  }

  static void add(Segment& segment, char c) {
    auto& tokens = segment.tokens;
    if (c == '?') {
      tokens.push_back({Token::Kind::any});
    } else if (c != '*') {
      tokens.push_back({Token::Kind::byte, c});
    } else if (tokens.empty() || tokens.back().kind != Token::Kind::star) {
      tokens.push_back({Token::Kind::star});
    }
  }

  bool set(Segment& segment) {
    ClassParser parser(text_, at_ + 1);
    auto& sets = pattern_.sets_;
    if (!parser.parse() || sets.size() >= std::numeric_limits<std::uint16_t>::max()) return false;
    segment.tokens.push_back({Token::Kind::set, 0, static_cast<std::uint16_t>(sets.size())});
    sets.push_back(parser.set());
    at_ = parser.end();
    return true;
  }

  // Most patterns are a name or "*.ext": those need no tokens.
  static void simplify(Segment& segment) {
    auto& tokens = segment.tokens;
    const bool star = !tokens.empty() && tokens.front().kind == Token::Kind::star;
    const auto plain = [](const Token& token) { return token.kind == Token::Kind::byte; };
    if (!std::all_of(tokens.begin() + (star ? 1 : 0), tokens.end(), plain)) {
      segment.form = Segment::Form::glob;
      return;
    }
    segment.form = star ? Segment::Form::suffix : Segment::Form::literal;
    for (std::size_t i = star ? 1 : 0; i < tokens.size(); ++i) segment.text += tokens[i].byte;
    tokens.clear();
  }

  IgnorePattern& pattern_;
  const std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<IgnorePattern> IgnorePattern::parse(std::string_view line) {
  line = line.substr(0, line.find('\0'));
  if (line.starts_with('#')) return std::nullopt;
  line = without_trailing_spaces(line);
  IgnorePattern pattern;
  pattern.negated_ = line.starts_with('!');
  if (pattern.negated_) line.remove_prefix(1);
  pattern.directories_only_ = line.ends_with('/');
  if (pattern.directories_only_) line.remove_suffix(1);
  pattern.name_only_ = line.find('/') == std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty() || !IgnorePatternParser(pattern, line).parse()) return std::nullopt;
  return pattern;
}

bool IgnorePattern::matches(std::string_view path, bool is_directory) const {
  if (directories_only_ && !is_directory) return false;
  if (!name_only_) return matches_segments(path);
  const auto slash = path.rfind('/');
  return matches_segment(segments_.front(),
                         slash == std::string_view::npos ? path : path.substr(slash + 1));
}

// A segment of the pattern takes exactly one of the path, so that the first
// place where the part after a "**" fits is as good as any: only the last "**"
// is ever tried again.
bool IgnorePattern::matches_segments(std::string_view path) const {
  constexpr auto kNone = std::string_view::npos;
  std::size_t at = 0;
  std::size_t part = 0;
  std::size_t retry_part = kNone;
  std::size_t retry_at = 0;
  while (at < path.size()) {
    if (part < segments_.size() && segments_[part].form == Segment::Form::any_depth) {
      if (++part == segments_.size()) return true;
      retry_part = part;
      retry_at = at;
      continue;
    }
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (part < segments_.size() && matches_segment(segments_[part], path.substr(at, end - at))) {
      ++part;
      at = end + 1;
      continue;
    }
    if (retry_part == kNone) return false;
    retry_at = std::min(path.find('/', retry_at), path.size()) + 1;
    at = retry_at;
    part = retry_part;
  }
  return part == segments_.size();
}

bool IgnorePattern::matches_segment(const Segment& segment, std::string_view name) const {
  switch (segment.form) {
    case Segment::Form::literal: return name == segment.text;
    case Segment::Form::suffix: return name.ends_with(segment.text);
    case Segment::Form::glob: return matches_tokens(segment.tokens, name);
    case Segment::Form::any_depth: break;
  }
  return false;
}

bool IgnorePattern::matches_tokens(const std::vector<Token>& tokens, std::string_view name) const {
  constexpr auto kNone = std::string_view::npos;
  std::size_t at = 0;
  std::size_t token = 0;
  std::size_t retry_token = kNone;
  std::size_t retry_at = 0;
  while (at < name.size()) {
    if (token < tokens.size() && tokens[token].kind == Token::Kind::star) {
      retry_token = ++token;
      retry_at = at;
    } else if (token < tokens.size() && accepts(tokens[token], name[at])) {
      ++token;
      ++at;
    } else if (retry_token != kNone) {
      token = retry_token;
      at = ++retry_at;
    } else {
      return false;
    }
  }
  while (token < tokens.size() && tokens[token].kind == Token::Kind::star) ++token;
  return token == tokens.size();
}

bool IgnorePattern::accepts(const Token& token, char byte) const {
  switch (token.kind) {
    case Token::Kind::byte: return byte == token.byte;
    case Token::Kind::any: return true;
    case Token::Kind::set: return sets_[token.set].test(index_of(byte));
    case Token::Kind::star: break;
  }
  return false;
}

}  // namespace lode
