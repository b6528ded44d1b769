// Over a tree in order, without recursion: a text can nest as deep as it is long.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <string_view>

namespace lode {

class TreeWalk {
 public:
  explicit TreeWalk(TSNode root) : cursor_(ts_tree_cursor_new(root)) {}
  ~TreeWalk() { ts_tree_cursor_delete(&cursor_); }
  TreeWalk(const TreeWalk&) = delete;
  TreeWalk& operator=(const TreeWalk&) = delete;

  TSNode node() const { return ts_tree_cursor_current_node(&cursor_); }
  std::uint32_t depth() const { return depth_; }  // the root is at 0
  std::string_view field() const {
    const char* name = ts_tree_cursor_current_field_name(&cursor_);
    return name == nullptr ? std::string_view() : std::string_view(name);
  }

  // The next node: the first child, if `into`, else what follows. False: none.
  bool next(bool into = true) {
    if (into && ts_tree_cursor_goto_first_child(&cursor_)) {
      ++depth_;
      return true;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor_)) {
      if (!ts_tree_cursor_goto_parent(&cursor_)) return false;
      --depth_;
    }
    return true;
  }

 private:
  TSTreeCursor cursor_;
  std::uint32_t depth_ = 0;
};

}  // namespace lode
