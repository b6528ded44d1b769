#include "store/yaml_edit.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "store/yaml_lines.h"
#include "store/yaml_replace.h"

namespace lode {

std::string rewritten(std::string_view text, const YamlRewrite& rewrite) {
  std::string out;
  std::size_t at = 0;
  for (const auto& splice : rewrite) {
    out.append(text.substr(at, splice.begin - at)).append(splice.text);
    at = splice.end;
  }
  return out.append(text.substr(at));
}

std::size_t child_count(const YamlNode& parent) {
  return parent.is_map() ? parent.members.size() : parent.items.size();
}

const YamlNode& child_at(const YamlNode& parent, std::size_t index) {
  return parent.is_map() ? parent.members[index].value : parent.items[index];
}

std::size_t child_index(const YamlNode& parent, std::string_view key) {
  if (parent.is_map()) {
    const auto found = std::find_if(parent.members.begin(), parent.members.end(),
                                    [&](const auto& member) { return member.key == key; });
    return static_cast<std::size_t>(found - parent.members.begin());
  }
  std::size_t index = 0;
  const char* const last = key.data() + key.size();
  const auto [end, problem] = std::from_chars(key.data(), last, index);
  const bool number = problem == std::errc() && end == last && (key == "0" || key[0] != '0');
  return number && parent.is_list() && index <= parent.items.size() ? index : key.npos;
}

namespace {

const YamlNode& walk(const YamlNode& root, std::span<const std::string> path) {
  const YamlNode* node = &root;
  for (const auto& key : path) node = &child_at(*node, child_index(*node, key));
  return *node;
}

YamlRewrite append_in_flow(const YamlNode& parent, std::string_view key, const Json& value) {
  const auto count = child_count(parent);
  const auto at = count == 0 ? parent.span.content + 1 : child_at(parent, count - 1).span.end;
  std::string text = count == 0 ? "" : ", ";
  if (parent.is_map()) text += yaml_key(key, true) + ": ";
  return {{at, at, text + yaml_flow(value)}};
}

std::vector<YamlRewrite> append(const YamlSource& source, const YamlNode& parent,
                                std::string_view key, const Json& value) {
  if (parent.style == YamlStyle::flow) return {append_in_flow(parent, key, value)};
  const YamlLines lines(source.text);
  const auto layout = lines.layout(source.root, source.eol);
  const bool empty = child_count(parent) == 0;  // the root alone can be
  const auto column = empty ? 0 : lines.column(lines.child_begin(parent, 0));
  const auto at = empty ? source.text.size() : lines.end(parent.span.end);
  const auto line = [&](const YamlText& form) -> YamlRewrite {
    std::string text(column, ' ');
    text += parent.is_map() ? yaml_key(key) + ":" : "-";
    if (!form.head.empty()) text.append(" ").append(form.head);
    return {{at, at, text.append(source.eol).append(form.tail)}};
  };
  const auto form = yaml_block(value, {column, parent.is_list(), {}}, layout);
  return {line(form), line({yaml_flow(value), ""})};
}

YamlRewrite remove_in_flow(const YamlLines& lines, const YamlNode& parent, std::size_t index) {
  const auto begin = lines.child_begin(parent, index);
  const auto end = child_at(parent, index).span.end;
  if (index > 0) return {{child_at(parent, index - 1).span.end, end, ""}};
  if (child_count(parent) == 1) return {{begin, end, ""}};
  return {{begin, lines.child_begin(parent, 1), ""}};
}

// The first of a map or list that begins behind a dash: the next takes its
// place, unless comments stand between.
YamlRewrite remove_behind_dash(const YamlLines& lines, const YamlNode& parent,
                               std::string_view eol) {
  const auto begin = lines.child_begin(parent, 0);
  const auto end = lines.end(child_at(parent, 0).span.end);
  const auto next = lines.child_begin(parent, 1);
  if (lines.text().substr(end, next - end).find('#') == std::string_view::npos) {
    return {{begin, next, ""}};
  }
  const auto dash_end = lines.text().substr(0, begin).find_last_not_of(' ') + 1;
  return {{dash_end, end, std::string(eol)}};
}

YamlRewrite remove_lines(const YamlLines& lines, const YamlNode& parent, std::size_t index,
                         std::string_view eol) {
  const auto begin = lines.child_begin(parent, index);
  if (!lines.indents(begin) && index == 0 && child_count(parent) > 1) {
    return remove_behind_dash(lines, parent, eol);
  }
  return {{lines.begin(begin), lines.end(child_at(parent, index).span.end), ""}};
}

}  // namespace

std::vector<YamlRewrite> propose_set(const YamlSource& source, const YamlPath& path,
                                     const Json& value) {
  const auto& parent = walk(source.root, std::span(path).first(path.size() - 1));
  const auto index = child_index(parent, path.back());
  if (index == child_count(parent)) return append(source, parent, path.back(), value);
  const YamlLines lines(source.text);
  return propose_replacement(lines, find_site(lines, parent, index), value,
                             lines.layout(source.root, source.eol));
}

std::vector<YamlRewrite> propose_removal(const YamlSource& source, const YamlPath& path) {
  const auto steps = std::span(path);
  const auto& parent = walk(source.root, steps.first(steps.size() - 1));
  const auto index = child_index(parent, path.back());
  const YamlLines lines(source.text);
  if (parent.style == YamlStyle::flow) return {remove_in_flow(lines, parent, index)};
  if (child_count(parent) > 1 || path.size() == 1) {
    // Empty lines that are left might become part of a text above, which keeps
    // its last lines: then they go too.
    auto rewrite = remove_lines(lines, parent, index, source.eol);
    auto wider = rewrite;
    auto& end = wider.back().end;
    end = std::max(end, lines.begin(std::min(source.text.find_first_not_of(" \t\r\n", end),
                                             source.text.size())));
    return {std::move(rewrite), std::move(wider)};
  }
  // A block cannot be empty.
  const auto& above = walk(source.root, steps.first(steps.size() - 2));
  const auto site = find_site(lines, above, child_index(above, path[path.size() - 2]));
  const Json nothing = parent.is_map() ? Json(JsonObject()) : Json(JsonArray());
  return propose_replacement(lines, site, nothing, lines.layout(source.root, source.eol));
}

}  // namespace lode
