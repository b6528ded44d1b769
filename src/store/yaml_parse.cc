// The wall around libyaml: its events become a tree.
#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <unordered_map>

#include "base/utf8.h"
#include "store/yaml.h"
#include "store/yaml_aliases.h"
#include "store/yaml_positions.h"
#include "store/yaml_problem.h"
#include "store/yaml_scalar.h"

namespace lode {
namespace {

constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";
constexpr std::string_view kBlanks = " \t\r\n";

// One event of the library; the next one takes its place.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&raw); }

  bool next(yaml_parser_t& parser) {
    yaml_event_delete(&raw);
    raw = {};
    return yaml_parser_parse(&parser, &raw) != 0;
  }

  yaml_event_t raw{};
};

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

YamlStyle style_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return YamlStyle::single_quoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return YamlStyle::double_quoted;
    case YAML_LITERAL_SCALAR_STYLE: return YamlStyle::literal;
    case YAML_FOLDED_SCALAR_STYLE: return YamlStyle::folded;
    default: return YamlStyle::plain;
  }
}

// What a scalar is, by its style and tag.
void resolve(YamlNode& node, std::string_view tag) {
  const auto kind = tag.starts_with(kCoreTag) ? tag.substr(kCoreTag.size()) : std::string_view();
  const bool typed = kind == "int" || kind == "float" || kind == "bool" || kind == "null";
  const bool plain = node.style == YamlStyle::plain && tag != "!" && kind != "str";
  if (plain || typed) {
    resolve_plain(node.text, node);
  } else {
    node.kind = YamlKind::string;
  }
}

