// Where things stand in a YAML text. The library counts characters; we count
// bytes, and lines by '\n' alone, as editors do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lode {

class YamlPositions {
 public:
  YamlPositions(std::string_view text, std::size_t first_line)
      : text_(text), first_line_(first_line) {
    std::size_t character = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_ends_.push_back(i);
      if (starts_character(text[i]) && character++ % kStride == 0) strides_.push_back(i);
    }
  }

  // The byte at which the character begins; the end of the text if there is none.
  std::size_t offset(std::size_t character) const {
    if (character / kStride >= strides_.size()) return text_.size();
    std::size_t at = strides_[character / kStride];
    for (std::size_t n = character % kStride; n > 0 && at < text_.size(); --n) {
      ++at;
      while (at < text_.size() && !starts_character(text_[at])) ++at;
    }
    return at;
  }

  std::size_t line(std::size_t offset) const {
    const auto end = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
    return first_line_ + static_cast<std::size_t>(end - line_ends_.begin());
  }

 private:
  static constexpr std::size_t kStride = 32;
  static bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

  std::string_view text_;
  std::size_t first_line_;
  std::vector<std::size_t> line_ends_;
  std::vector<std::size_t> strides_;  // the offset of every kStride-th character
};

}  // namespace lode
