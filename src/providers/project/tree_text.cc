#include "providers/project/tree_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/utf8.h"
#include "providers/project/line.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

using Kind = Survey::Kind;

// Nodes by number; the first is the project's directory. Children are sorted:
// directories first.
class Tree {
 public:
  explicit Tree(const std::vector<Survey::Item>& items) {
    nodes_.emplace_back();
    nodes_[0].kind = Kind::directory;
    std::unordered_map<std::string_view, std::size_t> directories{{"", 0}};
    for (const auto& item : items) {
      const auto parent = directories.find(parent_path(item.path));
      if (parent == directories.end()) continue;
      if (item.kind == Kind::directory) directories.emplace(item.path, nodes_.size());
      nodes_.push_back({last_name(item.path), item.kind, parent->second, 0, {}});
    }
    count_files();
    link();
  }

  // How many lines there are if no directory shows more than `most` entries.
  std::size_t lines(std::size_t node, std::size_t depth, std::size_t most) const {
    const auto& children = nodes_[node].children;
    const std::size_t shown = std::min(children.size(), most);
    std::size_t sum = shown + (children.size() > most ? 1 : 0);
    for (std::size_t i = 0; i < shown && depth > 1; ++i) sum += lines(children[i], depth - 1, most);
    return sum;
  }

  std::size_t widest() const {
    std::size_t most = 1;
    for (const auto& node : nodes_) most = std::max(most, node.children.size());
    return most;
  }

  void write(TreeText& out, std::size_t node, std::size_t level, std::size_t depth,
             std::size_t most) const {
    const auto& children = nodes_[node].children;
    const std::size_t shown = std::min(children.size(), most);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& child = nodes_[children[i]];
      const bool closed = level + 1 == depth && !child.children.empty();
      out.text.append(2 * level, ' ').append(label(child, closed)).append("\n");
      out.cut_by_depth = out.cut_by_depth || closed;
      if (level + 1 < depth) write(out, children[i], level + 1, depth, most);
    }
    if (children.size() == shown) return;
    out.cut_by_lines = true;
    std::size_t files = 0;
    for (std::size_t i = shown; i < children.size(); ++i) files += nodes_[children[i]].files;
    out.text.append(2 * level, ' ');
    out.text += fmt::format("… {} more ({})\n", grouped(children.size() - shown),
                            counted(files, "file", "files"));
  }

 private:
  struct Node {
    std::string_view name;
    Kind kind = Kind::file;
    std::size_t parent = 0;
    std::size_t files = 0;  // below it, links with them; of a file 1
    std::vector<std::size_t> children;
  };

  // Parents come before their children.
  void count_files() {
    for (std::size_t i = nodes_.size() - 1; i > 0; --i) {
      if (nodes_[i].kind != Kind::directory) nodes_[i].files = 1;
      nodes_[nodes_[i].parent].files += nodes_[i].files;
    }
  }

  void link() {
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      nodes_[nodes_[i].parent].children.push_back(i);
    }
    for (auto& node : nodes_) {
      std::stable_partition(node.children.begin(), node.children.end(), [&](std::size_t child) {
        return nodes_[child].kind == Kind::directory;
      });
    }
  }

  static std::string label(const Node& node, bool closed) {
    std::string text = visible(node.name);
    if (node.kind == Kind::link) return text + " (link)";
    if (node.kind == Kind::directory) text += '/';
    return closed ? text + " (" + counted(node.files, "file", "files") + ")" : text;
  }

  std::vector<Node> nodes_;
};

}  // namespace

TreeText tree_text(const std::vector<Survey::Item>& items, const TreeLimits& limits) {
  const Tree tree(items);
  // The greatest number of entries for each directory that fits.
  std::size_t fits = 1;
  std::size_t over = tree.widest() + 1;
  while (over - fits > 1) {
    const std::size_t middle = fits + (over - fits) / 2;
    (tree.lines(0, limits.depth, middle) <= limits.lines ? fits : over) = middle;
  }
  TreeText out;
  tree.write(out, 0, 0, limits.depth, fits);
  return out;
}

}  // namespace lode