// The offset behind anchors, tags and the blanks and comments around them.
std::size_t past_properties(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text.substr(at).starts_with("!<")) {
      at = std::min(text.find('>', at), text.size() - 1) + 1;
    } else if (text[at] == '&' || text[at] == '!') {
      at = std::min(text.find_first_of(" \t\r\n,[]{}", at), text.size());
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (kBlanks.find(text[at]) != kBlanks.npos) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

// A block scalar ends where its last line does; empty lines behind it belong to
// it only if its header says '+'.
std::size_t block_end(std::string_view text, const YamlSpan& span) {
  auto written = text.substr(span.content, span.end - span.content);
  const auto header = written.substr(0, written.find_first_of(kBlanks));
  if (header.find('+') == header.npos) {
    return span.content + written.find_last_not_of(kBlanks) + 1;
  }
  if (written.ends_with('\n')) written.remove_suffix(1);
  if (written.ends_with('\r')) written.remove_suffix(1);
  return span.content + written.size();
}

class Parser {
 public:
  Parser(std::string_view text, const YamlLimits& limits, std::size_t first_line)
      : text_(text), limits_(limits), positions_(text, first_line) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() {
    if (ready_) yaml_parser_delete(&parser_);
  }

  Result<YamlNode> document();

 private:
  Status next(Event& event);
  Result<YamlNode> node(const yaml_event_t& event, std::size_t depth);
  Result<YamlNode> scalar(const yaml_event_t& event);
  Result<YamlNode> alias(const yaml_event_t& event);
  Result<YamlNode> list(const yaml_event_t& event, std::size_t depth);
  Result<YamlNode> map(const yaml_event_t& event, std::size_t depth);
  Result<YamlMember> key(const yaml_event_t& event);
  YamlNode begin(const yaml_event_t& event, const yaml_char_t* anchor, const yaml_char_t* tag);

  Status count(const yaml_event_t& event, std::size_t depth);
  Status check_keys(const YamlNode& map) const;
  std::size_t line(const yaml_event_t& event) const {
    return positions_.line(positions_.offset(event.start_mark.index));
  }
  Error problem() const;

  std::string_view text_;
  const YamlLimits& limits_;
  YamlPositions positions_;
  yaml_parser_t parser_{};
  bool ready_ = false;
  std::size_t nodes_ = 0;
  std::uint32_t anchors_ = 0;
  std::unordered_map<std::string, std::uint32_t> names_;  // the last anchor of each name
};

Error Parser::problem() const {
  if (parser_.error == YAML_MEMORY_ERROR) return internal("out of memory");
  const std::size_t at = parser_.error == YAML_READER_ERROR
                             ? parser_.problem_offset
                             : positions_.offset(parser_.problem_mark.index);
  // What is missing at the end is missed on the last line that says something.
  const auto last = text_.find_last_not_of(kBlanks);
  const auto shown = last == text_.npos ? 0 : std::min(at, last);
  return yaml_error(
      positions_.line(shown),
      in_words(parser_.problem == nullptr ? std::string_view("not YAML") : parser_.problem));
}

Status Parser::next(Event& event) {
  if (!event.next(parser_)) return problem();
  return {};
}

Status Parser::count(const yaml_event_t& event, std::size_t depth) {
  if (depth > limits_.depth) {
    return yaml_error(line(event), fmt::format("nested deeper than {} levels", limits_.depth));
  }
  if (++nodes_ > limits_.nodes) {
    return yaml_error(line(event), fmt::format("more than {} values", limits_.nodes));
  }
  return {};
}

YamlNode Parser::begin(const yaml_event_t& event, const yaml_char_t* anchor,
                       const yaml_char_t* tag) {
  YamlNode node;
  node.span.begin = positions_.offset(event.start_mark.index);
  node.span.end = positions_.offset(event.end_mark.index);
  const bool properties = anchor != nullptr || tag != nullptr;
  node.span.content = properties ? past_properties(text_, node.span.begin) : node.span.begin;
  node.line = positions_.line(node.span.begin);
  if (anchor != nullptr) {
    node.anchor = ++anchors_;
    names_[std::string(view(anchor))] = node.anchor;
  }
  return node;
}

Result<YamlNode> Parser::scalar(const yaml_event_t& event) {
  const auto& raw = event.data.scalar;
  YamlNode node = begin(event, raw.anchor, raw.tag);
  node.text.assign(reinterpret_cast<const char*>(raw.value), raw.length);
  node.style = style_of(raw.style);
  resolve(node, view(raw.tag));
  if (node.style == YamlStyle::plain && node.text.empty()) {
    node.style = YamlStyle::empty;
    node.span.content = node.span.end;
  }
  if (node.style == YamlStyle::literal || node.style == YamlStyle::folded) {
    node.span.end = block_end(text_, node.span);
  }
  return node;
}

Result<YamlNode> Parser::alias(const yaml_event_t& event) {
  const auto name = view(event.data.alias.anchor);
  YamlNode node = begin(event, nullptr, nullptr);
  const auto found = names_.find(std::string(name));
  if (found == names_.end()) {
    return yaml_error(node.line, fmt::format("*{} names nothing that stands before it", name));
  }
  node.style = YamlStyle::alias;
  node.anchor = found->second;
  return node;
}

Result<YamlNode> Parser::node(const yaml_event_t& event, std::size_t depth) {
  if (auto status = count(event, depth); !status) return std::move(status).error();
  switch (event.type) {
    case YAML_SCALAR_EVENT: return scalar(event);
    case YAML_ALIAS_EVENT: return alias(event);
    case YAML_SEQUENCE_START_EVENT: return list(event, depth + 1);
    case YAML_MAPPING_START_EVENT: return map(event, depth + 1);
    default: return yaml_error(line(event), "not YAML");
  }
}

Result<YamlNode> Parser::list(const yaml_event_t& event, std::size_t depth) {
  const auto& raw = event.data.sequence_start;
  YamlNode list = begin(event, raw.anchor, raw.tag);
  list.kind = YamlKind::list;
  list.style = raw.style == YAML_FLOW_SEQUENCE_STYLE ? YamlStyle::flow : YamlStyle::block;
  for (Event inner;;) {
    if (auto status = next(inner); !status) return std::move(status).error();
    if (inner.raw.type == YAML_SEQUENCE_END_EVENT) {
      if (list.style == YamlStyle::flow) {
        list.span.end = positions_.offset(inner.raw.end_mark.index);
      }
      return list;
    }
    auto item = node(inner.raw, depth);
    if (!item) return item;
    list.span.end = item->span.end;
    list.items.push_back(*std::move(item));
  }
}

Result<YamlMember> Parser::key(const yaml_event_t& event) {
  if (auto status = count(event, 0); !status) return std::move(status).error();
  if (event.type != YAML_SCALAR_EVENT) {
    return yaml_error(line(event), "a key must be a word or a text, no list, map or alias");
  }
  auto read = scalar(event);
  if (!read) return std::move(read).error();
  return YamlMember{std::move(read->text), read->line, read->span, {}};
}

Result<YamlNode> Parser::map(const yaml_event_t& event, std::size_t depth) {
  const auto& raw = event.data.mapping_start;
  YamlNode map = begin(event, raw.anchor, raw.tag);
  map.kind = YamlKind::map;
  map.style = raw.style == YAML_FLOW_MAPPING_STYLE ? YamlStyle::flow : YamlStyle::block;
  for (Event inner;;) {
    if (auto status = next(inner); !status) return std::move(status).error();
    if (inner.raw.type == YAML_MAPPING_END_EVENT) {
      if (map.style == YamlStyle::flow) map.span.end = positions_.offset(inner.raw.end_mark.index);
      if (auto status = check_keys(map); !status) return std::move(status).error();
      return map;
    }
    auto member = key(inner.raw);
    if (!member) return std::move(member).error();
    if (auto status = next(inner); !status) return std::move(status).error();
    auto value = node(inner.raw, depth);
    if (!value) return value;
    map.span.end = value->span.end;
    member->value = *std::move(value);
    map.members.push_back(*std::move(member));
  }
}

Status Parser::check_keys(const YamlNode& map) const {
  std::vector<const YamlMember*> sorted;
  sorted.reserve(map.members.size());
  for (const auto& member : map.members) sorted.push_back(&member);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->key < b->key; });
  const auto twice = std::adjacent_find(
      sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key == b->key; });
  if (twice == sorted.end()) return {};
  return yaml_error(twice[1]->line, fmt::format("the key \"{}\" stands twice; first on line {}",
                                                cut_text(twice[0]->key, 80), twice[0]->line));
}

