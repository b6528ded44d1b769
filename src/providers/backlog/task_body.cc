#include "providers/backlog/task_body.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/utf8.h"

namespace lode {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Each line with its number, outside of code blocks; until the visit says false.
using VisitLine = std::function<bool(std::string_view line, std::size_t number)>;
void each_line(std::string_view body, const VisitLine& visit) {
  std::string_view fence;  // that is open
  for (std::size_t number = 1; !body.empty(); ++number) {
    const auto end = std::min(body.find('\n'), body.size());
    const auto line = trimmed(body.substr(0, end));
    body.remove_prefix(std::min(end + 1, body.size()));
    const bool mark = line.starts_with("```") || line.starts_with("~~~");
    if (mark && fence.empty()) {
      fence = line.substr(0, 3);
    } else if (mark && line.starts_with(fence)) {
      fence = {};
    } else if (fence.empty() && !visit(line, number)) {
      return;
    }
  }
}

// The level of a heading; 0: the line is none.
std::size_t heading_level(std::string_view line) {
  const auto level = std::min(line.find_first_not_of('#'), line.size());
  const bool blank = level == line.size() || line[level] == ' ' || line[level] == '\t';
  return level >= 1 && level <= 6 && blank ? level : 0;
}

std::string_view heading_text(std::string_view line) {
  auto text = trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size())));
  while (text.ends_with('#')) text.remove_suffix(1);
  return trimmed(text);
}

bool says_criteria(std::string_view heading) {
  constexpr std::string_view kWords = "acceptance criteria";
  const auto same = [](char a, char b) { return (a | 32) == b; };
  return std::search(heading.begin(), heading.end(), kWords.begin(), kWords.end(), same) !=
         heading.end();
}

// Behind "- ", "* ", "+ " or "12. ".
std::optional<std::string_view> list_item(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && line[at] >= '0' && line[at] <= '9') ++at;
  const bool bullet =
      at == 0 && !line.empty() && std::string_view("-*+").find(line[0]) != std::string_view::npos;
  const bool numbered = at > 0 && at < line.size() && (line[at] == '.' || line[at] == ')');
  if (!bullet && !numbered) return std::nullopt;
  const auto rest = line.substr(at + 1);
  if (rest.empty() || (rest[0] != ' ' && rest[0] != '\t')) return std::nullopt;
  return trimmed(rest);
}

std::optional<TaskCriterion> criterion_in(std::string_view line, std::size_t number) {
  const auto item = list_item(line);
  if (!item || item->size() < 3 || (*item)[0] != '[' || (*item)[2] != ']') return std::nullopt;
  const char mark = (*item)[1];
  if (mark != ' ' && mark != 'x' && mark != 'X') return std::nullopt;
  return TaskCriterion{std::string(trimmed(item->substr(3))), mark != ' ', number};
}

}  // namespace

std::vector<TaskCriterion> criteria_in(std::string_view body) {
  std::vector<TaskCriterion> all;
  std::vector<TaskCriterion> below;
  bool titled = false;    // there is such a heading
  std::size_t level = 0;  // of the one that we are below
  each_line(body, [&](std::string_view line, std::size_t number) {
    if (const auto heading = heading_level(line); heading > 0) {
      if (says_criteria(heading_text(line))) {
        titled = true;
        level = heading;
      } else if (heading <= level) {
        level = 0;
      }
      return true;
    }
    auto found = criterion_in(line, number);
    if (!found) return true;
    if (level > 0) below.push_back(*found);
    all.push_back(std::move(*found));
    return all.size() < kMostCriteria;
  });
  return titled ? below : all;
}

std::string first_heading(std::string_view body) {
  std::string found;
  each_line(body, [&](std::string_view line, std::size_t) {
    if (heading_level(line) == 1) found = heading_text(line);
    return found.empty();
  });
  return found;
}

std::string excerpt_of(std::string_view body, std::size_t most) {
  std::string words;
  each_line(body, [&](std::string_view line, std::size_t) {
    if (line.empty() || heading_level(line) > 0 || line.starts_with("<!--")) return true;
    if (const auto item = list_item(line)) line = *item;
    if (!words.empty()) words += ' ';
    words.append(line.substr(0, most + 4));  // enough to see that it is cut
    return words.size() <= most;
  });
  return cut_text(words, most);
}

}  // namespace lode
