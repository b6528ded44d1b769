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

}  // namespace

void PolicyIndex::add(const Glob& glob, const PolicyKey& key, bool allow) {
  rows_.push_back({&glob, &key, allow});
}

void PolicyIndex::build() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    const auto order = [](const Row& row) {
      const auto& key = *row.key;
      // An ending counts for those only that have no segment.
      const std::string_view ending = key.segment.empty() ? key.ending : std::string_view();
      return std::tuple(std::string_view(key.prefix), std::string_view(key.segment), ending,
                        row.allow);
    };
    return order(a) < order(b);
  });
  keyed_.assign(1, {});  // of the nodes that have none
  nodes_.assign(1, {});
  build_node(0, 0, 0, rows_.size());
}

// Takes the rows whose prefix ends at the node.
void PolicyIndex::build_rows(std::size_t at, std::size_t first, std::size_t last) {
  const auto bare = [](const Row& row) {
    return row.key->segment.empty() && row.key->ending.empty();
  };
  auto row = first;
  while (row < last && bare(rows_[row])) ++row;
  nodes_[at].rows = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(row - first)};
  if (row == last) return;
  nodes_[at].keyed = static_cast<std::uint32_t>(keyed_.size());
  Keyed& keyed = keyed_.emplace_back();
  for (; row < last; ++row) {
    const PolicyKey& key = *rows_[row].key;
    const bool ending = key.segment.empty();
    if (ending) keyed.ending_sizes |= std::uint32_t{1} << key.ending.size();
    auto& found = ending ? keyed.endings : keyed.segments;
    const Rows begun{static_cast<std::uint32_t>(row), 0};
    ++found.try_emplace(ending ? key.ending : key.segment, begun).first->second.size;
  }
}

// The rows first..last share their first `depth` bytes, which lead to the node.
void PolicyIndex::build_node(std::size_t at, std::size_t depth, std::size_t first,
                             std::size_t last) {
  const auto prefix = [&](std::size_t row) { return std::string_view(rows_[row].key->prefix); };
  auto here = first;
  while (here < last && prefix(here).size() == depth) ++here;
  build_rows(at, first, here);
  first = here;

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
  const Keyed& keyed = keyed_[node.keyed];
  if (keyed.ending_sizes != 0) so_far = judge_endings(keyed, address, so_far);
  while (so_far != Verdict::deny && !keyed.segments.empty()) {
    const auto slash = rest.find('/');
    const auto found = keyed.segments.find(rest.substr(0, slash));
    if (found != keyed.segments.end()) so_far = judge(found->second, address, so_far);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  return so_far;
}

Verdict PolicyIndex::judge_endings(const Keyed& keyed, std::string_view address,
                                   Verdict so_far) const {
  for (auto sizes = keyed.ending_sizes; sizes != 0 && so_far != Verdict::deny; sizes &= sizes - 1) {
    const auto size = static_cast<std::size_t>(std::countr_zero(sizes));
    if (size > address.size()) break;
    const auto found = keyed.endings.find(address.substr(address.size() - size));
    if (found != keyed.endings.end()) so_far = judge(found->second, address, so_far);
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
