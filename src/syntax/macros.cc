#include "syntax/macros.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace lode {
namespace {

bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

enum class Kind : std::uint8_t { word, mark, literal, directive };

struct Token {
  Kind kind = Kind::mark;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool first_on_line = false;
};

// The tokens of C and C++, roughly: enough to tell words from what is around them.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    while (skip_blank()) {
      const auto begin = at_;
      const auto kind = take();
      tokens.push_back({.kind = kind,
                        .begin = static_cast<std::uint32_t>(begin),
                        .end = static_cast<std::uint32_t>(at_),
                        .first_on_line = first_});
      first_ = false;
    }
    return tokens;
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void skip_to(std::string_view end) {
    const auto found = text_.find(end, at_);
    at_ = found == text_.npos ? text_.size() : found + end.size();
  }

  // False: at the end.
  bool skip_blank() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        first_ = true;
      } else if (starts("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else if (starts("/*")) {
        at_ += 2;
        skip_to("*/");
        --at_;
      } else if (!is_space(text_[at_])) {
        return true;
      }
    }
    return false;
  }

  Kind take() {
    const char c = text_[at_];
    if (c == '#' && first_) {
      take_directive();
      return Kind::directive;
    }
    if (c == '"' || c == '\'') {
      take_quoted(c);
      return Kind::literal;
    }
    if (is_letter(c) || is_digit(c)) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      return is_digit(c) ? Kind::literal : Kind::word;
    }
    ++at_;
    return Kind::mark;
  }

  void take_directive() {
    do at_ = std::min(text_.find('\n', at_ + 1), text_.size());
    while (at_ < text_.size() &&
           (text_[at_ - 1] == '\\' || (text_[at_ - 1] == '\r' && text_[at_ - 2] == '\\')));
  }

  // A line end ends it: what follows is not lost to an apostrophe.
  void take_quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    }
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool first_ = true;
};

bool is_one_of(std::string_view word, auto... words) { return ((word == words) || ...); }

constexpr auto kCompilerWords = std::to_array<std::string_view>(
    {"__alignof",     "__alignof__", "__asm",       "__asm__",       "__attribute", "__attribute__",
     "__based",       "__cdecl",     "__clrcall",   "__const",       "__declspec",  "__except",
     "__extension__", "__fastcall",  "__finally",   "__forceinline", "__inline",    "__inline__",
     "__int128",      "__leave",     "__ptr32",     "__ptr64",       "__regcall",   "__restrict",
     "__restrict__",  "__signed",    "__signed__",  "__sptr",        "__stdcall",   "__thiscall",
     "__thread",      "__try",       "__typeof",    "__typeof__",    "__unaligned", "__uptr",
     "__vectorcall",  "__volatile",  "__volatile__"});

