#include "search/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lode {
namespace {

enum class Type : std::uint8_t {
  separator,
  joint,       // of names: _ and -
  apostrophe,  //
  letter,      // lower case, or of a script without case; marks
  upper,       //
  digit,       //
  dense,       // of a script without spaces
};

struct Char {
  Type type = Type::separator;
  std::size_t width = 1;  // bytes
  std::int32_t code = 0;
};

constexpr std::int32_t kRightQuote = 0x2019;

constexpr std::array<Type, 128> kAscii = [] {
  std::array<Type, 128> types{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) types[c] = Type::letter;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) types[c] = Type::upper;
  for (std::size_t c = '0'; c <= '9'; ++c) types[c] = Type::digit;
  types['_'] = types['-'] = Type::joint;
  types['\''] = Type::apostrophe;
  return types;
}();

// Blocks of scripts that are written without spaces.
struct Range {
  std::int32_t first, last;
};
constexpr auto kDense = std::to_array<Range>({
    {0x0E00, 0x0EFF},    // Thai, Lao
    {0x1000, 0x109F},    // Myanmar
    {0x1780, 0x17FF},    // Khmer
    {0x3005, 0x3007},    // iteration marks of Han
    {0x3040, 0x312F},    // Hiragana, Katakana, Bopomofo
    {0x31A0, 0x31FF},    // their extensions
    {0x3400, 0x9FFF},    // Han
    {0xF900, 0xFAFF},    //
    {0xFF66, 0xFF9F},    // Katakana of half width
    {0x20000, 0x3FFFF},  // Han
});

bool is_dense(std::int32_t code) {
  return std::any_of(kDense.begin(), kDense.end(),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

bool is_accent(std::int32_t code) { return code >= 0x300 && code <= 0x36F; }
bool is_hangul_syllable(std::int32_t code) { return code >= 0xAC00 && code <= 0xD7A3; }

Type type_of(std::int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return Type::upper;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return is_dense(code) ? Type::dense : Type::letter;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return is_dense(code) ? Type::dense : Type::digit;
    default: return code == kRightQuote ? Type::apostrophe : Type::separator;
  }
}

void append(std::string& out, std::int32_t code) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto n = utf8proc_encode_char(code, bytes.data());
  out.append(bytes.begin(), bytes.begin() + n);
}

void fold(std::int32_t code, std::string& out) {
  // Their decomposition is three times as long and tells nothing more apart.
  if (is_hangul_syllable(code)) return append(out, code);
  std::array<utf8proc_int32_t, 32> folded{};
  int boundary = 0;
  const auto n = utf8proc_decompose_char(
      code, folded.data(), folded.size(),
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD),
      &boundary);
  if (n < 0 || static_cast<std::size_t>(n) > folded.size()) return append(out, code);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    if (!is_accent(folded[i]) && type_of(folded[i]) != Type::separator) append(out, folded[i]);
  }
}

class Splitter {
 public:
  Splitter(std::string_view text, const WordSink& sink) : text_(text), sink_(sink) {}

  void run() {
    while (at_ < text_.size()) {
      const Char c = char_at(at_);
      take(c);
      at_ += c.width;
    }
    end_word();
  }

 private:
  struct Part {
    std::size_t folded;   // where it begins in folded_
    std::size_t surface;  // and in the text
    std::size_t end;      // in the text
  };

