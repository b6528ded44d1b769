#include "engine/policy_index.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace lode {
namespace {

constexpr unsigned kAscii = 128;

std::size_t common(std::string_view a, std::string_view b) {
  const auto n = std::min(a.size(), b.size());
  const auto differ =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), b.begin());
  return static_cast<std::size_t>(differ.first - a.begin());
}

// The longest whole segment of plain text after the prefix. Alternatives, sets
// and escapes are not looked into. (The '/' of a "**/" may match nothing, but
// only where another '/' or the beginning stands before it.)
std::string_view plain_segment(std::string_view pattern, std::size_t prefix) {
  if (pattern.find_first_of("{}[]\\") != std::string_view::npos) return {};
  std::string_view longest;
  auto slash = pattern.find('/', prefix > 0 ? prefix - 1 : 0);
  while (slash != std::string_view::npos) {
    const auto end = pattern.find('/', slash + 1);
    const auto segment = pattern.substr(slash + 1, end - slash - 1);
    const bool plain = segment.find_first_of("*?") == std::string_view::npos;
    if (plain && segment.size() > longest.size()) longest = segment;
    slash = end;
  }
  return longest;
}

}  // namespace

void PolicyIndex::add(const Glob& glob, bool allow) {
  rows_.push_back({&glob, allow, plain_segment(glob.text(), glob.literal_prefix().size())});
}

void PolicyIndex::build() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    const auto key = [](const Row& row) {
      return std::tuple(row.glob->literal_prefix(), row.segment, row.allow);
    };
    return key(a) < key(b);
  });
  segments_.assign(1, {});  // of the nodes that have none
  nodes_.assign(1, {});
  build_node(0, 0, 0, rows_.size());
}

// Takes the rows whose prefix ends at the node; returns the first that goes on.
std::size_t PolicyIndex::build_rows(std::size_t at, std::size_t first, std::size_t last) {
  auto row = first;
  while (row < last && rows_[row].segment.empty()) ++row;
  nodes_[at].rows = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(row - first)};
  if (row == last) return last;
  nodes_[at].keyed = static_cast<std::uint32_t>(segments_.size());
  auto& found = segments_.emplace_back();
  for (; row < last; ++row) {
    const Rows begun{static_cast<std::uint32_t>(row), 0};
    ++found.try_emplace(rows_[row].segment, begun).first->second.size;
  }
  return last;
}

// The rows first..last share their first `depth` bytes, which lead to the node.
void PolicyIndex::build_node(std::size_t at, std::size_t depth, std::size_t first,
                             std::size_t last) {
  const auto prefix = [&](std::size_t row) { return rows_[row].glob->literal_prefix(); };
  auto here = first;
  while (here < last && prefix(here).size() == depth) ++here;
  first = build_rows(at, first, here);

  std::vector<std::size_t> begins;  // of the groups that share their next byte
  for (auto row = first; row < last; ++row) {
    const auto byte = static_cast<unsigned char>(prefix(row)[depth]);
    if (row > first && prefix(row)[depth] == prefix(row - 1)[depth]) continue;
    nodes_[at].branches[byte / 64] |= std::uint64_t{1} << (byte % 64);
    begins.push_back(row);
  }
  const auto children = nodes_.size();
  nodes_[at].children = static_cast<std::uint32_t>(children);
  nodes_.resize(children + begins.size());
  begins.push_back(last);
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const auto shared = common(prefix(begins[i]), prefix(begins[i + 1] - 1));
    Node& node = nodes_[children + i];
    node.label = static_cast<std::uint32_t>(labels_.size());
    node.label_size = static_cast<std::uint32_t>(shared - depth);
    labels_.append(prefix(begins[i]).substr(depth, shared - depth));
    build_node(children + i, shared, begins[i], begins[i + 1]);
  }
}

Verdict PolicyIndex::judge(const Rows& rows, std::string_view address, Verdict so_far) const {
  for (const Row& row : std::span(rows_.data() + rows.first, rows.size)) {
    if (row.allow && so_far == Verdict::allow) break;  // denies come first, allows are the rest
    if (!row.glob->matches_after_prefix(address)) continue;
    if (!row.allow) return Verdict::deny;
    so_far = Verdict::allow;
  }
  return so_far;
}

// rest: the address after the node's prefix.
Verdict PolicyIndex::judge(const Node& node, std::string_view address, std::string_view rest,
                           Verdict so_far) const {
  if (node.rows.size > 0) so_far = judge(node.rows, address, so_far);
  if (node.keyed == 0) return so_far;
  const BySegment& by_segment = segments_[node.keyed];
  while (so_far != Verdict::deny) {
    const auto slash = rest.find('/');
    const auto found = by_segment.find(rest.substr(0, slash));
    if (found != by_segment.end()) so_far = judge(found->second, address, so_far);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  return so_far;
}

const PolicyIndex::Node* PolicyIndex::child(const Node& node, unsigned char byte) const {
  if (byte >= kAscii) return nullptr;
  const auto word = node.branches[byte / 64];
  const auto bit = std::uint64_t{1} << (byte % 64);
  if ((word & bit) == 0) return nullptr;
  const int before =
      (byte >= 64 ? std::popcount(node.branches[0]) : 0) + std::popcount(word & (bit - 1));
  return &nodes_[node.children + static_cast<std::size_t>(before)];
}

Verdict PolicyIndex::decide(std::string_view address) const {
  if (rows_.empty()) return Verdict::none;
  Verdict verdict = Verdict::none;
  std::string_view rest = address;
  for (const Node* node = nodes_.data(); node != nullptr;) {
    verdict = judge(*node, address, rest, verdict);
    if (verdict == Verdict::deny || rest.empty()) break;
    node = child(*node, static_cast<unsigned char>(rest.front()));
    if (node == nullptr) break;
    const auto label = std::string_view(labels_).substr(node->label, node->label_size);
    if (!rest.starts_with(label)) break;
    rest.remove_prefix(label.size());
  }
  return verdict;
}

}  // namespace lode
