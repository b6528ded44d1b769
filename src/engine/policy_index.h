// Globs, found by what an address must have to match them.
//
// A radix tree over the literal prefixes: one walk down the address visits the
// globs whose prefix the address has, and no others. The walk's length is
// bounded by the address, whatever the number of globs; a branch is chosen
// without a search.
//
// Of those that share a prefix, such as file:///**/a/* and file:///**/b/*, the
// ones with a whole segment of plain text after it are found by that segment:
// one look-up for each segment of the address. The others with plain text at
// their end, such as file:///**/*.key, are found by that: one look-up for each
// length of an ending that there is, at most PolicyKey::kMaxEnding.
//
// A glob stands under each of its keys; it is tried for an address that has one
// of them, and may be tried more than once.
//
// Filled by add(), then frozen by build(); decide() may be called from any
// thread afterwards and allocates nothing. Globs and keys are referred to, not
// owned.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/glob.h"
#include "engine/policy_key.h"

namespace lode {

enum class Verdict : std::uint8_t { none, allow, deny };

class PolicyIndex {
 public:
  // REQUIRES: the glob and the key outlive the index; the key's prefix is ASCII
  // and begins with the glob's.
  void add(const Glob& glob, const PolicyKey& key, bool allow);
  void build();

  bool empty() const { return rows_.empty(); }

  // What the matching globs say together: a deny wins.
  Verdict decide(std::string_view address) const;

 private:
  struct Row {
    const Glob* glob = nullptr;
    const PolicyKey* key = nullptr;
    bool allow = false;
  };
  struct Rows {  // in rows_
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };
  using ByText = std::unordered_map<std::string_view, Rows>;
  struct Keyed {  // the globs whose prefix ends at one node
    ByText segments;
    ByText endings;                  // of those without a segment
    std::uint32_t ending_sizes = 0;  // which there are, as bits
  };
  struct Node {
    // The children by their first byte: which there are, and, since they stand
    // in the order of that byte, where. An address has bytes of ASCII only.
    std::array<std::uint64_t, 2> branches{};
    std::uint32_t children = 0;    // the first of them
    std::uint32_t label = 0;       // in labels_: what leads here from the parent
    std::uint32_t label_size = 0;  //
    std::uint32_t keyed = 0;       // in keyed_; 0: nothing
    Rows rows;                     // the globs whose prefix ends here and that have no more
  };

  void build_node(std::size_t at, std::size_t depth, std::size_t first, std::size_t last);
  void build_rows(std::size_t at, std::size_t first, std::size_t last);
  Verdict judge(const Node& node, std::string_view address, std::string_view rest,
                Verdict so_far) const;
  Verdict judge_endings(const Keyed& keyed, std::string_view address, Verdict so_far) const;
  Verdict judge(const Rows& rows, std::string_view address, Verdict so_far) const;
  const Node* child(const Node& node, unsigned char byte) const;

  std::vector<Row> rows_;  // sorted by prefix, then by segment, then by ending
  std::vector<Keyed> keyed_;
  std::vector<Node> nodes_;
  std::string labels_;
};

}  // namespace lode
