#include "providers/capability/template_text.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "providers/capability/template_helpers.h"
#include "providers/capability/template_parse.h"
#include "providers/capability/template_values.h"

namespace lode {
namespace {

using Kind = TemplatePiece::Kind;
using Nodes = std::vector<TemplateNode>;

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

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

// How much there is to go through, in texts of 64 bytes.
std::size_t weight(const Json& value) {
  constexpr std::size_t kUnit = 64;
  std::size_t out = 1;
  if (const auto* text = value.if_string()) out += text->size() / kUnit;
  if (const auto* list = value.if_array()) {
    for (const auto& item : *list) out += weight(item);
  }
  if (const auto* map = value.if_object()) {
    for (const auto& member : *map) out += weight(member.value());
  }
  return out;
}

// A value that stands elsewhere, or was made here.
struct Found {
  const Json* there = nullptr;
  Json made{};

  const Json& get() const { return there == nullptr ? made : *there; }
};

class Renderer {
 public:
  using Names = std::set<std::string_view>;

  Renderer(const JsonObject& values, const Names& names, const TemplateLimits& limits)
      : values_(values), names_(names), limits_(limits) {}

  // Every placeholder outside of loops names a variable, in whichever branch it
  // stands. Inside, it may be a key of an item.
  Status check(const Nodes& nodes) const {
    for (const auto& node : nodes) {
      if (node.kind == Kind::text) continue;
      Status named;
      each_name(node.expression, [&](const TemplateExpression& name) {
        const auto first = first_step(name.text);
        if (!named || first == "@root") return;
        if (name.up > 0 || is_of_loop(first)) {
          named = outside_loop(node);
        } else if (!is_variable(first)) {
          named = unknown(first, node.line);
        }
      });
      if (!named) return named;
      if (!has_items(node.kind)) {
        if (auto inner = check(node.inside); !inner) return inner;
      }
      if (auto inner = check(node.otherwise); !inner) return inner;
    }
    return {};
  }

  Status render(const Nodes& nodes) {
    for (const auto& node : nodes) {
      if (++steps_ > limits_.steps) return too_many_steps(node);
      if (auto done = render(node); !done) return done;
    }
    return {};
  }

  std::string take() { return std::move(out_); }

 private:
  // What {{this}} is in a block; of a loop, where it stands in the list too.
  struct Round {
    const Json* item;
    bool of_loop = false;
    Json index{};
    Json key{};
    Json first{};
    Json last{};
  };

  Status render(const TemplateNode& node) {
    if (node.kind == Kind::text) return append(node.text, node.line);
    auto found = evaluate(node.expression, node);
    if (!found) return std::move(found).error();
    const Json& value = found->get();
    switch (node.kind) {
      case Kind::if_: return render(is_true(value) ? node.inside : node.otherwise);
      case Kind::unless: return render(is_true(value) ? node.otherwise : node.inside);
      case Kind::each: return render_each(node, value);
      case Kind::with: return render_with(node, value);
      default: break;
    }
    if (const auto* text = value.if_string()) return append(view(*text), node.line);
    return append(shown_value(value), node.line);
  }

  Status render_each(const TemplateNode& node, const Json& value) {
    if (!is_true(value)) return render(node.otherwise);
    const auto* map = value.if_object();
    const auto* list = value.if_array();
    if (map == nullptr && list == nullptr) {
      return invalid(
          fmt::format("line {}: {{{{#each {}}}}} needs a list or a map", node.line, node.text));
    }
    const auto count = map == nullptr ? list->size() : map->size();
    for (std::size_t i = 0; i < count; ++i) {
      Round round{map == nullptr ? &(*list)[i] : &(map->begin() + i)->value(), true, Json(i)};
      round.key = map == nullptr ? Json(i) : Json((map->begin() + i)->key());
      round.first = i == 0;
      round.last = i + 1 == count;
      rounds_.push_back(std::move(round));
      auto done = render(node.inside);
      rounds_.pop_back();
      if (!done) return done;
      ++steps_;
    }
    return {};
  }

  Status render_with(const TemplateNode& node, const Json& value) {
    if (!is_true(value)) return render(node.otherwise);
    rounds_.push_back({&value});
    auto done = render(node.inside);
    rounds_.pop_back();
    return done;
  }

