#include "base/tokens_split.h"

namespace lode {
namespace {

constexpr unsigned bit(CharClass type) { return 1U << static_cast<unsigned>(type); }

template <class... Types>
constexpr unsigned set_of(Types... types) {
  return (bit(types) | ...);
}

constexpr unsigned kUpper = set_of(CharClass::upper, CharClass::letter, CharClass::mark);
constexpr unsigned kLower = set_of(CharClass::lower, CharClass::letter, CharClass::mark);
constexpr unsigned kBoth = kUpper & kLower;
constexpr unsigned kBeforeWord = set_of(CharClass::other, CharClass::space, CharClass::mark);
constexpr unsigned kPunctuation = set_of(CharClass::other, CharClass::mark);
constexpr unsigned kNewline = set_of(CharClass::newline);
constexpr unsigned kSpace = set_of(CharClass::space, CharClass::newline);
constexpr unsigned kNumber = set_of(CharClass::number);

constexpr bool in(CharClass type, unsigned set) { return (bit(type) & set) != 0; }

constexpr char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

TokenSplitter::Char TokenSplitter::at(std::size_t position) const {
  if (position >= text_.size()) return {CharClass::other, 0};
  const auto byte = static_cast<unsigned char>(text_[position]);
  if (byte >= 0x80) return at_wide(position);
  return {vocabulary_.classes[256 * std::size_t{vocabulary_.block_of[0]} + byte], 1};
}

TokenSplitter::Char TokenSplitter::at_wide(std::size_t position) const {
  const auto lead = static_cast<unsigned char>(text_[position]);
  const std::size_t width = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  std::size_t code = lead & (0x7FU >> width);
  for (std::size_t i = 1; i < width; ++i) {
    code = code << 6 | (static_cast<unsigned char>(text_[position + i]) & 0x3FU);
  }
  const std::size_t block = vocabulary_.block_of[code / 256];
  return {vocabulary_.classes[256 * block + code % 256], width};
}

std::size_t TokenSplitter::skip(std::size_t position, unsigned set) const {
  for (Char c = at(position); c.width > 0 && in(c.type, set); c = at(position)) {
    position += c.width;
  }
  return position;
}

std::size_t TokenSplitter::end_of_piece(std::size_t begin) const {
  if (auto end = word(begin); end > begin) return contraction(end);
  if (auto end = number(begin); end > begin) return end;
  if (auto end = punctuation(begin); end > begin) return end;
  return whitespace(begin);
}

std::size_t TokenSplitter::word(std::size_t begin) const {
  const Char first = at(begin);
  const bool led = in(first.type, kBeforeWord);
  if (led) {
    const auto start = begin + first.width;
    if (auto end = word_with_lower(start); end > start) return end;
  }
  if (auto end = word_with_lower(begin); end > begin) return end;
  // Without a lower-case letter to be had, the second alternative's tail is empty.
  if (led) {
    const auto start = begin + first.width;
    if (auto end = skip(start, kUpper); end > start) return end;
  }
  return skip(begin, kUpper);
}

// If no lower-case letter follows the upper-case run, the run gives back until
// one of its letters that are both can take that part: the last of them.
std::size_t TokenSplitter::word_with_lower(std::size_t begin) const {
  std::size_t position = begin;
  std::size_t last_both = begin;
  Char c = at(position);
  for (; c.width > 0 && in(c.type, kUpper); c = at(position)) {
    position += c.width;
    if (in(c.type, kBoth)) last_both = position;
  }
  return c.type == CharClass::lower ? skip(position, kLower) : last_both;
}

std::size_t TokenSplitter::number(std::size_t begin) const {
  std::size_t position = begin;
  for (int digits = 0; digits < 3; ++digits) {
    const Char c = at(position);
    if (!in(c.type, kNumber)) break;
    position += c.width;
  }
  return position;
}

std::size_t TokenSplitter::punctuation(std::size_t begin) const {
  const auto start = begin + (text_[begin] == ' ' ? 1 : 0);
  auto end = skip(start, kPunctuation);
  if (end == start) return begin;
  end = text_.find_first_not_of("\r\n/", end);
  return end == std::string_view::npos ? text_.size() : end;
}

std::size_t TokenSplitter::whitespace(std::size_t begin) const {
  std::size_t position = begin;
  std::size_t after_newline = begin;
  std::size_t last = begin;
  for (Char c = at(position); c.width > 0 && in(c.type, kSpace); c = at(position)) {
    last = position;
    position += c.width;
    if (in(c.type, kNewline)) after_newline = position;
  }
  if (after_newline > begin) return after_newline;
  // The last blank before a word is left to the word.
  return position == text_.size() || last == begin ? position : last;
}

std::size_t TokenSplitter::contraction(std::size_t begin) const {
  const auto rest = text_.substr(begin, 3);
  if (rest.size() < 2 || rest[0] != '\'') return begin;
  const char first = lower_ascii(rest[1]);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return begin + 2;
  if (rest.size() < 3) return begin;
  // The long s is an s to a matcher that ignores case.
  if (rest == "'\u017F") return begin + 3;
  const char second = lower_ascii(rest[2]);
  const bool two =
      (second == 'e' && (first == 'r' || first == 'v')) || (second == 'l' && first == 'l');
  return two ? begin + 3 : begin;
}

}  // namespace lode
