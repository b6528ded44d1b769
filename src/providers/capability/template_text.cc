#include "providers/capability/template_text.h"

#include <fmt/format.h>

#include <set>

#include "base/nearest.h"
#include "providers/capability/template_parse.h"
#include "providers/capability/template_values.h"

namespace lode {
namespace {

using Kind = TemplatePiece::Kind;
using Nodes = std::vector<TemplateNode>;

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

bool is_true(const Json& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return false;
    case boost::json::kind::bool_: return value.get_bool();
    case boost::json::kind::string: return !value.get_string().empty();
    case boost::json::kind::array: return !value.get_array().empty();
    case boost::json::kind::object: return !value.get_object().empty();
    default: return value.to_number<double>() != 0;
  }
}

const Json& nothing() {
  static const Json kNothing;
  return kNothing;
}

// What is behind "user" in "user.name", and so on.
const Json& follow(const Json& value, std::string_view name) {
  const Json* at = &value;
  for (auto dot = name.find('.'); dot != name.npos; dot = name.find('.')) {
    name.remove_prefix(dot + 1);
    const auto* map = at->if_object();
    at = map == nullptr ? nullptr : map->if_contains(first_step(name));
    if (at == nullptr) return nothing();
  }
  return *at;
}

class Renderer {
 public:
  using Names = std::set<std::string_view>;

  Renderer(const JsonObject& values, const Names& names, const TemplateLimits& limits)
      : values_(values), names_(names), limits_(limits) {}

  // Every placeholder outside of loops names a variable, in whichever branch it
  // stands. Inside, it may be a key of an item.
  Status check(const Nodes& nodes) const {
    for (const auto& node : nodes) {
      const auto name = first_step(node.text);
      if (node.kind == Kind::text) continue;
      if (is_of_loop(name)) return outside_loop(node);
      if (!is_variable(name)) return unknown(node);
      if (node.kind == Kind::each) continue;
      if (auto inner = check(node.inside); !inner) return inner;
      if (auto inner = check(node.otherwise); !inner) return inner;
    }
    return {};
  }

  Status render(const Nodes& nodes) {
    for (const auto& node : nodes) {
      if (++steps_ > limits_.steps) {
        return invalid(fmt::format("line {}: the template takes more than {} steps", node.line,
                                   limits_.steps));
      }
      if (auto done = render(node); !done) return done;
    }
    return {};
  }

  std::string take() { return std::move(out_); }

 private:
  struct Round {
    const Json* item;
    Json index;
  };

  Status render(const TemplateNode& node) {
    if (node.kind == Kind::text) return append(node.text, node.line);
    auto found = find(node);
    if (!found) return std::move(found).error();
    const Json& value = **found;
    if (node.kind == Kind::if_) return render(is_true(value) ? node.inside : node.otherwise);
    if (node.kind == Kind::each) return render_each(node, value);
    if (value.is_null()) return {};
    if (const auto* text = value.if_string()) return append(view(*text), node.line);
    return append(to_text(value), node.line);
  }

  Status render_each(const TemplateNode& node, const Json& value) {
    if (!is_true(value)) return render(node.otherwise);
    const auto* list = value.if_array();
    if (list == nullptr) {
      return invalid(fmt::format("line {}: {{{{#each {}}}}} needs a list", node.line, node.text));
    }
    std::int64_t index = 0;
    for (const auto& item : *list) {
      rounds_.push_back({&item, Json(index++)});
      auto done = render(node.inside);
      rounds_.pop_back();
      if (!done) return done;
      ++steps_;
    }
    return {};
  }

