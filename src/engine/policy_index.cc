#include "engine/policy_index.h"

#include <algorithm>
#include <bit>

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

void PolicyIndex::build() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    const int order = a.glob->literal_prefix().compare(b.glob->literal_prefix());
    return order < 0 || (order == 0 && !a.allow && b.allow);
  });
  nodes_.assign(1, {});
  build_node(0, 0, 0, rows_.size());
}

// The rows first..last share their first `depth` bytes, which lead to the node.
void PolicyIndex::build_node(std::size_t at, std::size_t depth, std::size_t first,
                             std::size_t last) {
  const auto prefix = [&](std::size_t row) { return rows_[row].glob->literal_prefix(); };
  nodes_[at].rows = static_cast<std::uint32_t>(first);
  while (first < last && prefix(first).size() == depth) ++first;
  nodes_[at].rows_size = static_cast<std::uint32_t>(first) - nodes_[at].rows;

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

Verdict PolicyIndex::judge(const Node& node, std::string_view address, Verdict so_far) const {
  const std::span rows(rows_.data() + node.rows, node.rows_size);
  for (const Row& row : rows) {
    if (row.allow && so_far == Verdict::allow) break;  // denies come first, allows are the rest
    if (!row.glob->matches_after_prefix(address)) continue;
    if (!row.allow) return Verdict::deny;
    so_far = Verdict::allow;
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
    if (node->rows_size > 0) verdict = judge(*node, address, verdict);
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
