#include "store/yaml_replace.h"

#include <algorithm>

#include "store/yaml_scalar.h"

namespace lode {
namespace {

bool is_block_scalar(const YamlNode& node) {
  return node.style == YamlStyle::literal || node.style == YamlStyle::folded;
}

// The column of the lines below, where the old value sets an example.
std::optional<std::size_t> example_column(const YamlLines& lines, const YamlNode& node,
                                          const Json& value) {
  const bool alike = (node.is_map() && value.is_object()) || (node.is_list() && value.is_array());
  if (alike && node.style == YamlStyle::block) return lines.column(node.span.content);
  if (!is_block_scalar(node) || !value.is_string()) return std::nullopt;
  const auto text = lines.text();
  const auto header = text.substr(node.span.content, 3);
  if (header.find_first_of("123456789") < header.find_first_of(" \t\r\n")) return std::nullopt;
  const auto first = text.find_first_not_of(" \t\r\n", lines.end(node.span.content));
  if (first >= node.span.end) return std::nullopt;
  return lines.column(first);
}

bool same_kind(const YamlNode& node, const Json& value) {
  switch (node.kind) {
    case YamlKind::null: return value.is_null();
    case YamlKind::boolean: return value.is_bool();
    case YamlKind::integer: return value.is_int64() || value.is_uint64();
    case YamlKind::number: return value.is_double();
    case YamlKind::string: return value.is_string();
    case YamlKind::list: return value.is_array();
    case YamlKind::map: return value.is_object();
  }
  return false;
}

// There is an anchor or a tag, and it suits the new value too.
bool has_lasting_properties(const YamlLines& lines, const YamlNode& node, const Json& value) {
  const auto properties = lines.text().substr(node.span.begin, node.span.content - node.span.begin);
  return !properties.empty() && (same_kind(node, value) || properties.find('!') == properties.npos);
}

// The styles to try for a string, in order, besides what is usual.
std::vector<YamlStyle> wanted_styles(const YamlNode& node, std::string_view text) {
  const bool lines = text.find('\n') != text.npos;
  switch (node.style) {
    case YamlStyle::plain:
      if (node.is_string()) return {YamlStyle::plain};
      return {};
    case YamlStyle::double_quoted:
      // One line that becomes several is better read as a block.
      if (lines && node.text.find('\n') == node.text.npos) return {};
      return {YamlStyle::double_quoted};
    case YamlStyle::single_quoted: return {YamlStyle::single_quoted};
    case YamlStyle::folded: return {YamlStyle::folded, YamlStyle::literal};
    case YamlStyle::literal: return {YamlStyle::literal};
    default: return {};
  }
}

// The ways to write a value at a site, the best first.
std::vector<YamlText> forms_of(const YamlLines& lines, const YamlSite& site, const Json& value,
                               const YamlLayout& layout) {
  const YamlPlace place{site.column, site.item, example_column(lines, site.node, value)};
  std::vector<YamlText> forms;
  const auto* string = value.if_string();
  const std::string_view text =
      string == nullptr ? std::string_view() : std::string_view(string->data(), string->size());
  if (string != nullptr) {
    if (site.node.style == YamlStyle::plain && looks_like_date(site.node.text) &&
        looks_like_date(text)) {
      forms.push_back({std::string(text), ""});
    }
    for (const auto style : wanted_styles(site.node, text)) {
      if (auto form = yaml_string(text, style, site.in_flow, place, layout)) forms.push_back(*form);
    }
  }
  if (site.in_flow || site.node.style == YamlStyle::flow) forms.push_back({yaml_flow(value), ""});
  if (!site.in_flow) forms.push_back(yaml_block(value, place, layout));
  // On one line nothing around it can interfere.
  if (string != nullptr) {
    forms.push_back(*yaml_string(text, YamlStyle::double_quoted, site.in_flow, place, layout));
  } else {
    forms.push_back({yaml_flow(value), ""});
  }
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  return forms;
}

std::string after_blank(const std::string& head) { return head.empty() ? head : " " + head; }

// Writes a form over the value of a site; what comes behind it on its line, a
// comment, stays.
class Replacement {
 public:
  Replacement(const YamlLines& lines, const YamlSite& site, bool keep_properties)
      : lines_(lines), site_(site), node_(site.node), span_(site.node.span) {
    const auto text = lines.text().substr(0, span_.content);
    after_ = keep_properties ? text.find_last_not_of(" \t\r\n") + 1 : site.after;
    begin_ = keep_properties ? span_.content : span_.begin;
  }

