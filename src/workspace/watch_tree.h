// The directories of a root under inotify: which are watched, by which names
// they go, and what the kernel's events mean for them.
//
// Invariants:
//  1. A directory is watched before it is listed: what appears in it later is
//     an event, what appeared before is in the list.
//  2. A watch belongs to an inode, not to a name. A directory that leaves its
//     place keeps its watch in limbo; whoever next covers the inode, wherever
//     it stands by then, takes the watch over. What is left in limbo when the
//     events are told is given up.
//  3. A node's path is that of its parents; renaming moves nothing else.
//  4. Links are never followed and skipped directories never entered.
//  5. Nothing outside the root is opened. The kernel is given the descriptor
//     that openat2 made (through /proc/self/fd), never a path.
//
// A directory that can not be watched because a limit is met is still listed;
// complete() is false from then until the next restart().
//
// One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workspace/changes.h"
#include "workspace/directory_reader.h"
#include "workspace/path_filter.h"
#include "workspace/root.h"

struct inotify_event;

namespace lode {

class WatchTree {
 public:
  WatchTree(const Root& root, const PathFilter& filter, std::size_t max_watches);

  // Readable when there are events. -1: the system gives no inotify; then
  // nothing is ever watched.
  int descriptor() const { return inotify_.get(); }

  // Covers the whole root anew, telling nobody.
  void restart();
  // Reads the events that wait, up to one buffer of them. False: there are none.
  bool read(ChangeSet& changes);
  // Does what had to wait for the end of a burst; call before changes are told.
  void settle(ChangeSet& changes);

  bool complete() const { return complete_; }
  bool root_gone() const { return root_gone_; }
  std::size_t watches() const { return watches_.size(); }
  // directory: relative; empty: the root.
  bool watched(std::string_view directory) const;

 private:
  struct Node {
    Node* parent = nullptr;
    std::string name;
    int watch = -1;
    std::map<std::string, std::unique_ptr<Node>, std::less<>> children;
  };
  using Pending = std::vector<std::pair<Node*, std::string>>;

  void handle(const inotify_event& event, std::string_view name, ChangeSet& changes);
  void handle_directory(Node& parent, const std::string& path, unsigned mask, ChangeSet& changes);
  void handle_self(Node& node, unsigned mask, ChangeSet& changes);

  void cover(Node& parent, const std::string& path, ChangeSet* report);
  void cover_again(Node& node, const std::string& path, ChangeSet* report);
  void cover_all(Pending pending, ChangeSet* report);
  void list(Node& node, const std::string& path, const OpenFile& directory, Pending& pending,
            ChangeSet* report);
  bool watch(Node& node, const OpenFile& directory);
  int add_watch(const OpenFile& directory);
  void leave(Node& node);
  void empty_limbo();

  Node& child_of(Node& parent, std::string_view name);
  const Node* find(std::string_view directory) const;
  Node* find(std::string_view directory);
  // False: the node is in limbo.
  bool path_of(const Node& node, std::string& path) const;

  const Root& root_;
  const PathFilter filter_;
  const std::size_t max_watches_;
  const Descriptor inotify_;
  DirectoryReader reader_;
  Node top_;
  std::vector<std::unique_ptr<Node>> limbo_;
  std::unordered_map<int, Node*> watches_;
  std::set<std::string> new_rules_;  // directories whose .gitignore changed
  bool complete_ = true;
  bool lost_events_ = false;
  bool root_gone_ = false;
};

}  // namespace lode
