// An edit of a file: what is to be replaced, what is to stand there instead, and
// the text, divided by RS (0x1e).
#include "providers/files/replace.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "fuzz.h"
#include "providers/files/diff.h"

namespace lode::fuzz {
namespace {

constexpr char kDivider = '\x1e';
constexpr std::string_view kSpace = " \t\n\r\v\f";
constexpr std::size_t kEnough = 1'000'000;  // bytes of a diff that is whole

bool is_space(char c) { return kSpace.find(c) != kSpace.npos; }

std::string without_space(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out),
               [](char c) { return !is_space(c); });
  return out;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    if (!is_space(c) && !inside) words.emplace_back();
    inside = !is_space(c);
    if (inside) words.back() += c;
  }
  return words;
}

// Whether the words stand there, with white space between them.
bool stand_at(std::string_view text, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) {
      if (text.empty() || !is_space(text.front())) return false;
      text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    }
    if (!text.starts_with(words[i])) return false;
    text.remove_prefix(words[i].size());
  }
  return true;
}

std::size_t count_places(std::string_view text, std::string_view old, Whitespace whitespace) {
  const auto words = words_of(old);
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto rest = text.substr(at);
    count += whitespace == Whitespace::exact ? rest.starts_with(old) : stand_at(rest, words);
  }
  return count;
}

// CR LF counts as none.
bool has_bare_lf(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') return true;
  }
  return false;
}

std::string_view take_line(std::string_view& rest) {
  const auto end = std::min(rest.find('\n'), rest.size() - 1) + 1;
  const auto line = rest.substr(0, end);
  rest.remove_prefix(end);
  return line;
}

// What a diff of one hunk makes of a text.
std::string patched(std::string_view text, std::string_view diff) {
  take_line(diff);
  take_line(diff);
  const auto range = take_line(diff).substr(4);
  std::size_t first = 0;
  std::from_chars(range.data(), range.data() + range.size(), first);
  std::string out;
  for (std::size_t n = 1; n < first; ++n) out += take_line(text);
  bool added = false;  // the last line
  while (!diff.empty()) {
    const auto line = take_line(diff);
    if (line.front() == '\\') {
      if (added) out.pop_back();
      continue;
    }
    added = line.front() != '-';
    if (added) out += line.substr(1);
    if (line.front() != '+') {
      const auto old = take_line(text);
      check(line.substr(1).starts_with(old), "a diff has the lines of the text");
    }
  }
  return out.append(text);
}

void check_found(std::string_view text, std::string_view old, std::string_view fresh,
                 Whitespace whitespace, const Replacement& found) {
  check(found.begin <= found.end && found.end <= text.size(), "a place is in the text");
  const auto place = text.substr(found.begin, found.end - found.begin);
  const auto result = replaced(text, found);
  check(result != text, "something changes");
  check(result.starts_with(text.substr(0, found.begin)) && result.ends_with(text.substr(found.end)),
        "what is around stays");
  check(count_places(text, old, whitespace) == 1, "there is one place");
  if (whitespace == Whitespace::exact) {
    check(place == old && found.fresh == fresh, "exact is exact");
  } else {
    check(without_space(place) == without_space(old), "the words are those of old");
    check(without_space(found.fresh) == without_space(fresh), "and those of new");
    if (text.find('\n') != text.npos && !has_bare_lf(text)) {
      check(!has_bare_lf(result), "line ends stay as they were");
    }
  }
  if (valid_utf8(text) && valid_utf8(result)) {
    check(patched(text, unified_diff("f", text, found, kEnough)) == result,
          "the diff makes the new text of the old");
  }
}

void check_replace(std::string_view text, std::string_view old, std::string_view fresh,
                   Whitespace whitespace) {
  const auto found = find_replacement(text, old, fresh, whitespace);
  if (found) return check_found(text, old, fresh, whitespace, *found);
  const auto& error = found.error();
  check(valid_utf8(error.message) || !valid_utf8(text), "a message is text");
  const bool nothing_to_do = error.code == Code::invalid;
  if (nothing_to_do) return;
  const auto places = count_places(text, old, whitespace);
  check(places == 0 ? error.code == Code::not_found : error.code == Code::conflict,
        "what is not there, or there several times, is said to be");
}

}  // namespace

void run(std::string_view input) {
  const auto old = take_until(input, kDivider);
  const auto fresh = take_until(input, kDivider);
  check_replace(input, old, fresh, Whitespace::exact);
  check_replace(input, old, fresh, Whitespace::flexible);
}

}  // namespace lode::fuzz
