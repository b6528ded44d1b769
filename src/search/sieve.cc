#include "search/sieve.h"

namespace lode {
namespace {

// More than the rounding of any sum.
constexpr double kRounding = 1 + 1e-6;

// A plan is made anew when `least` has risen by so much.
constexpr double kWorth = 1.005;

constexpr WindowBits kAll = [] {
  WindowBits bits{};
  bits.fill(~std::uint64_t{0});
  return bits;
}();
constexpr WindowBits kNone{};

}  // namespace

void Sieve::Bounds::total_up() {
  for (std::size_t level = 0; level < kLevels; ++level) {
    const double bound = lanes.back()[level] *= kRounding;
    totals[level] += bound;
    greatest[level] = std::max(greatest[level], bound);
  }
}

std::size_t Sieve::Bounds::leading(std::size_t level, double least) const {
  std::size_t leading = lanes.size();
  for (double rest = lanes[leading - 1][level]; leading > 1 && rest < least;) {
    --leading;
    rest += lanes[leading - 1][level];
  }
  return leading;
}

std::size_t Sieve::Bounds::end(double least) const {
  std::size_t level = 0;
  while (level < kLevels && totals[level] >= least) ++level;
  return level;
}

double Sieve::exempt(const Bounds& bounds, std::size_t level) const {
  const double small = level == 0 ? 0 : Strata::share(level - 1);
  const double loud = &bounds == &of_modest_ ? 1 / static_cast<double>(DenseList::kLoud) : 0;
  return (small + loud) * share_;
}

double Sieve::work(const Bounds& bounds, std::size_t level, double least) const {
  if (bounds.totals[level] < least) return 0;
  double passing = 1;  // what is in all the required lanes
  double left = 0;
  const std::size_t leading = bounds.leading(level, least);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const bool required = lanes_[i].dense() != nullptr && bounds.requires_lane(level, i, least);
    if (required) passing *= shares_[i];
    if (i < leading) left += required ? 1 : shares_[i];
  }
  return passing * left;
}

void Sieve::raise(double least) {
  if (least <= least_ * kWorth) return;
  least_ = least;
  const Bounds* bounds = nullptr;
  double least_work = share_;
  std::size_t best = kLevels;
  for (const auto* some : {&of_all_, &of_modest_}) {
    for (std::size_t level = 0; level < kLevels; ++level) {
      const double exempted = exempt(*some, level);
      if (exempted >= least_work) break;
      if (!some->requires_some(level, least)) continue;
      const double all = exempted + work(*some, level, least);
      if (all >= least_work) continue;
      least_work = all;
      bounds = some;
      best = level;
    }
  }
  if (bounds != nullptr) follow(*bounds, best, least);
}

void Sieve::follow(const Bounds& bounds, std::size_t level, double least) {
  level_ = level;
  end_ = bounds.end(least);
  leading_ = bounds.leading(level, least);
  loud_are_exempt_ = &bounds == &of_modest_;
  required_.clear();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto* list = lanes_[i].dense();
    if (list != nullptr && bounds.requires_lane(level, i, least)) required_.push_back(list);
  }
}

Sieve::Masks Sieve::masks(std::size_t place) const {
  if (level_ == kLevels) return {kAll, kAll};
  Masks masks{below(std::max(level_, end_), place), below(level_, place)};
  if (loud_are_exempt_) {
    for (const auto& lane : lanes_) {
      const auto* list = lane.dense();
      if (list != nullptr && place < list->windows()) list->add_loud_bits(place, masks.exempt);
    }
  }
  for (const auto* list : required_) {
    keep(masks.first, place < list->windows() ? list->bits(place) : kNone);
  }
  add(masks.first, masks.exempt);
  return masks;
}

const WindowBits& Sieve::below(std::size_t level, std::size_t place) const {
  if (level == kLevels) return kAll;
  return level == 0 ? kNone : strata_.below(level - 1, place);
}

}  // namespace lode
