#include "store/yaml_aliases.h"

#include <fmt/format.h>

#include <vector>

#include "store/yaml_problem.h"

namespace lode {
namespace {

class Expansion {
 public:
  Expansion(std::size_t anchors, std::size_t nodes, const YamlLimits& limits)
      : anchored_(anchors + 1, nullptr), nodes_(nodes), limits_(limits) {}

  // In the order of the file: what is named was completed before, or encloses
  // the alias. Nodes do not move meanwhile.
  Status visit(YamlNode& node, std::size_t depth) {
    if (node.style == YamlStyle::alias) return replace(node, depth);
    for (auto& item : node.items) {
      if (auto status = visit(item, depth + 1); !status) return status;
    }
    for (auto& member : node.members) {
      if (auto status = visit(member.value, depth + 1); !status) return status;
    }
    if (node.anchor != 0) anchored_[node.anchor] = &node;
    return {};
  }

 private:
  Status replace(YamlNode& alias, std::size_t depth) {
    const YamlNode* named = anchored_[alias.anchor];
    if (named == nullptr) return yaml_error(alias.line, "an alias stands inside what it names");
    if (auto status = weigh(*named, alias.line, depth); !status) return status;
    YamlNode copy = *named;
    copy.style = YamlStyle::alias;
    copy.anchor = alias.anchor;
    copy.line = alias.line;
    copy.span = alias.span;
    alias = std::move(copy);
    return {};
  }

  Status weigh(const YamlNode& node, std::size_t line, std::size_t depth) {
    bytes_ += node.text.size();
    for (const auto& member : node.members) bytes_ += member.key.size();
    if (depth > limits_.depth) {
      return yaml_error(line,
                        fmt::format("with its alias nested deeper than {} levels", limits_.depth));
    }
    if (++nodes_ > limits_.nodes) {
      return yaml_error(line, fmt::format("with its aliases more than {} values", limits_.nodes));
    }
    if (bytes_ > limits_.bytes) {
      return yaml_error(line, fmt::format("aliases that copy more than {} bytes", limits_.bytes));
    }
    for (const auto& item : node.items) {
      if (auto status = weigh(item, line, depth + 1); !status) return status;
    }
    for (const auto& member : node.members) {
      if (auto status = weigh(member.value, line, depth + 1); !status) return status;
    }
    return {};
  }

  std::vector<const YamlNode*> anchored_;  // by number; null while incomplete
  std::size_t nodes_;
  std::size_t bytes_ = 0;  // that were copied
  const YamlLimits& limits_;
};

}  // namespace

Status expand_aliases(YamlNode& root, std::size_t anchors, std::size_t nodes,
                      const YamlLimits& limits) {
  if (anchors == 0) return {};
  return Expansion(anchors, nodes, limits).visit(root, 0);
}

}  // namespace lode