  Char char_at(std::size_t at) const {
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte < 128) return {kAscii[byte], 1, byte};
    Char c;
    const auto n = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text_.data()) + at,
                                    static_cast<utf8proc_ssize_t>(text_.size() - at), &c.code);
    if (n <= 0) return {};
    c.width = static_cast<std::size_t>(n);
    c.type = type_of(c.code);
    return c;
  }

  void take(const Char& c) {
    if (c.type != Type::dense) neighbour_.clear();
    switch (c.type) {
      case Type::separator: return end_word();
      case Type::joint: return join(c);
      case Type::apostrophe: return skip_ending(c);
      case Type::dense: return take_dense(c);
      default: return grow(c);
    }
  }

  // Any number of underscores join, but only one hyphen: two are a dash.
  void join(const Char& c) {
    if (c.code == '-' && joined_) return end_word();
    joined_ = !parts_.empty();
  }

  void skip_ending(const Char& c) {
    const bool after_letter = before_ == Type::letter || before_ == Type::upper;
    end_word();
    if (!after_letter) return;
    const std::string_view rest = text_.substr(at_ + c.width);
    for (const std::string_view ending : {"s", "t", "d", "m", "re", "ve", "ll"}) {
      if (rest.starts_with(ending) && !is_word_at(at_ + c.width + ending.size())) {
        at_ += ending.size();
        return;
      }
    }
  }

  bool is_word_at(std::size_t at) const {
    return at < text_.size() && char_at(at).type >= Type::letter;
  }

  void take_dense(const Char& c) {
    end_word();
    std::string folded;
    fold(c.code, folded);
    emit(folded, text_.substr(at_, c.width));
    if (!neighbour_.empty()) {
      emit(neighbour_ + folded, text_.substr(at_ - neighbour_width_, neighbour_width_ + c.width));
    }
    neighbour_ = std::move(folded);
    neighbour_width_ = c.width;
  }

  void grow(const Char& c) {
    if (folded_.size() > kLongestRun) return;
    if (is_accent(c.code)) return extend(c);
    if (parts_.empty() || joined_ || (c.type == Type::upper && before_ != Type::upper)) {
      begin_part(folded_.size(), at_);
    } else if (c.type == Type::letter && before_ == Type::upper && capitals_ > 1) {
      // The last of several capitals begins the next part: HTTPServer.
      parts_.back().end = last_surface_;
      begin_part(last_folded_, last_surface_);
    }
    joined_ = false;
    last_folded_ = folded_.size();
    last_surface_ = at_;
    if (c.code < 128) {
      folded_ += static_cast<char>(c.type == Type::upper ? c.code + ('a' - 'A') : c.code);
    } else {
      fold(c.code, folded_);
    }
    before_ = c.type;
    capitals_ = c.type == Type::upper ? capitals_ + 1 : 0;
    extend(c);
  }

  void extend(const Char& c) {
    if (!parts_.empty()) parts_.back().end = at_ + c.width;
  }

  void begin_part(std::size_t folded, std::size_t surface) {
    parts_.push_back({folded, surface, surface});
    capitals_ = 0;
  }

  void end_word() {
    if (!parts_.empty() && folded_.size() <= kLongestRun) emit_word();
    folded_.clear();
    parts_.clear();
    joined_ = false;
    before_ = Type::separator;
  }

  void emit_word() {
    const std::string_view folded = folded_;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& part = parts_[i];
      const std::size_t end = i + 1 < parts_.size() ? parts_[i + 1].folded : folded.size();
      emit(folded.substr(part.folded, end - part.folded),
           text_.substr(part.surface, part.end - part.surface));
    }
    if (parts_.size() > 1) {
      const std::size_t begin = parts_.front().surface;
      emit(folded, text_.substr(begin, parts_.back().end - begin));
    }
  }

  void emit(std::string_view folded, std::string_view surface) {
    if (!folded.empty() && folded.size() <= kLongestTerm) sink_(folded, surface);
  }

  const std::string_view text_;
  const WordSink& sink_;
  std::size_t at_ = 0;

  // The word that is being read.
  std::string folded_;
  std::vector<Part> parts_;
  bool joined_ = false;            // the last was a joint
  Type before_ = Type::separator;  // the last character of the word
  std::size_t capitals_ = 0;       // how many end the part
  std::size_t last_folded_ = 0;    // where the last character begins
  std::size_t last_surface_ = 0;   //
  std::string neighbour_;          // the dense character before, folded
  std::size_t neighbour_width_ = 0;
};

}  // namespace

void split_words(std::string_view text, const WordSink& sink) { Splitter(text, sink).run(); }

}  // namespace lode