Result<YamlNode> Parser::document() {
  if (!ready_) return internal("out of memory");
  Event event;
  while (event.raw.type != YAML_DOCUMENT_START_EVENT) {
    if (auto status = next(event); !status) return std::move(status).error();
    if (event.raw.type == YAML_STREAM_END_EVENT) return YamlNode();
  }
  if (auto status = next(event); !status) return std::move(status).error();
  auto root = node(event.raw, 0);
  if (!root) return root;
  while (event.raw.type != YAML_STREAM_END_EVENT) {
    if (auto status = next(event); !status) return std::move(status).error();
    if (event.raw.type == YAML_DOCUMENT_START_EVENT) {
      return yaml_error(line(event.raw), "a second document begins here");
    }
  }
  if (auto status = expand_aliases(*root, anchors_, nodes_, limits_); !status) {
    return std::move(status).error();
  }
  return root;
}

Status check_utf8(std::string_view text, std::size_t line) {
  if (valid_utf8(text)) return {};
  for (;; ++line) {  // no character spans lines
    const auto end = std::min(text.find('\n'), text.size());
    if (end == text.size() || !valid_utf8(text.substr(0, end)))
      return yaml_error(line, "not UTF-8");
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Result<YamlNode> parse_yaml(std::string_view text, const YamlLimits& limits,
                            std::size_t first_line) {
  if (text.size() > limits.bytes) {
    return yaml_error(first_line, fmt::format("over {} bytes of YAML", limits.bytes));
  }
  if (auto status = check_utf8(text, first_line); !status) return std::move(status).error();
  return Parser(text, limits, first_line).document();
}

}  // namespace lode
