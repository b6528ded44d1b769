#include "links/markdown_links.h"

#include <algorithm>
#include <array>
#include <map>

namespace lode {
namespace {

constexpr std::size_t kTitleBytes = 500;
constexpr std::size_t kMostParentheses = 32;
constexpr std::size_t kTagBytes = 4096;
constexpr std::size_t kNone = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_punctuation(char c) { return c > 0x20 && c < 0x7f && !is_word(c); }

std::string_view trimmed(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t\r");
  if (begin == kNone) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// Without the marks of a quotation.
std::string_view unquoted(std::string_view line) {
  line = trimmed(line);
  while (line.starts_with('>')) line = trimmed(line.substr(1));
  return line;
}

// Columns of white space that a line begins with; a tab counts as four.
std::size_t indent_of(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c != ' ' && c != '\t') break;
    columns += c == '\t' ? 4 : 1;
  }
  return columns;
}

// How many of the fence's own characters a line begins with; 0: it is no fence.
std::size_t fence_length(std::string_view line) {
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return 0;
  const auto length = std::min(line.find_first_not_of(line[0]), line.size());
  const bool info = line[0] == '~' || line.find('`', length) == kNone;
  return length >= 3 && info ? length : 0;
}

bool begins_item(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && at < 9 && is_digit(line[at])) ++at;
  const bool bullet = at == 0 && !line.empty() && std::string_view("-*+").find(line[0]) != kNone;
  const bool number = at > 0 && at < line.size() && (line[at] == '.' || line[at] == ')');
  return (bullet || number) && (at + 1 == line.size() || is_blank(line[at + 1]));
}

// Where each `[` and so on of one paragraph leads. The text of it is [begin, end).
class Paragraph {
 public:
  Paragraph(std::string_view text, std::size_t begin, std::size_t end,
            std::span<const std::string_view> schemes, std::vector<MarkdownLink>& out)
      : text_(text.substr(0, end)), at_(begin), begin_(begin), schemes_(schemes), out_(out) {}

  void scan(bool only_bare) {
    if (!only_bare) find_backticks();
    while (at_ < text_.size() && out_.size() < kMostLinks) {
      if (only_bare ? !bare() : !step()) ++at_;
    }
  }

 private:
  using Kind = MarkdownLink::Kind;

  // True: it is behind something that it knows.
  bool step() {
    switch (text_[at_]) {
      case '\\': at_ += std::min<std::size_t>(2, text_.size() - at_); return true;
      case '`': return code_span();
      case '<': return comment() || autolink() || tag();
      case '[': ++open_; return definition();
      case ']': return inlined();
      default: return bare();
    }
  }

  void add(Kind kind, std::size_t begin, std::size_t end) {
    if (begin >= end || end - begin > kLinkBytes) return;
    // An attribute may go over several lines; no address does.
    if (text_.substr(begin, end - begin).find_first_of("\r\n") != kNone) return;
    out_.push_back({kind, begin, end, 0});
  }