bool looks_like_macro(std::string_view word) {
  constexpr std::size_t kShortest = 3;
  if (word.size() < kShortest) return false;
  if (word.starts_with("__")) return !std::ranges::binary_search(kCompilerWords, word);
  return std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), tokens_(Lexer(text).all()) {}

  std::string run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Kind::word || !looks_like_macro(word(i))) continue;
      const auto behind = after_arguments(i + 1);
      if (!is_trailing(i, behind) && (is_leading(i) || is_before_type_name(i))) {
        blank(i, i + 1);
      } else if (is_trailing(i, behind) || is_alone(i, behind)) {
        blank(i, behind);
        i = behind - 1;
      }
    }
    return std::move(blanked_);
  }

 private:
  std::string_view word(std::size_t i) const {
    if (i >= tokens_.size()) return {};
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool is_word(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == Kind::word; }

  // The token behind parenthesised arguments that begin at i; i: there are none.
  std::size_t after_arguments(std::size_t i) const {
    if (word(i) != "(") return i;
    std::size_t depth = 0;
    for (auto at = i; at < tokens_.size() && at - i < kArgumentTokens; ++at) {
      if (word(at) == "(") ++depth;
      if (word(at) == ")" && --depth == 0) return at + 1;
    }
    return i;
  }

  // What came before it, past words that were blanked.
  std::size_t before(std::size_t i) const {
    while (i > 0 && i == blanked_end_) i = blanked_begin_;
    return i;
  }

  bool is_trailing(std::size_t i, std::size_t behind) const {
    const auto begin = before(i);
    if (begin == 0) return false;
    const auto previous = word(begin - 1);
    if (!is_one_of(previous, ")", "const", "noexcept", "override", "final")) return false;
    const auto next = word(behind);
    return is_one_of(next, ";", "{", ":", "=") || (is_word(behind) && looks_like_macro(next));
  }

  // A declaration begins here, or goes on behind a word that others begin with.
  bool begins_declaration(std::size_t i) const {
    const auto begin = before(i);
    if (begin == 0 || tokens_[begin - 1].kind == Kind::directive) return true;
    return is_one_of(word(begin - 1), ";", "}", "{", ">", ":", "extern", "static", "inline",
                     "virtual", "explicit", "constexpr", "friend", "typedef", "__inline",
                     "__extension__");
  }

  bool is_leading(std::size_t i) const {
    if (!begins_declaration(i)) return false;
    if (!is_word(i + 1)) return word(i + 1) == "~";
    if (is_before_constructor(i)) return true;
    if (word(i + 1) == "const" && is_word(i + 2)) {
      return is_word(i + 3) || is_one_of(word(i + 3), "*", "&", "<", ":");
    }
    if (is_one_of(word(i + 1), "const", "volatile", "operator", "noexcept")) return false;
    if (is_one_of(word(i + 1), "class", "struct", "template", "namespace", "static", "extern",
                  "inline", "constexpr", "virtual", "explicit", "void", "typedef", "using")) {
      return true;
    }
    return is_word(i + 2) || is_one_of(word(i + 2), "*", "&", "<", ":");
  }

  bool is_before_constructor(std::size_t i) const {
    if (word(i + 2) != "(") return false;
    if (const auto begin = before(i); begin > 0 && word(begin - 1) == "explicit") return true;
    const auto behind = after_arguments(i + 2);
    return word(behind) == ":" && word(behind + 1) != ":";
  }

  bool is_before_type_name(std::size_t i) const {
    if (i == 0 || !is_one_of(word(before(i) - 1), "class", "struct", "union", "enum")) return false;
    return is_word(i + 1) && is_one_of(word(i + 2), "{", ":", "final", "<");
  }

  bool is_alone(std::size_t i, std::size_t behind) const {
    const auto begin = before(i);
    if (!tokens_[i].first_on_line) return false;
    if (begin > 0 && tokens_[begin - 1].kind != Kind::directive &&
        !is_one_of(word(begin - 1), ";", "}", "{", ":")) {
      return false;
    }
    if (behind >= tokens_.size()) return true;
    if (!tokens_[behind].first_on_line) return false;
    if (tokens_[behind].kind == Kind::directive) return word(i).starts_with("__") || behind > i + 1;
    // A type may stand alone on the line above a function's name.
    return is_word(behind) && (behind > i + 1 || word(behind + 1) != "(");
  }

  void blank(std::size_t from, std::size_t to) {
    if (blanked_.empty()) blanked_ = text_;
    for (auto at = tokens_[from].begin; at < tokens_[to - 1].end; ++at) {
      if (blanked_[at] != '\n' && blanked_[at] != '\r') blanked_[at] = ' ';
    }
    if (blanked_end_ != from) blanked_begin_ = from;
    blanked_end_ = to;
  }

  static constexpr std::size_t kArgumentTokens = 256;

  std::string_view text_;
  std::vector<Token> tokens_;
  std::string blanked_;
  std::size_t blanked_begin_ = 0;  // the run of tokens that was blanked last
  std::size_t blanked_end_ = 0;
};

}  // namespace

std::string without_macros(std::string_view text) { return Blanker(text).run(); }

}  // namespace lode
