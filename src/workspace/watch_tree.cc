#include "workspace/watch_tree.h"

#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace lode {
namespace {

constexpr unsigned kListing = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
constexpr unsigned kContent = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;
constexpr unsigned kMask =
    kListing | kContent | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;
constexpr std::size_t kBuffer = 64UL * 1024;

std::string joined(const std::string& directory, std::string_view name) {
  std::string path = directory;
  if (!path.empty()) path += '/';
  return path.append(name);
}

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

WatchTree::WatchTree(const Root& root, const PathFilter& filter, std::size_t max_watches)
    : root_(root),
      filter_(filter),
      max_watches_(max_watches),
      inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

void WatchTree::restart() {
  filter_.ignore.refresh();
  complete_ = true;
  lost_events_ = false;
  new_rules_.clear();
  cover_again(top_, "", nullptr);
  empty_limbo();
}

void WatchTree::settle(ChangeSet& changes) {
  if (lost_events_) restart();
  for (const auto& directory : std::exchange(new_rules_, {})) {
    // What is covered and what is told below it may be other paths now.
    if (directory.empty()) changes.add_everything();
    changes.add_tree(directory);
    if (Node* node = find(directory)) cover_again(*node, directory, &changes);
  }
  empty_limbo();
  // The kernel says nothing of a directory's end while it is held open, and the
  // root holds itself open.
  const auto root = root_.open_inside("");
  if (!root || root->info.st_nlink == 0) root_gone_ = true;
  if (root_gone_) changes.add_root_gone();
}

bool WatchTree::read(ChangeSet& changes) {
  alignas(inotify_event) std::array<char, kBuffer> buffer;
  const ssize_t n = ::read(inotify_.get(), buffer.data(), buffer.size());
  for (ssize_t at = 0; at < n;) {
    inotify_event event{};
    std::memcpy(&event, buffer.data() + at, sizeof event);
    const char* name = buffer.data() + at + sizeof event;
    handle(event, event.len > 0 ? std::string_view(name) : std::string_view(), changes);
    at += static_cast<ssize_t>(sizeof event + event.len);
  }
  return n > 0;
}

void WatchTree::handle(const inotify_event& event, std::string_view name, ChangeSet& changes) {
  if ((event.mask & IN_Q_OVERFLOW) != 0) {
    lost_events_ = true;
    return changes.add_everything();
  }
  const auto found = watches_.find(event.wd);
  if (found == watches_.end()) return;
  Node& node = *found->second;
  if (name.empty()) return handle_self(node, event.mask, changes);
  std::string directory;
  if (!path_of(node, directory)) return;
  const std::string path = joined(directory, name);
  if (filter_.secrets.hides_entry(path)) return;
  if (filter_.ignore.changed(path)) new_rules_.insert(directory);
  if ((event.mask & IN_ISDIR) != 0) return handle_directory(node, path, event.mask, changes);
  changes.add_path(path);
  if ((event.mask & kListing) != 0) changes.add_listing(directory);
}

void WatchTree::handle_self(Node& node, unsigned mask, ChangeSet& changes) {
  const bool top = &node == &top_;
  if ((mask & IN_IGNORED) != 0) {
    watches_.erase(node.watch);
    node.watch = -1;
    root_gone_ = root_gone_ || top;
  }
  if (top && (mask & (IN_IGNORED | IN_MOVE_SELF | IN_UNMOUNT)) != 0) changes.add_everything();
}

void WatchTree::handle_directory(Node& parent, const std::string& path, unsigned mask,
                                 ChangeSet& changes) {
  changes.add_listing((mask & kListing) != 0 ? parent_of(path) : path);
  if ((mask & (IN_CREATE | IN_MOVED_TO)) != 0) changes.add_directory(path);
  if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) {
    changes.add_tree(path);
    const auto child = parent.children.find(path.substr(path.rfind('/') + 1));
    if (child != parent.children.end()) leave(*child->second);
  } else if (!filter_.ignore.ignored(path, true)) {
    // Also when its attributes changed: it may have become readable.
    cover(parent, path, &changes);
  }
}

// REQUIRES: the path is an entry of the parent and not skipped.
void WatchTree::cover(Node& parent, const std::string& path, ChangeSet* report) {
  cover_all({{&child_of(parent, path.substr(path.rfind('/') + 1)), path}}, report);
}

