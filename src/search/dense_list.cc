#include "search/dense_list.h"

namespace lode {
namespace {

constexpr std::size_t kFew = 64;

}  // namespace

// When they are too many, only the louder half stays.
void DenseList::add_loud(const Posting& posting) {
  loud_.push_back(posting);
  if (loud_.size() <= kFew + counts_.size() / kLoud) return;
  std::vector<std::uint32_t> counts;
  counts.reserve(loud_.size());
  for (const auto& each : loud_) counts.push_back(each.count);
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::nth_element(counts.begin(), middle, counts.end());
  modest_ = *middle;
  std::erase_if(loud_, [&](const Posting& each) { return each.count <= modest_; });
  std::uint32_t next = 0;
  for (std::size_t place = 0; place < windows_.size(); ++place) {
    while (next < loud_.size() && loud_[next].document / kWindow < place) ++next;
    windows_[place].loud = next;
  }
}

}  // namespace lode
