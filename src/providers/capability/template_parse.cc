#include "providers/capability/template_parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace lode {
namespace {

using Kind = TemplatePiece::Kind;

constexpr std::size_t kShown = 60;  // of a tag, in a message

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// What is behind a word and a blank; nothing: it is not there.
std::optional<std::string_view> behind(std::string_view tag, std::string_view word) {
  if (!tag.starts_with(word)) return std::nullopt;
  tag.remove_prefix(word.size());
  if (!tag.starts_with(' ') && !tag.starts_with('\t')) return std::nullopt;
  return trimmed(tag);
}

struct Opening {
  std::string_view word;
  Kind kind;
};
constexpr std::array<Opening, 5> kOpenings{{{"#if", Kind::if_},
                                            {"#unless", Kind::unless},
                                            {"#each", Kind::each},
                                            {"#with", Kind::with},
                                            {"else if", Kind::else_if}}};

std::string_view word_of(Kind kind) {
  const auto found = std::find_if(kOpenings.begin(), kOpenings.end(),
                                  [&](const Opening& one) { return one.kind == kind; });
  return found == kOpenings.end() ? std::string_view("if") : found->word.substr(1);
}

TemplatePiece unknown(std::string_view whole, std::string why) {
  TemplatePiece piece{Kind::unknown, whole};
  piece.why = std::move(why);
  return piece;
}

TemplatePiece with_expression(Kind kind, std::string_view whole, std::string_view text,
                              Result<TemplateExpression> read) {
  if (!read) return unknown(whole, std::move(read).error().message);
  TemplatePiece piece{kind, text};
  piece.expression = std::move(*read);
  return piece;
}

TemplatePiece piece_of(std::string_view whole, std::string_view tag) {
  if (tag.starts_with('!')) return {Kind::comment};
  if (tag == "else" || tag == "^") return {Kind::else_};
  if (tag.starts_with('>')) return unknown(whole, "a template cannot bring in another");
  if (tag.starts_with('/')) {
    const auto word = trimmed(tag.substr(1));
    for (const auto& [opening, kind] : kOpenings) {
      if (opening.substr(1) == word && kind != Kind::else_if) return {Kind::end, word};
    }
    return unknown(whole, "");
  }
  for (const auto& [word, kind] : kOpenings) {
    if (const auto subject = behind(tag, word)) {
      return with_expression(kind, whole, *subject, parse_subject(*subject));
    }
  }
  if (tag.starts_with('&')) tag = trimmed(tag.substr(1));
  return with_expression(Kind::value, whole, tag, parse_expression(tag));
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<TemplatePiece> split() {
    for (auto open = text_.find("{{"); open != text_.npos; open = text_.find("{{", at_)) {
      if (open > at_ && text_[open - 1] == '\\') {
        add_text(open - 1);
        at_ = open;
        add_text(open + 2);
      } else if (!take_tag(open)) {
        return std::move(pieces_);
      }
    }
    add_text(text_.size());
    return std::move(pieces_);
  }

 private:
  // Up to an offset.
  void add_text(std::size_t end) {
    if (end <= at_) return;
    const auto text = text_.substr(at_, end - at_);
    pieces_.push_back({Kind::text, text, line_});
    pass(end);
  }

  void pass(std::size_t end) {
    const auto passed = text_.substr(at_, end - at_);
    line_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
    at_ = end;
  }

  // False: it has no end.
  bool take_tag(std::size_t open) {
    const auto rest = text_.substr(open);
    const bool remark = rest.starts_with("{{!--");
    const std::string_view close = remark ? "--}}" : rest.starts_with("{{{") ? "}}}" : "}}";
    const auto found = text_.find(close, open + close.size());
    const auto end = found == text_.npos ? found : found + close.size();
    const auto whole = text_.substr(open, end == text_.npos ? end : end - open);
    if (end == text_.npos) {
      add_text(open);
      pieces_.push_back({Kind::unclosed, whole, line_});
      return false;
    }
    const auto braces = remark ? 2 : close.size();
    auto piece = piece_of(whole, trimmed(whole.substr(braces, whole.size() - 2 * braces)));
    const auto line = piece.kind == Kind::value ? std::nullopt : line_alone(open, end);
    add_text(line ? line->begin : open);
    pass(open);
    piece.line = line_;
    pieces_.push_back(std::move(piece));
    pass(line ? line->end : end);
    return true;
  }

  struct Line {
    std::size_t begin;
    std::size_t end;  // behind its line end
  };

  // The line on which a tag has only blanks around it. Looks at no more than
  // these: a text may be one line with a million tags.
  std::optional<Line> line_alone(std::size_t open, std::size_t end) const {
    while (open > 0 && is_blank(text_[open - 1])) --open;
    while (end < text_.size() && is_blank(text_[end])) ++end;
    if (open > 0 && text_[open - 1] != '\n') return std::nullopt;
    if (end < text_.size() && text_[end] != '\n') return std::nullopt;
    return Line{open, std::min(end + 1, text_.size())};
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::vector<TemplatePiece> pieces_;
};

Error wrong(std::size_t line, std::string_view what) {
  return invalid(fmt::format("line {}: {}", line, what));
}

std::string shown(std::string_view tag) {
  if (tag.size() <= kShown) return std::string(tag);
  std::size_t end = kShown;
  while ((static_cast<unsigned char>(tag[end]) & 0xc0U) == 0x80U) --end;  // within a character
  return fmt::format("{}…", tag.substr(0, end));
}

std::string shown(const TemplateNode& block) {
  return fmt::format("{{{{#{} {}}}}}", word_of(block.kind), shown(block.text));
}

class Builder {
 public:
  explicit Builder(std::size_t depth) : depth_(depth) {}

  Status add(TemplatePiece piece) {
    switch (piece.kind) {
      case Kind::comment: return {};
      case Kind::text:
      case Kind::value: here().push_back(node_of(std::move(piece))); return {};
      case Kind::if_:
      case Kind::unless:
      case Kind::each:
      case Kind::with: return open(std::move(piece), false);
      case Kind::else_: return turn(piece);
      case Kind::else_if:
        if (auto turned = turn(piece); !turned) return turned;
        piece.kind = Kind::if_;
        return open(std::move(piece), true);
      case Kind::end: return close(piece);
      case Kind::unclosed:
        return wrong(piece.line, "{{ has no }}; for the characters themselves write \\{{");
      case Kind::unknown: break;
    }
    return not_understood(piece);
  }

  Result<std::vector<TemplateNode>> finish() {
    if (open_.empty()) return std::move(top_);
    const auto& node = open_.back().node;
    return wrong(node.line, fmt::format("{} has no end", shown(node)));
  }

 private:
  struct Open {
    TemplateNode node;
    bool chained = false;  // by {{else if}}: it ends where the block before it does
    bool turned = false;   // {{else}} was met
  };

  static TemplateNode node_of(TemplatePiece piece) {
    return {piece.kind, piece.text, piece.line, std::move(piece.expression)};
  }

  static Error not_understood(const TemplatePiece& piece) {
    if (!piece.why.empty()) {
      return wrong(piece.line,
                   fmt::format("{} is not understood: {}", shown(piece.text), piece.why));
    }
    return wrong(piece.line,
                 fmt::format("{} is not understood; there are {{{{name}}}}, {{{{helper name}}}}, "
                             "{{{{#if name}}}}, {{{{#unless name}}}}, {{{{else}}}}, {{{{/if}}}}, "
                             "{{{{#each name}}}} with {{{{this}}}}, {{{{/each}}}}, {{{{#with "
                             "name}}}}; for the characters themselves write \\{{{{",
                             shown(piece.text)));
  }

  std::vector<TemplateNode>& here() {
    if (open_.empty()) return top_;
    auto& last = open_.back();
    return last.turned ? last.node.otherwise : last.node.inside;
  }

  Status open(TemplatePiece piece, bool chained) {
    if (open_.size() == depth_) {
      return wrong(piece.line, fmt::format("blocks are nested deeper than {}", depth_));
    }
    open_.push_back({node_of(std::move(piece)), chained});
    return {};
  }

  Status turn(const TemplatePiece& piece) {
    if (open_.empty()) return wrong(piece.line, "{{else}} stands in no block");
    if (std::exchange(open_.back().turned, true)) {
      return wrong(piece.line,
                   fmt::format("a second {{{{else}}}} in {}", shown(open_.back().node)));
    }
    return {};
  }

  Status close(const TemplatePiece& piece) {
    const auto tag = fmt::format("{{{{/{}}}}}", piece.text);
    if (open_.empty()) return wrong(piece.line, fmt::format("{} ends nothing", tag));
    for (bool chained = true; chained && !open_.empty();) {
      TemplateNode node = std::move(open_.back().node);
      chained = open_.back().chained;
      open_.pop_back();
      if (!chained && word_of(node.kind) != piece.text) {
        return wrong(piece.line,
                     fmt::format("{} cannot end the {} of line {}", tag, shown(node), node.line));
      }
      here().push_back(std::move(node));
    }
    return {};
  }

  const std::size_t depth_;
  std::vector<TemplateNode> top_;
  std::vector<Open> open_;
};

}  // namespace

std::vector<TemplatePiece> split_template(std::string_view text) { return Splitter(text).split(); }

Result<std::vector<TemplateNode>> parse_template(std::string_view text, std::size_t depth) {
  Builder builder(depth);
  for (auto& piece : split_template(text)) {
    if (auto added = builder.add(std::move(piece)); !added) return std::move(added).error();
  }
  return builder.finish();
}

}  // namespace lode