  // Each run of backticks, and the next one of the same length: found from behind, so that no
  // opening run looks through the whole paragraph for its end.
  void find_backticks() {
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    for (auto at = text_.find('`', begin_); at != kNone; at = text_.find('`', at)) {
      const auto end = std::min(text_.find_first_not_of('`', at), text_.size());
      runs.emplace_back(at, end - at);
      at = end;
    }
    std::map<std::size_t, std::size_t> next;  // by length
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
      const auto found = next.find(run->second);
      if (found != next.end()) closes_[run->first] = found->second + run->second;
      next[run->second] = run->first;
    }
  }

  bool code_span() {
    const auto found = closes_.find(at_);
    at_ = found != closes_.end() ? found->second
                                 : std::min(text_.find_first_not_of('`', at_), text_.size());
    return true;
  }

  bool comment() {
    if (!text_.substr(at_).starts_with("<!--")) return false;
    const auto end = text_.find("-->", at_ + 4);
    at_ = end == kNone ? text_.size() : end + 3;
    return true;
  }

  bool autolink() {
    auto at = at_ + 1;
    while (at < text_.size() && (is_word(text_[at]) || text_[at] == '-' || text_[at] == '+')) ++at;
    if (at < at_ + 3 || at == text_.size() || text_[at] != ':') return false;
    const auto most = std::min(text_.size(), at_ + kLinkBytes);
    while (at < most && text_[at] != '>' && text_[at] != '<' && !is_blank(text_[at]) &&
           !is_control(text_[at])) {
      ++at;
    }
    if (at == most || text_[at] != '>') return false;
    add(Kind::autolink, at_ + 1, at);
    at_ = at + 1;
    return true;
  }

  // The attributes href and src of a tag, in quotes.
  bool tag() {
    if (at_ + 1 >= text_.size() || !is_letter(text_[at_ + 1])) return false;
    const auto whole = text_.substr(at_, kTagBytes);
    const auto end = whole.find('>');
    if (end == kNone) return false;
    for (const std::string_view name : {"href=", "src="}) {
      const auto found = whole.substr(0, end).find(name);
      if (found == kNone || !is_blank_or_line(whole[found - 1])) continue;
      const auto value = found + name.size();
      if (whole[value] != '"' && whole[value] != '\'') continue;
      const auto close = whole.find(whole[value], value + 1);
      if (close == kNone || close > end) continue;
      add(Kind::html, at_ + value + 1, at_ + close);
    }
    at_ += end + 1;
    return true;
  }

  static bool is_blank_or_line(char c) { return is_blank(c) || c == '\n'; }

  std::size_t skip_white(std::size_t at) const {
    bool line = false;
    while (at < text_.size() && is_blank_or_line(text_[at])) {
      if (text_[at] == '\n' && line) break;
      line = line || text_[at] == '\n';
      ++at;
    }
    return at;
  }

  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t behind = 0;  // what follows it
  };

  // In angle brackets, or without blanks and with parentheses in pairs. An empty span: none.
  Span destination(std::size_t at, bool in_parentheses) const {
    const auto most = std::min(text_.size(), at + kLinkBytes);
    if (at < text_.size() && text_[at] == '<') {
      auto end = at + 1;
      while (end < most && text_[end] != '>' && text_[end] != '<' && text_[end] != '\n') {
        end += text_[end] == '\\' && end + 1 < most ? 2 : 1;
      }
      if (end >= most || text_[end] != '>') return {};
      return {at + 1, end, end + 1};
    }
    std::size_t depth = 0;
    auto end = at;
    while (end < most && !is_blank_or_line(text_[end]) && !is_control(text_[end])) {
      if (text_[end] == '(' && ++depth > kMostParentheses) return {};
      if (text_[end] == ')' && in_parentheses && depth == 0) break;
      if (text_[end] == ')' && depth > 0) --depth;
      end += text_[end] == '\\' && end + 1 < most && is_punctuation(text_[end + 1]) ? 2 : 1;
    }
    if (end > text_.size() || (end >= most && most < text_.size())) return {};
    return {at, end, end};
  }

  // Behind a title, if there is one; kNone: it does not end.
  std::size_t behind_title(std::size_t at) const {
    if (at >= text_.size()) return at;
    const char open = text_[at];
    if (open != '"' && open != '\'' && open != '(') return at;
    const char close = open == '(' ? ')' : open;
    const auto most = std::min(text_.size(), at + kTitleBytes);
    for (auto end = at + 1; end < most; ++end) {
      if (text_[end] == '\\') {
        ++end;
      } else if (text_[end] == close) {
        return end + 1;
      }
    }
    return kNone;
  }

  // "](destination "title")"
  bool inlined() {
    const bool opened = open_ > 0;
    if (opened) --open_;
    if (!opened || at_ + 1 >= text_.size() || text_[at_ + 1] != '(') return false;
    const auto found = destination(skip_white(at_ + 2), true);
    if (found.begin == found.end) return false;
    auto at = skip_white(found.behind);
    if (at > found.behind) {
      at = behind_title(at);
      if (at == kNone) return false;
      at = skip_white(at);
    }
    if (at >= text_.size() || text_[at] != ')') return false;
    add(Kind::inlined, found.begin, found.end);
    at_ = at + 1;
    return true;
  }

  // "[label]: destination", at the beginning of a line.
  bool definition() {
    auto line = at_;
    while (line > begin_ && at_ - line < 4 && text_[line - 1] == ' ') --line;
    if (at_ - line > 3 || (line > begin_ && text_[line - 1] != '\n')) return false;
    constexpr std::size_t kLabelBytes = 1000;
    const auto label = text_.substr(at_, kLabelBytes);
    const auto end = label.find_first_of("]\n");
    if (end == kNone || label[end] != ']' || end == 1 || !label.substr(end).starts_with("]:") ||
        label[1] == '^') {
      return false;
    }
    const auto found = destination(skip_white(at_ + end + 2), false);
    if (found.begin == found.end) return false;
    add(Kind::definition, found.begin, found.end);
    --open_;
    at_ = found.behind;
    return true;
  }

  // An address as it stands, without the punctuation that ends a sentence.
  bool bare() {
    if (at_ > begin_ && (is_word(text_[at_ - 1]) || text_[at_ - 1] == '-')) return false;
    const auto rest = text_.substr(at_, kLinkBytes);
    const bool wanted = std::any_of(schemes_.begin(), schemes_.end(), [&](std::string_view scheme) {
      return rest.starts_with(scheme) && rest.substr(scheme.size()).starts_with("://");
    });
    if (!wanted) return false;
    std::size_t end = 0;
    std::size_t depth = 0;
    while (end < rest.size() && !is_blank_or_line(rest[end]) && !is_control(rest[end]) &&
           std::string_view("<>\"'`|\\]").find(rest[end]) == kNone) {
      if (rest[end] == '(') ++depth;
      if (rest[end] == ')' && depth-- == 0) break;
      ++end;
    }
    auto last = end;
    while (last > 0 && std::string_view(".,;:!?*_").find(rest[last - 1]) != kNone) --last;
    add(Kind::bare, at_, at_ + last);
    at_ += std::max<std::size_t>(end, 1);
    return true;
  }

  const std::string_view text_;
  std::size_t at_;
  const std::size_t begin_;
  const std::span<const std::string_view> schemes_;
  std::vector<MarkdownLink>& out_;
  std::size_t open_ = 0;                         // brackets
  std::map<std::size_t, std::size_t> closes_{};  // where a code span ends, by where it begins
};

