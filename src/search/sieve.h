// Which documents a search need not look at, once it knows some good ones.
//
// The documents are in layers by a magnitude (search/strata.h): the greater it is,
// the less a posting can add to the score. So for the documents above an edge, each
// lane has an upper bound. Let `least` be the score of the worst hit so far. Then
//
//  - where all lanes together stay below `least`, nothing can be a hit;
//  - where all lanes but one stay below it, that one is required: a hit must be in
//    it. Some others may be required as well;
//  - what is only in lanes that together stay below it cannot be a hit. These are
//    the last ones, as the lanes are in descending order: the others lead, and
//    these are asked only about documents that a leading one has found.
//
// A plan is an edge above which this is made use of. What lies below is exempt: all
// lanes are looked at. The few documents that have some word very often (the loud:
// search/dense_list.h) may be exempt too, which lowers the bounds of all others. Of
// all plans the one is taken that seems to leave the least work. With two words in
// every tenth document, it leaves of a hundred documents little more than the one
// that has both.
//
// Invariant: a document that is passed over has a score less than `least`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/lane.h"
#include "search/strata.h"

namespace lode {

class Sieve {
 public:
  struct Masks {
    WindowBits first;   // for the leading lanes
    WindowBits exempt;  // for the others, besides what the leading ones found
  };

  // most_part(count, magnitude): no posting with at most this count, of a document
  // of at least this magnitude, has a greater part. Lanes and layers must outlive
  // the sieve; documents: how many there are, the dead among them.
  template <class MostPart>
  Sieve(const std::vector<Lane>& lanes, const Strata& strata, std::size_t documents,
        const MostPart& most_part)
      : lanes_(lanes), strata_(strata), leading_(lanes.size()) {
    for (const auto& lane : lanes) {
      shares_.push_back(static_cast<double>(lane.size()) / static_cast<double>(documents));
      share_ += shares_.back();
      const auto add = [&](Bounds& bounds, std::uint32_t count) {
        auto& of_lane = bounds.lanes.emplace_back();
        for (std::size_t level = 0; level < kLevels; ++level) {
          const double edge = level == 0 ? 0 : static_cast<double>(strata.edge(level - 1));
          of_lane[level] = std::min(lane.most(), lane.factor() * most_part(count, edge));
        }
        bounds.total_up();
      };
      add(of_all_, lane.most_count());
      add(of_modest_, lane.modest_count());
    }
  }

  // A score below this is no hit any more. It does not fall.
  void raise(double least);

  // How many of the lanes lead.
  std::size_t leading() const { return leading_; }
  Masks masks(std::size_t place) const;

 private:
  // Above no edge, and above each.
  static constexpr std::size_t kLevels = Strata::kEdges + 1;
  using Levels = std::array<double, kLevels>;

  struct Bounds {
    std::vector<Levels> lanes;
    Levels totals{};    // of all lanes
    Levels greatest{};  // of them

    // Takes in the last lane.
    void total_up();
    bool requires_some(std::size_t level, double least) const {
      return totals[level] - greatest[level] < least;
    }
    bool requires_lane(std::size_t level, std::size_t lane, double least) const {
      return totals[level] - lanes[lane][level] < least;
    }
    std::size_t leading(std::size_t level, double least) const;
    // The first level where nothing is left.
    std::size_t end(double least) const;
  };

  // How many postings are to be looked at, by the number of documents: of what is
  // exempt, and of the others.
  double exempt(const Bounds& bounds, std::size_t level) const;
  double work(const Bounds& bounds, std::size_t level, double least) const;
  void follow(const Bounds& bounds, std::size_t level, double least);
  const WindowBits& below(std::size_t level, std::size_t place) const;

  const std::vector<Lane>& lanes_;
  const Strata& strata_;
  std::vector<double> shares_;  // of all documents that are in a lane
  double share_ = 0;            // the sum of these
  Bounds of_all_;
  Bounds of_modest_;

  double least_ = 0;
  std::size_t level_ = kLevels;  // of the plan; kLevels: none
  std::size_t end_ = kLevels;
  bool loud_are_exempt_ = false;
  std::size_t leading_;
  std::vector<const DenseList*> required_;
};

}  // namespace lode
