// The documents by some magnitude (their length, the length of their vector), in
// layers: which of them lie below each of a few edges.
//
// A search that knows that no document of at least some magnitude can be among
// its best passes over all of them 64 at a time. The edges are where the smallest
// 1/128, 1/64, … 1/2 of the documents end, by a sample; they are exact as edges,
// whatever the sample was.
//
// Invariant: a document of a magnitude less than an edge is below it. (The other
// way need not hold: a document whose magnitude grew stays where it was until the
// next rebuild.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/dense_list.h"

namespace lode {

class Strata {
 public:
  static constexpr std::size_t kEdges = 8;

  // Document i has magnitudes[i].
  void rebuild(const std::vector<float>& magnitudes);
  // The magnitude of a document that is new, or has become less.
  void lower(std::uint32_t document, float magnitude) {
    if (empty() || magnitude >= edges_.back()) return;
    mark(document, magnitude);
  }

  // Before the first rebuild there are no edges.
  bool empty() const { return edges_.back() == 0; }
  // Ascending.
  float edge(std::size_t i) const { return edges_[i]; }
  // About how many of all documents are below it.
  static double share(std::size_t edge) {
    return edge == 0 ? 0 : 1 / static_cast<double>(std::size_t{1} << (kEdges - edge));
  }
  const WindowBits& below(std::size_t edge, std::size_t place) const {
    static constexpr WindowBits kNone{};
    return place < windows_.size() ? windows_[place][edge] : kNone;
  }

  std::size_t heap_bytes() const { return windows_.capacity() * sizeof(windows_[0]); }

 private:
  void mark(std::uint32_t document, float magnitude);

  std::array<float, kEdges> edges_{};
  std::vector<std::array<WindowBits, kEdges>> windows_;
};

}  // namespace lode
