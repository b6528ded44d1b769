#include "search/snippet.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/utf8.h"
#include "search/analyzer.h"

namespace lode {
namespace {

constexpr std::string_view kLeftOut = "…";

struct Found {
  std::size_t begin;
  std::size_t end;
  std::size_t word;  // of the query
};

// Where the words of the query are.
std::vector<Found> find_words(std::string_view text, std::string_view query) {
  TermBag wanted;
  wanted.add(query, 1, TermBag::StopWords::keep);
  wanted.drop_stop_words();
  std::map<std::string_view, std::size_t> numbers;
  for (const auto& [term, entry] : wanted.entries()) numbers.emplace(term, numbers.size());
  std::vector<Found> found;
  analyze(text, [&](const Term& term) {
    const auto number = numbers.find(term.text);
    if (number == numbers.end()) return;
    const auto begin = static_cast<std::size_t>(term.surface.data() - text.data());
    found.push_back({begin, begin + term.surface.size(), number->second});
  });
  return found;
}

// Where the first of the windows begins that hold most of the words.
Found best_of(const std::vector<Found>& found, std::size_t width) {
  std::map<std::size_t, std::size_t> counts;  // of the words in the window
  std::size_t first = 0;
  std::size_t most = 0;
  Found best = found.front();
  for (const auto& last : found) {
    ++counts[last.word];
    for (; found[first].begin + width < last.end && found[first].begin < last.begin; ++first) {
      const auto count = counts.find(found[first].word);
      if (--count->second == 0) counts.erase(count);
    }
    if (counts.size() <= most) continue;
    most = counts.size();
    best = {found[first].begin, last.end, 0};
  }
  return best;
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Between words, if there is such a place within reach; else between characters.
std::size_t begin_near(std::string_view text, std::size_t at, std::size_t reach) {
  for (auto i = at; i < std::min(at + reach, text.size()); ++i) {
    if (i == 0 || is_space(text[i - 1])) return i;
  }
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
  return at;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!is_space(c)) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

std::string snippet_of(std::string_view text, std::string_view query, std::size_t most) {
  const auto found = find_words(text, query);
  if (found.empty() || most <= 2 * kLeftOut.size()) return "";
  const auto room = most - 2 * kLeftOut.size();
  const auto best = best_of(found, room);
  const auto width = std::min(room, best.end - best.begin);
  const auto before = std::min(best.begin, (room - width) / 3);
  const auto begin = begin_near(text, best.begin - before, before + 1);
  auto shown = first_bytes(text.substr(begin), room);
  const auto end = begin + shown.size();
  if (end < text.size() && !is_space(text[end])) {
    // Not in the middle of a word, unless there is nothing else.
    const auto last = shown.find_last_of(" \n\t\r");
    if (last != shown.npos && begin + last >= best.end) shown = shown.substr(0, last);
  }
  const bool cut = begin + shown.size() < text.find_last_not_of(" \n\t\r") + 1;
  std::string line = on_one_line(shown);
  return std::string(begin > 0 ? kLeftOut : "") + line + std::string(cut ? kLeftOut : "");
}

std::string surface_in(std::string_view text, std::string_view wanted) {
  std::string best;
  analyze(text, [&](const Term& term) {
    if (term.text == wanted && (best.empty() || shows_better(term.surface, best))) {
      best = term.surface;
    }
  });
  return best;
}

}  // namespace lode
