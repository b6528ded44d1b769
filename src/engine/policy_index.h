// Globs, found by what they literally begin with.
//
// A radix tree over the literal prefixes: one walk down the address visits the
// globs whose prefix the address has, and no others. The walk's length is
// bounded by the address, whatever the number of globs; a branch is chosen
// without a search.
//
// Filled by add(), then frozen by build(); decide() may be called from any
// thread afterwards. Globs are referred to, not owned.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"

namespace lode {

enum class Verdict : std::uint8_t { none, allow, deny };

class PolicyIndex {
 public:
  // REQUIRES: the glob outlives the index; its literal prefix is ASCII.
  void add(const Glob& glob, bool allow) { rows_.push_back({&glob, allow}); }
  void build();

  bool empty() const { return rows_.empty(); }

  // What the matching globs say together: a deny wins.
  Verdict decide(std::string_view address) const;

 private:
  struct Row {
    const Glob* glob = nullptr;
    bool allow = false;
  };
  struct Node {
    // The children by their first byte: which there are, and, since they stand
    // in the order of that byte, where. An address has bytes of ASCII only.
    std::array<std::uint64_t, 2> branches{};
    std::uint32_t children = 0;    // the first of them
    std::uint32_t label = 0;       // in labels_: what leads here from the parent
    std::uint32_t label_size = 0;  //
    std::uint32_t rows = 0;        // in rows_: the globs whose prefix ends here
    std::uint32_t rows_size = 0;   //
  };

  void build_node(std::size_t at, std::size_t depth, std::size_t first, std::size_t last);
  Verdict judge(const Node& node, std::string_view address, Verdict so_far) const;
  const Node* child(const Node& node, unsigned char byte) const;

  std::vector<Row> rows_;  // sorted by prefix
  std::vector<Node> nodes_;
  std::string labels_;
};

}  // namespace lode