  Result<Found> evaluate(const TemplateExpression& expression, const TemplateNode& node) {
    if (expression.kind == TemplateExpression::Kind::literal) return Found{&expression.literal};
    if (expression.kind == TemplateExpression::Kind::name) return find(expression, node);
    std::vector<Found> arguments;
    std::vector<const Json*> values;
    arguments.reserve(expression.arguments.size());
    values.reserve(expression.arguments.size());
    for (const auto& argument : expression.arguments) {
      auto found = evaluate(argument, node);
      if (!found) return found;
      steps_ += weight(found->get());
      arguments.push_back(std::move(*found));
    }
    for (const auto& argument : arguments) values.push_back(&argument.get());
    if (steps_ > limits_.steps) return too_many_steps(node);
    auto made = call_helper(expression.text, values, limits_.output_bytes);
    if (!made) return std::move(made).error().in(fmt::format("line {}", node.line));
    return Found{nullptr, std::move(*made)};
  }

  Result<Found> find(const TemplateExpression& path, const TemplateNode& node) const {
    const auto name = first_step(path.text);
    if (path.up > rounds_.size()) return outside_loop(node);
    const auto depth = rounds_.size() - path.up;
    if (name == "@root") return find_in_root(path.text);
    if (is_of_loop(name)) return find_of_loop(path, depth, node);
    for (auto at = depth; at > 0; --at) {
      const auto* map = rounds_[at - 1].item->if_object();
      if (const auto* value = map == nullptr ? nullptr : map->if_contains(name)) {
        return Found{&follow(*value, path.text)};
      }
    }
    if (const auto* value = values_.if_contains(name)) return Found{&follow(*value, path.text)};
    // A key that this item does not have, and others may.
    if (is_variable(name) || !rounds_.empty()) return Found{&nothing()};
    return unknown(name, node.line);
  }

  Result<Found> find_in_root(std::string_view path) const {
    const auto dot = path.find('.');
    const auto rest = dot == path.npos ? std::string_view() : path.substr(dot + 1);
    const auto* value = values_.if_contains(first_step(rest));
    return Found{value == nullptr ? &nothing() : &follow(*value, rest)};
  }

  Result<Found> find_of_loop(const TemplateExpression& path, std::size_t depth,
                             const TemplateNode& node) const {
    const auto name = first_step(path.text);
    if (name == "this") {
      if (depth == 0) return outside_loop(node);
      return Found{&follow(*rounds_[depth - 1].item, path.text)};
    }
    while (depth > 0 && !rounds_[depth - 1].of_loop) --depth;
    if (depth == 0) return outside_loop(node);
    const auto& round = rounds_[depth - 1];
    const auto& value = name == "@key"     ? round.key
                        : name == "@first" ? round.first
                        : name == "@last"  ? round.last
                                           : round.index;
    return Found{&follow(value, path.text)};
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

  Error unknown(std::string_view name, std::size_t line) const {
    const std::vector<std::string_view> names(names_.begin(), names_.end());
    return invalid(fmt::format("line {}: \"{}\" is none of the template's variables{}", line, name,
                               did_you_mean(name, names)));
  }

  Error too_many_steps(const TemplateNode& node) const {
    return invalid(
        fmt::format("line {}: the template takes more than {} steps", node.line, limits_.steps));
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

std::vector<UsedName> names_used(std::string_view text) {
  std::vector<UsedName> out;
  std::map<std::string_view, std::size_t> known;
  std::size_t blocks_of_items = 0;
  for (const auto& piece : split_template(text)) {
    if (piece.kind == Kind::end && blocks_of_items > 0) {
      if (piece.text == "each" || piece.text == "with") --blocks_of_items;
    }
    each_name(piece.expression, [&](const TemplateExpression& name) {
      auto path = name.text;
      const bool of_root = path.starts_with("@root.");
      if (of_root) path.remove_prefix(path.find('.') + 1);
      const auto first = first_step(path);
      if (first.empty() || is_of_loop(first)) return;
      const auto [at, is_new] = known.emplace(first, out.size());
      if (is_new) out.push_back({std::string(first), false, true, piece.line});
      auto& used = out[at->second];
      if (blocks_of_items == 0 || of_root) used.only_inside = false;
      const bool joined =
          piece.expression.text == "join" && &name == piece.expression.arguments.data();
      if ((piece.kind == Kind::each || joined) && path == first) used.listed = true;
    });
    if (has_items(piece.kind)) ++blocks_of_items;
  }
  return out;
}

std::vector<std::string> variables_in(std::string_view text) {
  std::vector<std::string> names;
  for (auto& used : names_used(text)) names.push_back(std::move(used.name));
  return names;
}

std::optional<std::string> problem_in_template(std::string_view text) {
  const auto nodes = parse_template(text, TemplateLimits().depth);
  return nodes ? std::nullopt : std::optional(nodes.error().message);
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
