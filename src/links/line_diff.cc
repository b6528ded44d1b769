#include "links/line_diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace lode {
namespace {

constexpr std::size_t kAround = 3;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

void add_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

}  // namespace

std::string with_edits(std::string_view text, const std::vector<LineEdit>& edits) {
  std::string out;
  std::size_t at = 0;
  for (const auto& edit : edits) {
    out += text.substr(at, edit.begin - at);
    out += edit.text;
    at = edit.end;
  }
  out += text.substr(at);
  return out;
}

std::string line_diff(std::string_view path, std::string_view text,
                      const std::vector<LineEdit>& edits) {
  if (edits.empty()) return "";
  const auto edited = with_edits(text, edits);
  const auto before = lines_of(text);
  const auto after = lines_of(edited);  // as many, since no edit has a line end
  std::string out = fmt::format("--- a/{}\n+++ b/{}\n", path, path);
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (before[i] != after[i]) changed.push_back(i);
  }
  for (std::size_t i = 0; i < changed.size();) {
    auto last = i;
    while (last + 1 < changed.size() && changed[last + 1] - changed[last] <= 2 * kAround) ++last;
    const auto begin = changed[i] - std::min(changed[i], kAround);
    const auto end = std::min(changed[last] + kAround + 1, before.size());
    out += fmt::format("@@ -{},{} +{},{} @@\n", begin + 1, end - begin, begin + 1, end - begin);
    for (auto line = begin; line < end; ++line) {
      if (before[line] == after[line]) {
        add_line(out, ' ', before[line]);
        continue;
      }
      // Neighbours that changed stand together, the old ones first.
      auto stop = line;
      while (stop < end && before[stop] != after[stop]) ++stop;
      for (auto at = line; at < stop; ++at) add_line(out, '-', before[at]);
      for (auto at = line; at < stop; ++at) add_line(out, '+', after[at]);
      line = stop - 1;
    }
    i = last + 1;
  }
  return out;
}

}  // namespace lode
