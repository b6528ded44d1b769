#include "providers/project/readme.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "providers/project/line.h"

namespace lode {
namespace {

constexpr std::size_t kLookBytes = 64 * 1024;
constexpr auto kNone = std::string_view::npos;

bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// A line of one repeated mark: what underlines a heading, or divides.
bool is_rule(std::string_view line) {
  line = trimmed(line);
  constexpr std::string_view kMarks = "=-~*^#+_`'\"";
  return line.size() >= 3 && kMarks.find(line.front()) != kNone &&
         line.find_first_not_of(line.front()) == kNone;
}

bool is_list(std::string_view line) {
  line = trimmed(line);
  return line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ");
}

// Without what is between the marks, of which the text is searched for once.
std::string without(std::string_view text, std::string_view open, std::string_view close) {
  std::string out;
  for (auto begin = text.find(open); begin != kNone; begin = text.find(open)) {
    const auto end = text.find(close, begin + open.size());
    out += text.substr(0, begin);
    text.remove_prefix(end == kNone ? text.size() : end + close.size());
  }
  return out.append(text);
}

// Removes ![…](…), and makes of […](…) and […][…] what is in the first brackets.
std::string without_links(std::string_view text, bool images) {
  const std::string_view open = images ? "![" : "[";
  std::string out;
  for (auto begin = text.find(open); begin != kNone; begin = text.find(open)) {
    out += text.substr(0, begin);
    text.remove_prefix(begin + open.size());
    const auto end = text.find(']');
    const char next = end == kNone || end + 1 >= text.size() ? ' ' : text[end + 1];
    if (next != '(' && next != '[') {
      if (!images) out += '[';
      continue;
    }
    if (!images) out += text.substr(0, end);
    const auto close = text.find(next == '(' ? ')' : ']', end + 2);
    text.remove_prefix(close == kNone ? text.size() : close + 1);
  }
  return out.append(text);
}

std::string without_tags(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    const auto end = text[i] == '<' && (is_letter(next) || next == '/') ? text.find('>', i) : kNone;
    if (end == kNone) {
      out += text[i];
    } else {
      i = end;
    }
  }
  return out;
}

// The prose of a block of lines between empty ones.
std::string prose(const std::vector<std::string_view>& lines) {
  const auto first = trimmed(lines.front());
  if (first.starts_with(".. ") || is_list(first) || first.starts_with('|')) return "";
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto line = trimmed(lines[i]);
    const bool underlined = i + 1 < lines.size() && is_rule(lines[i + 1]);
    if (line.starts_with('#') || is_rule(line) || underlined) continue;
    while (line.starts_with('>')) line = trimmed(line.substr(1));
    if (line.starts_with("[!")) continue;
    text.append(text.empty() ? "" : " ").append(line);
  }
  text = without_tags(without_links(without_links(text, true), false));
  return std::any_of(text.begin(), text.end(), is_letter) ? text : "";
}

}  // namespace

bool is_readme(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr auto kNames = std::to_array<std::string_view>(
      {"readme", "readme.md", "readme.markdown", "readme.rst", "readme.txt"});
  return std::find(kNames.begin(), kNames.end(), lower) != kNames.end();
}

std::string first_paragraph(std::string_view text, std::size_t most) {
  const std::string shown = without(text.substr(0, kLookBytes), "<!--", "-->");
  std::string_view rest = shown;
  std::vector<std::string_view> block;
  bool code = false;
  const auto found = [&] {
    auto paragraph = block.empty() ? "" : one_line(prose(block), most);
    block.clear();
    return paragraph;
  };
  while (!rest.empty()) {
    const auto line = take_line(rest);
    const bool fence = trimmed(line).starts_with("```") || trimmed(line).starts_with("~~~ ");
    if (fence) code = !code;
    const bool indented = block.empty() && (line.starts_with("    ") || line.starts_with('\t'));
    if (!fence && !code && !indented && !trimmed(line).empty()) {
      block.push_back(line);
      continue;
    }
    if (auto paragraph = found(); !paragraph.empty()) return paragraph;
  }
  return found();
}

}  // namespace lode
