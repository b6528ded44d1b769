// The lines of a text that match something, and how they are shown. Values;
// any thread.
//
// Design. A search runs over the whole text, not line by line, and looks for the
// ends of lines only where it found something: most files hold nothing, and cost
// one pass. What is found is a Hit: the whole lines that a match touches. The
// search goes on behind those lines, so that no line is found twice.
//
// A regular expression is RE2's, in time linear in the text; ^ and $ are the
// ends of lines. It stays within a line, unless it names the end of one ("\n")
// or "(?s)".
#pragma once

#include <re2/re2.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode {

struct Needle {
  std::string text;
  bool regex = false;
  bool ignore_case = false;  // of any letters
};

struct Hit {
  std::size_t line = 1;   // the number of its first line
  std::size_t begin = 0;  // where that begins
  std::size_t end = 0;    // where its last line ends, before the LF
  std::size_t match = 0;  // where the first match begins
};

class TextSearch {
 public:
  static constexpr int kRegexMemory = 8 << 20;  // bytes, of RE2
  static constexpr int kRegexProgram = 10'000;  // instructions
  // How much of a text is searched before somebody is asked whether to go on.
  static constexpr std::size_t kPiece = 64UL << 10;

  // Code::invalid says what is wrong with a regular expression. REQUIRES: the
  // text is not empty.
  static Result<TextSearch> compile(const Needle& needle);

  // The first hits, in order. ended: asked now and then; if it says so, the rest
  // of the text is left. REQUIRES: the text is readable().
  std::vector<Hit> search(std::string_view text, std::size_t most,
                          const std::function<bool()>& ended) const;

 private:
  struct Match {
    std::size_t begin = std::string_view::npos;
    std::size_t end = 0;
  };
  TextSearch() = default;
  // The first match that begins between the two offsets.
  Match next(std::string_view text, std::size_t from, std::size_t upto) const;

  std::string literal_;  // what is searched for if there is no expression
  std::unique_ptr<const re2::RE2> regex_;
  bool across_lines_ = false;
};

struct HitStyle {
  std::size_t context = 0;           // lines before and after
  std::size_t line_bytes = 240;      // longer lines are cut
  std::size_t most_bytes = 200'000;  // of all
};

// Appends "12: text" for lines of hits, "11- text" for those around them, and
// "--" where lines are left out between those. Returns how many hits were shown;
// fewer than there are if there was no more room.
std::size_t append_hits(std::string& out, std::string_view text, const std::vector<Hit>& hits,
                        const HitStyle& style);

}  // namespace lode
