#include "providers/files/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "providers/files/readable.h"

namespace lode {
namespace {

constexpr std::size_t kAround = 3;

// With their line ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return at == text.size() ? at : std::min(text.find('\n', at), text.size() - 1) + 1;
}

// Takes what two lists of lines have in common off both ends.
struct Changed {
  std::vector<std::string_view> old;
  std::vector<std::string_view> fresh;
  std::size_t bytes_before = 0;
  std::size_t bytes_after = 0;

  void trim() {
    const auto [a, b] = std::mismatch(old.begin(), old.end(), fresh.begin(), fresh.end());
    for (auto line = old.begin(); line != a; ++line) bytes_before += line->size();
    old.erase(old.begin(), a);
    fresh.erase(fresh.begin(), b);
    while (!old.empty() && !fresh.empty() && old.back() == fresh.back()) {
      bytes_after += old.back().size();
      old.pop_back();
      fresh.pop_back();
    }
  }
};

void append_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t first, std::size_t count) {
  return fmt::format("{},{}", count == 0 ? first - 1 : first, count);
}

void cut(std::string& diff, std::size_t most) {
  if (diff.size() <= most) return;
  const auto end = diff.rfind('\n', most);
  diff.resize(end == diff.npos ? 0 : end + 1);
  diff += "(the diff goes on)\n";
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view text,
                         const Replacement& replacement, std::size_t most) {
  const auto begin = line_begin(text, replacement.begin);
  const auto end = line_end(text, replacement.end);
  const auto fresh = std::string(text.substr(begin, replacement.begin - begin))
                         .append(replacement.fresh)
                         .append(text.substr(replacement.end, end - replacement.end));
  Changed changed{lines_of(text.substr(begin, end - begin)), lines_of(fresh)};
  changed.trim();

  auto first = begin + changed.bytes_before;
  auto last = end - changed.bytes_after;
  const auto change_begin = first;
  const auto change_end = last;
  for (std::size_t n = 0; n < kAround; ++n) {
    first = first == 0 ? 0 : line_begin(text, first - 1);
    last = line_end(text, last);
  }
  const auto before = lines_of(text.substr(first, change_begin - first));
  const auto after = lines_of(text.substr(change_end, last - change_end));
  const auto around = before.size() + after.size();
  const auto number = line_at(text, first);
  std::string out = fmt::format("--- a/{0}\n+++ b/{0}\n@@ -{1} +{2} @@\n", visible(path),
                                range(number, around + changed.old.size()),
                                range(number, around + changed.fresh.size()));
  for (const auto line : before) append_line(out, ' ', line);
  for (const auto line : changed.old) append_line(out, '-', line);
  for (const auto line : changed.fresh) append_line(out, '+', line);
  for (const auto line : after) append_line(out, ' ', line);
  cut(out, most);
  return shown(std::move(out));
}

}  // namespace lode
