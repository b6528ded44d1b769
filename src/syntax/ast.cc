#include "syntax/ast.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/json.h"
#include "syntax/tree_walk.h"

namespace lode {
namespace {

struct Node {
  std::string_view type;
  std::string_view field;
  std::string_view name;  // of compact nodes
  std::string_view text;  // of leaves
  Span span;
  std::uint32_t depth = 0;
  std::uint32_t left_out = 0;
  bool missing = false;
};

bool is_leaf(TSNode node) { return ts_node_child_count(node) == 0; }

// The nodes that are written, those around others first.
class Nodes {
 public:
  Nodes(std::string_view text, const AstOptions& options, const SyntaxLimits& limits)
      : text_(text),
        compact_(options.compact),
        deepest_(std::min(options.max_depth.value_or(limits.ast_depth), limits.ast_depth)),
        limit_(limits.nodes) {}

  // False: there are too many.
  bool gather(TSNode root) {
    TreeWalk walk(root);
    do {
      if (!add(walk)) return false;
    } while (walk.next());
    return true;
  }

  std::vector<Node> take() { return std::move(nodes_); }

 private:
  struct Open {
    std::size_t node;
    std::uint32_t depth;  // in the tree, where nodes that are not written count too
  };

  bool add(const TreeWalk& walk) {
    const auto node = walk.node();
    if (compact_ && !ts_node_is_named(node)) return true;
    while (!open_.empty() && open_.back().depth >= walk.depth()) open_.pop_back();
    auto* around = open_.empty() ? nullptr : &nodes_[open_.back().node];
    if (around != nullptr && open_.size() > deepest_) {
      ++around->left_out;
      return true;
    }
    if (compact_ && walk.field() == "name" && is_leaf(node) && around != nullptr &&
        around->name.empty()) {
      around->name = text_of(node, text_);
      return true;
    }
    if (nodes_.size() == limit_) return false;
    nodes_.push_back({.type = ts_node_type(node),
                      .field = walk.field(),
                      .name = {},
                      .text = is_leaf(node) ? text_of(node, text_) : std::string_view(),
                      .span = span_of(node),
                      .depth = static_cast<std::uint32_t>(open_.size()),
                      .left_out = 0,
                      .missing = ts_node_is_missing(node)});
    open_.push_back({nodes_.size() - 1, walk.depth()});
    return true;
  }

  std::string_view text_;
  bool compact_;
  std::uint32_t deepest_;
  std::size_t limit_;
  std::vector<Node> nodes_;
  std::vector<Open> open_;  // those around this place, the innermost last
};

// Texts that come often, by a short name. A text that looks like such a name is
// in the table too, so that no two are taken for one another.
class SymbolTable {
 public:
  void count(std::string_view text) { ++counts_[text]; }

  std::string name_of(std::string_view text) {
    constexpr std::size_t kShort = 5;
    constexpr std::size_t kOften = 3;
    const bool often = text.size() > kShort && counts_[text] >= kOften;
    if (!often && !text.starts_with('@')) return std::string(text);
    const auto [at, is_new] = numbers_.try_emplace(text, texts_.size() + 1);
    if (is_new) texts_.push_back(text);
    return fmt::format("@{}", at->second);
  }

  void write(JsonWriter& out) const {
    out.begin_object();
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      out.member(fmt::format("@{}", i + 1), texts_[i]);
    }
    out.end_object();
  }

 private:
  std::unordered_map<std::string_view, std::size_t> counts_;
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> texts_;
};

class Writer {
 public:
  Writer(const AstOptions& options, std::string& out) : options_(options), out_(out) {}

  void write(const std::vector<Node>& nodes) {
    if (options_.use_symbol_table) count(nodes);
    std::uint32_t open = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (; open > nodes[i].depth; --open) out_.end_array().end_object();
      write_members(nodes[i]);
      if (i + 1 < nodes.size() && nodes[i + 1].depth > nodes[i].depth) {
        out_.key("children").begin_array();
        ++open;
      } else {
        out_.end_object();
      }
    }
    for (; open > 0; --open) out_.end_array().end_object();
  }

  void write_table(JsonWriter& out) const { table_.write(out); }

 private:
  void count(const std::vector<Node>& nodes) {
    for (const auto& node : nodes) {
      table_.count(node.type);
      if (!options_.compact) table_.count(node.field);
      table_.count(node.name);
      if (node.text != node.type) table_.count(node.text);
    }
  }

  void text_member(std::string_view key, std::string_view text) {
    if (text.empty()) return;
    out_.key(key);
    if (options_.use_symbol_table) {
      out_.value(table_.name_of(text));
    } else {
      out_.value(text);
    }
  }

  void position(std::string_view key, std::uint32_t line, std::uint32_t column) {
    out_.key(key).begin_array();
    out_.value(static_cast<std::int64_t>(line)).value(static_cast<std::int64_t>(column));
    out_.end_array();
  }

  void write_members(const Node& node) {
    out_.begin_object();
    text_member("type", node.type);
    if (options_.compact) {
      out_.member("line", static_cast<std::int64_t>(node.span.line));
      text_member("name", node.name);
    } else {
      text_member("field", node.field);
      position("start", node.span.line, node.span.column);
      position("end", node.span.end_line, node.span.end_column);
    }
    if (node.text != node.type) text_member("text", node.text);
    if (node.missing) out_.member("missing", true);
    if (node.left_out > 0) out_.member("left_out", static_cast<std::int64_t>(node.left_out));
  }

  const AstOptions& options_;
  JsonWriter out_;
  SymbolTable table_;
};

// Types and tokens in order, with what is around what, without comments.
std::string semantic_hash(TSNode root, std::string_view text) {
  std::string words;
  TreeWalk walk(root);
  bool into = true;
  do {
    const auto node = walk.node();
    into = !ts_node_is_extra(node);
    if (!into) continue;
    words += fmt::format("{} {}", walk.depth(), ts_node_type(node));
    if (is_leaf(node)) words.append(" ").append(text_of(node, text));
    words += '\n';
  } while (walk.next(into));
  return content_hash(words);
}

}  // namespace

Result<std::string> write_ast(const Language& language, const Tree& tree, std::string_view text,
                              const AstOptions& options, const SyntaxLimits& limits) {
  const auto root = tree.root();
  Nodes nodes(text, options, limits);
  if (!nodes.gather(root)) {
    return invalid(
        fmt::format("the tree has more than {} nodes: give max_depth, or ask for the "
                    "symbols",
                    limits.nodes));
  }
  std::string json;
  JsonWriter out(json);
  out.begin_object().member("language", language.id);
  if (options.include_semantic_hash) out.member("semantic_hash", semantic_hash(root, text));
  std::string written;
  Writer writer(options, written);
  writer.write(nodes.take());
  out.raw_member("ast", written);
  if (options.use_symbol_table) {
    out.key("symbol_table");
    writer.write_table(out);
  }
  out.end_object();
  return json;
}

}  // namespace lode
