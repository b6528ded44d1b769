// One line of a .gitignore, with git's meaning of it.
//
// Bytes, not characters, as in git: "?" and a class stand for one byte. A path
// is matched segment by segment; each run of "*" backtracks only to itself and
// each "**" only by whole segments, so the time is bounded by the product of
// the lengths, whatever the pattern. Constant after construction; any thread.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lode {

class IgnorePattern {
 public:
  // The line without its line end. Nothing: a comment, an empty line, or a
  // pattern that no path can match.
  static std::optional<IgnorePattern> parse(std::string_view line);

  // The line began with "!": what it matches is not ignored after all.
  bool negated() const { return negated_; }

  // path: relative to the directory of the .gitignore, without a slash at
  // either end, not empty.
  bool matches(std::string_view path, bool is_directory) const;

 private:
  friend class IgnorePatternParser;
  using Class = std::bitset<256>;

  struct Token {
    enum class Kind : std::uint8_t { byte, any, star, set };
    Kind kind;
    char byte = 0;
    std::uint16_t set = 0;  // an index into sets_
  };
  struct Segment {
    enum class Form : std::uint8_t { literal, suffix, glob, any_depth };
    Form form = Form::literal;
    std::string text;  // of a literal; of a suffix, what follows the star
    std::vector<Token> tokens;
  };

  bool matches_segments(std::string_view path) const;
  bool matches_segment(const Segment& segment, std::string_view name) const;
  bool matches_tokens(const std::vector<Token>& tokens, std::string_view name) const;
  bool accepts(const Token& token, char byte) const;

  bool negated_ = false;
  bool directories_only_ = false;
  bool name_only_ = false;  // no slash: matches the last segment, at any depth
  std::vector<Segment> segments_;
  std::vector<Class> sets_;
};

}  // namespace lode