// Cuts a text into paragraphs, and leaves out code blocks.
class Blocks {
 public:
  Blocks(std::string_view text, std::span<const std::string_view> schemes,
         std::vector<MarkdownLink>& out)
      : text_(text), schemes_(schemes), out_(out) {}

  void scan() {
    std::size_t at = text_.starts_with("\xef\xbb\xbf") ? 3 : 0;
    at = frontmatter(at);
    while (at < text_.size()) {
      const auto end = std::min(text_.find('\n', at), text_.size());
      take(at, end);
      at = end + 1;
    }
    flush(text_.size());
  }

 private:
  // Where the body begins.
  std::size_t frontmatter(std::size_t begin) {
    const auto first = std::min(text_.find('\n', begin), text_.size());
    if (trimmed(text_.substr(begin, first - begin)) != "---" || text_[begin] != '-') return begin;
    for (auto at = first + 1; at < text_.size();) {
      const auto end = std::min(text_.find('\n', at), text_.size());
      const auto line = text_.substr(at, end - at);
      if (line.starts_with("---") || line.starts_with("...")) {
        if (trimmed(line).size() == 3) {
          Paragraph(text_, first, at, schemes_, out_).scan(true);
          return std::min(end + 1, text_.size());
        }
      }
      at = end + 1;
    }
    return begin;
  }

  void take(std::size_t begin, std::size_t end) {
    const auto line = text_.substr(begin, end - begin);
    const auto said = unquoted(line);
    if (!fence_.empty()) {
      const auto length = fence_length(said);
      if (length >= fence_.size() && said[0] == fence_[0] && length == said.size()) fence_ = {};
      return;
    }
    if (in_comment_) {
      in_comment_ = said.find("-->") == kNone;
      return;
    }
    if (const auto length = fence_length(said); length > 0) {
      flush(begin);
      fence_ = said.substr(0, length);
      return;
    }
    if (said.starts_with("<!--") && said.find("-->") == kNone) {
      flush(begin);
      in_comment_ = true;
      return;
    }
    if (said.empty()) return flush(begin);
    const auto indent = indent_of(line);
    const bool item = begins_item(said) && (indent < 4 || in_list_);
    if (paragraph_ == kNone && indent == 0 && !item) in_list_ = false;
    if (item) in_list_ = true;
    if (paragraph_ == kNone && indent >= 4 && !in_list_) return;  // indented code
    if (paragraph_ == kNone) paragraph_ = begin;
  }

  void flush(std::size_t end) {
    if (paragraph_ != kNone) Paragraph(text_, paragraph_, end, schemes_, out_).scan(false);
    paragraph_ = kNone;
  }

  const std::string_view text_;
  const std::span<const std::string_view> schemes_;
  std::vector<MarkdownLink>& out_;
  std::string_view fence_{};  // that is open
  bool in_comment_ = false;
  bool in_list_ = false;
  std::size_t paragraph_ = kNone;  // where the one that is open begins
};

void number_lines(std::string_view text, std::vector<MarkdownLink>& links) {
  std::sort(links.begin(), links.end(),
            [](const MarkdownLink& a, const MarkdownLink& b) { return a.begin < b.begin; });
  std::size_t at = 0;
  std::size_t line = 1;
  for (auto& link : links) {
    const auto part = text.substr(at, link.begin - at);
    line += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    at = link.begin;
    link.line = line;
  }
}

}  // namespace

std::vector<MarkdownLink> links_in(std::string_view text,
                                   std::span<const std::string_view> schemes) {
  std::vector<MarkdownLink> out;
  Blocks(text, schemes, out).scan();
  number_lines(text, out);
  return out;
}

std::string unescaped_destination(std::string_view destination) {
  std::string out;
  for (std::size_t i = 0; i < destination.size(); ++i) {
    const bool escape =
        destination[i] == '\\' && i + 1 < destination.size() && is_punctuation(destination[i + 1]);
    if (escape) ++i;
    out += destination[i];
  }
  return out;
}

bool fits_destination(MarkdownLink::Kind kind, std::string_view text) {
  if (text.empty() || text.size() > kLinkBytes) return false;
  if (std::any_of(text.begin(), text.end(), [](char c) {
        return is_blank(c) || is_control(c) || std::string_view("<>\"'\\`|").find(c) != kNone;
      })) {
    return false;
  }
  return kind == MarkdownLink::Kind::html || text.find_first_of("()[]") == kNone;
}

}  // namespace lode
