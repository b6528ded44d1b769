#include "providers/files/walk.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "workspace/directory_reader.h"

namespace lode {
namespace {

class Walk {
 public:
  Walk(const Workspace& workspace, const Workspace::Tree& tree, const WalkRules& rules)
      : workspace_(workspace), tree_(tree), rules_(rules), ignore_(tree.root) {}

  void run(const std::string& directory, const WalkVisit& visit) {
    with_ignored_ = rules_.with_ignored || ignore_.ignored(directory, true);
    enter({directory, true, 0});
    while (!pending_.empty()) {
      const Item item = std::move(pending_.back());
      pending_.pop_back();
      if (!visit(item.path, item.is_directory)) return;
      if (item.is_directory && item.depth <= rules_.depth) enter(item);
    }
  }

 private:
  struct Item {
    std::string path;
    bool is_directory = false;
    std::size_t depth = 0;
  };

  // Puts the entries on top, the first of them last.
  void enter(const Item& directory) {
    const auto opened = tree_.root.open_without_links(directory.path);
    if (!opened || !opened->is_directory()) return;
    const auto ignore = ignore_.in(directory.path);
    const auto begin = pending_.size();
    for (const auto& entry : reader_.read(opened->descriptor.get())) {
      using Kind = DirectoryEntry::Kind;
      const bool is_directory = entry.kind == Kind::directory;
      if (!is_directory && entry.kind != Kind::regular) continue;
      auto path = join_path(directory.path, entry.name);
      if (workspace_.secrets().hides_entry(path) ||
          (!with_ignored_ && ignore.ignored(path, is_directory)) || rules_.leaves_out(path)) {
        continue;
      }
      pending_.push_back({std::move(path), is_directory, directory.depth + 1});
    }
    std::sort(pending_.begin() + static_cast<std::ptrdiff_t>(begin), pending_.end(), comes_after);
  }

  // By what the paths below a directory begin with.
  static bool comes_after(const Item& a, const Item& b) {
    const auto [x, y] = std::mismatch(a.path.begin(), a.path.end(), b.path.begin(), b.path.end());
    return next_byte(a, x) > next_byte(b, y);
  }
  static int next_byte(const Item& item, std::string::const_iterator at) {
    if (at != item.path.end()) return static_cast<unsigned char>(*at);
    return item.is_directory ? '/' : -1;
  }

  const Workspace& workspace_;
  const Workspace::Tree& tree_;
  const WalkRules& rules_;
  IgnoreRules ignore_;  // read anew: nobody need watch the tree
  bool with_ignored_ = false;
  DirectoryReader reader_;
  std::vector<Item> pending_;
};

}  // namespace

void walk(const Workspace& workspace, const Workspace::Place& directory, const WalkRules& rules,
          const WalkVisit& visit) {
  Walk(workspace, *directory.tree, rules).run(directory.relative, visit);
}

}  // namespace lode