void WatchTree::cover_again(Node& node, const std::string& path, ChangeSet* report) {
  auto directory = root_.open_without_links(path);
  if (!directory || !directory->is_directory()) return;
  watch(node, *directory);
  Pending pending;
  list(node, path, *directory, pending, report);
  cover_all(std::move(pending), report);
}

void WatchTree::cover_all(Pending pending, ChangeSet* report) {
  while (!pending.empty()) {
    auto [node, path] = std::move(pending.back());
    pending.pop_back();
    auto directory = root_.open_without_links(path);
    if (!directory || !directory->is_directory()) {
      leave(*node);
    } else if (!watch(*node, *directory)) {
      list(*node, path, *directory, pending, report);
    }
  }
}

void WatchTree::list(Node& node, const std::string& path, const OpenFile& directory,
                     Pending& pending, ChangeSet* report) {
  while (!node.children.empty()) leave(*node.children.begin()->second);
  if (report != nullptr) report->add_listing(path);
  const auto rules = filter_.ignore.in(path);
  for (const auto& entry : reader_.read(directory.descriptor.get())) {
    std::string child = joined(path, entry.name);
    if (filter_.secrets.hides_entry(child)) continue;
    if (entry.kind == DirectoryEntry::Kind::directory) {
      if (report != nullptr) report->add_directory(child);
      if (rules.ignored(child, true)) continue;
      pending.emplace_back(&child_of(node, entry.name), std::move(child));
    } else if (report != nullptr) {
      report->add_path(std::move(child));
    }
  }
}

// True: this very directory was watched under this name already, so that all
// that happened in it since is told by events.
bool WatchTree::watch(Node& node, const OpenFile& directory) {
  const int watch = add_watch(directory);
  if (watch < 0) return false;
  if (watch == node.watch) return true;
  if (node.watch >= 0) {
    watches_.erase(node.watch);
    ::inotify_rm_watch(inotify_.get(), node.watch);
  }
  Node*& holder = watches_[watch];
  if (holder != nullptr) holder->watch = -1;
  holder = &node;
  node.watch = watch;
  return false;
}

int WatchTree::add_watch(const OpenFile& directory) {
  const std::string path = fmt::format("/proc/self/fd/{}", directory.descriptor.get());
  int watch = ::inotify_add_watch(inotify_.get(), path.c_str(), kMask);
  // Only the kernel knows whether the inode is watched already: asking tells.
  if (watch >= 0 && watches_.size() >= max_watches_ && !watches_.contains(watch)) {
    ::inotify_rm_watch(inotify_.get(), watch);
    watch = -1;
  }
  if (watch < 0) complete_ = false;
  return watch;
}

// Its watch, and those below, wait in limbo.
void WatchTree::leave(Node& node) {
  auto& siblings = node.parent->children;
  const auto self = siblings.find(node.name);
  node.parent = nullptr;
  limbo_.push_back(std::move(self->second));
  siblings.erase(self);
}

void WatchTree::empty_limbo() {
  while (!limbo_.empty()) {
    const auto node = std::move(limbo_.back());
    limbo_.pop_back();
    for (auto& [name, child] : node->children) {
      child->parent = nullptr;
      limbo_.push_back(std::move(child));
    }
    if (node->watch < 0) continue;
    watches_.erase(node->watch);
    ::inotify_rm_watch(inotify_.get(), node->watch);
  }
}

WatchTree::Node& WatchTree::child_of(Node& parent, std::string_view name) {
  auto& child = parent.children[std::string(name)];
  if (!child) {
    child = std::make_unique<Node>();
    child->parent = &parent;
    child->name = name;
  }
  return *child;
}

const WatchTree::Node* WatchTree::find(std::string_view directory) const {
  const Node* node = &top_;
  for (std::size_t begin = 0; begin < directory.size();) {
    const std::size_t end = std::min(directory.find('/', begin), directory.size());
    const auto child = node->children.find(directory.substr(begin, end - begin));
    if (child == node->children.end()) return nullptr;
    node = child->second.get();
    begin = end + 1;
  }
  return node;
}

WatchTree::Node* WatchTree::find(std::string_view directory) {
  return const_cast<Node*>(std::as_const(*this).find(directory));
}

bool WatchTree::watched(std::string_view directory) const {
  const Node* node = find(directory);
  return node != nullptr && node->watch >= 0;
}

bool WatchTree::path_of(const Node& node, std::string& path) const {
  const Node* at = &node;
  for (; at->parent != nullptr; at = at->parent) {
    path.insert(0, path.empty() ? at->name : at->name + "/");
  }
  return at == &top_;
}

}  // namespace lode