  YamlRewrite write(const YamlText& form) const {
    if (site_.in_flow) return {in_flow(form.head)};
    if (is_block_scalar(node_)) return over_block_scalar(form);
    if (node_.style == YamlStyle::block && !lines_.same(after_, span_.content)) {
      return over_lines(form);
    }
    return over_rest(form);
  }

 private:
  YamlSplice in_flow(const std::string& head) const {
    if (node_.style != YamlStyle::empty) return {begin_, span_.end, head};
    return {after_, after_, (site_.colon ? " " : ": ") + head};
  }

  YamlRewrite over_block_scalar(const YamlText& form) const {
    const auto text = lines_.text();
    const auto header = std::min(text.find_first_of(" \t\r\n", span_.content), text.size());
    const auto below = lines_.end(header);
    const auto end = std::max(below, lines_.end(span_.end));
    const auto begin = form.head.empty() ? after_ : begin_;
    return {{begin, header, form.head}, {below, end, form.tail}};
  }

  // Of a list or map that stands below its key.
  YamlRewrite over_lines(const YamlText& form) const {
    const auto begin = lines_.begin(span_.content);
    const auto end = lines_.end(span_.end);
    const auto properties = std::max(after_, begin_ == span_.content ? after_ : properties_end());
    YamlSplice head{after_, properties, after_blank(form.head)};
    if (form.head.empty()) return {head, {begin, end, form.tail}};
    const auto below = lines_.end(properties);
    return {head, {below, below, form.tail}, {begin, end, ""}};
  }

  YamlRewrite over_rest(const YamlText& form) const {
    const auto below = lines_.end(span_.end);
    const YamlSplice tail{below, below, form.tail};
    const bool same_line = lines_.same(after_, span_.content);
    if (node_.style == YamlStyle::empty) {
      return {{after_, std::max(after_, span_.end), after_blank(form.head)}, tail};
    }
    if (form.head.empty() || (!same_line && !form.tail.empty())) {
      return {{after_, span_.end, after_blank(form.head)}, tail};
    }
    return {{begin_, span_.end, form.head}, tail};
  }

  std::size_t properties_end() const {
    return lines_.text().substr(0, span_.content).find_last_not_of(" \t\r\n") + 1;
  }

  const YamlLines& lines_;
  const YamlSite& site_;
  const YamlNode& node_;
  const YamlSpan& span_;
  std::size_t after_;  // the value comes behind this
  std::size_t begin_;  // of what is replaced, if it is on the same line
};

}  // namespace

YamlSite find_site(const YamlLines& lines, const YamlNode& parent, std::size_t index) {
  const auto& node = child_at(parent, index);
  const bool in_flow = parent.style == YamlStyle::flow;
  const auto begin = lines.child_begin(parent, index);
  if (parent.is_list()) {
    return {node, in_flow ? begin : begin + 1, lines.column(begin), !in_flow, in_flow, true};
  }
  const auto key_end = parent.members[index].span.end;
  const auto colon = lines.past_blanks(key_end);
  const bool found = colon < lines.text().size() && lines.text()[colon] == ':';
  return {node, found ? colon + 1 : key_end, lines.column(begin), false, in_flow, found};
}

std::vector<YamlRewrite> propose_replacement(const YamlLines& lines, const YamlSite& site,
                                             const Json& value, const YamlLayout& layout) {
  std::vector<YamlRewrite> out;
  const auto forms = forms_of(lines, site, value, layout);
  const bool properties = has_lasting_properties(lines, site.node, value);
  for (const bool keep : {true, false}) {
    if (keep && !properties) continue;
    for (const auto& form : forms) out.push_back(Replacement(lines, site, keep).write(form));
  }
  return out;
}

}  // namespace lode
