#include "providers/capability/template_parse.h"

#include <fmt/format.h>

#include <algorithm>
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

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
  };
  return text == "@index" ||
         (!text.empty() && !text.starts_with('.') && std::all_of(text.begin(), text.end(), fits));
}

// What is behind a word and a blank; empty if it is not there.
std::string_view behind(std::string_view tag, std::string_view word) {
  if (!tag.starts_with(word)) return {};
  tag.remove_prefix(word.size());
  return tag.starts_with(' ') || tag.starts_with('\t') ? trimmed(tag) : std::string_view();
}

TemplatePiece piece_of(std::string_view whole, std::string_view tag, std::size_t line) {
  if (tag.starts_with('!')) return {Kind::comment, {}, line};
  if (tag == "else") return {Kind::else_, {}, line};
  if (tag == "/if") return {Kind::end_if, {}, line};
  if (tag == "/each") return {Kind::end_each, {}, line};
  if (const auto name = behind(tag, "#if"); is_name(name)) return {Kind::if_, name, line};
  if (const auto name = behind(tag, "#each"); is_name(name)) return {Kind::each, name, line};
  if (is_name(tag)) return {Kind::value, tag, line};
  return {Kind::unknown, whole, line};
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
    const std::string_view close = text_.substr(open).starts_with("{{{") ? "}}}" : "}}";
    const auto found = text_.find(close, open + close.size());
    const auto end = found == text_.npos ? found : found + close.size();
    const auto whole = text_.substr(open, end == text_.npos ? end : end - open);
    if (end == text_.npos) {
      add_text(open);
      pieces_.push_back({Kind::unclosed, whole, line_});
      return false;
    }
    const auto inner = whole.substr(close.size(), whole.size() - 2 * close.size());
    auto piece = piece_of(whole, trimmed(inner), 0);
    const auto line = piece.kind == Kind::value ? std::nullopt : line_alone(open, end);
    add_text(line ? line->begin : open);
    pass(open);
    piece.line = line_;
    pieces_.push_back(piece);
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
  return fmt::format("{{{{#{} {}}}}}", block.kind == Kind::if_ ? "if" : "each", block.text);
}

class Builder {
 public:
  explicit Builder(std::size_t depth) : depth_(depth) {}

  Status add(const TemplatePiece& piece) {
    switch (piece.kind) {
      case Kind::comment: return {};
      case Kind::text:
      case Kind::value: here().push_back({piece.kind, piece.text, piece.line}); return {};
      case Kind::if_:
      case Kind::each: return open(piece);
      case Kind::else_: return turn(piece);
      case Kind::end_if: return close(piece, Kind::if_, "{{/if}}");
      case Kind::end_each: return close(piece, Kind::each, "{{/each}}");
      case Kind::unclosed:
        return wrong(piece.line, "{{ has no }}; for the characters themselves write \\{{");
      case Kind::unknown: break;
    }
    return wrong(piece.line, fmt::format("{} is not understood; there are {{{{name}}}}, {{{{#if "
                                         "name}}}}, {{{{else}}}}, {{{{/if}}}}, {{{{#each name}}}} "
                                         "with {{{{this}}}}, {{{{/each}}}}; for the characters "
                                         "themselves write \\{{{{",
                                         shown(piece.text)));
  }

  Result<std::vector<TemplateNode>> finish() {
    if (open_.empty()) return std::move(top_);
    const auto& node = open_.back().node;
    return wrong(node.line, fmt::format("{} has no end", shown(node)));
  }

 private:
  struct Open {
    TemplateNode node;
    bool turned = false;  // {{else}} was met
  };

  std::vector<TemplateNode>& here() {
    if (open_.empty()) return top_;
    auto& last = open_.back();
    return last.turned ? last.node.otherwise : last.node.inside;
  }

  Status open(const TemplatePiece& piece) {
    if (open_.size() == depth_) {
      return wrong(piece.line, fmt::format("blocks are nested deeper than {}", depth_));
    }
    open_.push_back({{piece.kind, piece.text, piece.line}});
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

  Status close(const TemplatePiece& piece, Kind kind, std::string_view tag) {
    if (open_.empty()) return wrong(piece.line, fmt::format("{} ends nothing", tag));
    if (open_.back().node.kind != kind) {
      const auto& node = open_.back().node;
      return wrong(piece.line,
                   fmt::format("{} cannot end the {} of line {}", tag, shown(node), node.line));
    }
    TemplateNode node = std::move(open_.back().node);
    open_.pop_back();
    here().push_back(std::move(node));
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
  for (const auto& piece : split_template(text)) {
    if (auto added = builder.add(piece); !added) return std::move(added).error();
  }
  return builder.finish();
}

std::string_view first_step(std::string_view name) { return name.substr(0, name.find('.')); }

bool is_of_loop(std::string_view first_step) {
  return first_step == "this" || first_step == "@index";
}

}  // namespace lode