  Result<const Json*> find(const TemplateNode& node) const {
    const auto name = first_step(node.text);
    if (is_of_loop(name)) {
      if (rounds_.empty()) return outside_loop(node);
      const auto& round = rounds_.back();
      return &follow(name == "this" ? *round.item : round.index, node.text);
    }
    for (auto round = rounds_.rbegin(); round != rounds_.rend(); ++round) {
      const auto* map = round->item->if_object();
      if (const auto* value = map == nullptr ? nullptr : map->if_contains(name)) {
        return &follow(*value, node.text);
      }
    }
    if (const auto* value = values_.if_contains(name)) return &follow(*value, node.text);
    if (is_variable(name)) return &nothing();
    return unknown(node);
  }

  Status append(std::string_view text, std::size_t line) {
    if (text.size() > limits_.output_bytes - out_.size()) {
      return invalid(fmt::format("line {}: the result would be longer than {} bytes", line,
                                 limits_.output_bytes));
    }
    out_.append(text);
    return {};
  }

  bool is_variable(std::string_view name) const { return names_.contains(name); }

  Error unknown(const TemplateNode& node) const {
    const auto name = first_step(node.text);
    const std::vector<std::string_view> names(names_.begin(), names_.end());
    return invalid(fmt::format("line {}: \"{}\" is none of the template's variables{}", node.line,
                               name, did_you_mean(name, names)));
  }

  static Error outside_loop(const TemplateNode& node) {
    return invalid(
        fmt::format("line {}: {{{{{}}}}} stands in no {{{{#each}}}}", node.line, node.text));
  }

  const JsonObject& values_;
  const Names& names_;
  const TemplateLimits& limits_;
  std::vector<Round> rounds_;
  std::string out_;
  std::size_t steps_ = 0;
};

std::vector<Variable> derived(std::string_view text) {
  std::vector<Variable> out;
  for (auto& name : variables_in(text)) out.push_back({std::move(name), "", "any", {}, false});
  return out;
}

// The section between two lines, if there is one.
std::string_view section(std::string_view text) {
  constexpr std::string_view kBegin = "<template>";
  constexpr std::string_view kEnd = "</template>";
  for (auto at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    const auto begin = at + kBegin.size();
    const auto end = text.rfind(kEnd);
    return end == text.npos || end < begin ? text : text.substr(begin, end - begin);
  }
  return text;
}

std::string_view without_empty_lines_before(std::string_view text) {
  while (text.starts_with('\n') || text.starts_with("\r\n")) {
    text.remove_prefix(text.find('\n') + 1);
  }
  return text;
}

}  // namespace

std::string template_content(const Document& document) {
  const auto body = document.body();
  if (body.find_first_not_of(" \t\r\n") != body.npos) {
    return std::string(without_empty_lines_before(section(without_empty_lines_before(body))));
  }
  for (const YamlPath& path : {YamlPath{"content"}, YamlPath{"data", "content"}}) {
    const auto* content = document.find(path);
    if (content != nullptr && content->is_string()) {
      return std::string(without_empty_lines_before(section(content->text)));
    }
  }
  return "";
}

std::vector<std::string> variables_in(std::string_view text) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const auto& piece : split_template(text)) {
    if (piece.kind != Kind::value && piece.kind != Kind::if_ && piece.kind != Kind::each) continue;
    const auto name = first_step(piece.text);
    if (!is_of_loop(name) && known.insert(name).second) names.emplace_back(name);
  }
  return names;
}

Result<std::string> render_template(std::string_view text, std::span<const Variable> variables,
                                    const JsonObject& values, const TemplateLimits& limits) {
  const auto nodes = parse_template(text, limits.depth);
  if (!nodes) return nodes.error();
  const auto undeclared = variables.empty() ? derived(text) : std::vector<Variable>();
  if (variables.empty()) variables = undeclared;
  Renderer::Names names;
  for (const auto& variable : variables) names.insert(variable.name);
  auto bound = bind_values(variables, values);
  if (!bound) return std::move(bound).error();
  Renderer renderer(*bound, names, limits);
  if (auto checked = renderer.check(*nodes); !checked) return std::move(checked).error();
  if (auto done = renderer.render(*nodes); !done) return std::move(done).error();
  return renderer.take();
}

}  // namespace lode
