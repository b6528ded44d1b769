#include "store/yaml_lines.h"

#include <algorithm>
#include <optional>

namespace lode {
namespace {

struct Indents {
  std::optional<std::size_t> map, list;
};

void find_indents(const YamlLines& lines, const YamlNode& node, Indents& found) {
  if (node.style != YamlStyle::block || (found.map && found.list)) return;
  for (const auto& item : node.items) find_indents(lines, item, found);
  for (const auto& member : node.members) {
    const auto key = lines.column(member.span.begin);
    const auto value = lines.column(member.value.span.content);
    if (member.value.style == YamlStyle::block && value >= key && value - key < 10) {
      auto& indent = member.value.is_map() ? found.map : found.list;
      if (!indent) indent = value - key;
    }
    find_indents(lines, member.value, found);
  }
}

}  // namespace

std::size_t YamlLines::begin(std::size_t at) const {
  if (at == 0) return 0;
  const auto before = text_.rfind('\n', at - 1);
  return before == text_.npos ? 0 : before + 1;
}

std::size_t YamlLines::end(std::size_t at) const {
  const auto end = text_.find('\n', at);
  return end == text_.npos ? text_.size() : end + 1;
}

bool YamlLines::same(std::size_t a, std::size_t b) const {
  return text_.substr(a, b - a).find('\n') == text_.npos;
}

bool YamlLines::indents(std::size_t at) const {
  return text_.substr(begin(at), at - begin(at)).find_first_not_of(' ') == text_.npos;
}

std::size_t YamlLines::past_blanks(std::size_t at) const {
  for (;;) {
    at = std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
    if (at == text_.size() || text_[at] != '#') return at;
    at = end(at);
  }
}

std::size_t YamlLines::child_begin(const YamlNode& parent, std::size_t index) const {
  if (parent.is_map()) return parent.members[index].span.begin;
  if (parent.style != YamlStyle::block) return parent.items[index].span.begin;
  return index == 0 ? parent.span.content : past_blanks(parent.items[index - 1].span.end);
}

YamlLayout YamlLines::layout(const YamlNode& root, std::string_view eol) const {
  Indents found;
  find_indents(*this, root, found);
  const auto indent = std::max<std::size_t>(found.map.value_or(found.list.value_or(2)), 2);
  return {found.map.value_or(indent), found.list.value_or(indent), eol};
}

}  // namespace lode
