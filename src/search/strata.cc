#include "search/strata.h"

#include <algorithm>

namespace lode {
namespace {

constexpr std::size_t kSample = 1024;

}  // namespace

void Strata::rebuild(const std::vector<float>& magnitudes) {
  std::vector<float> sample;
  const std::size_t step = magnitudes.size() / kSample + 1;
  for (std::size_t i = 0; i < magnitudes.size(); i += step) sample.push_back(magnitudes[i]);
  std::sort(sample.begin(), sample.end());
  windows_.clear();
  edges_.fill(0);
  if (sample.empty()) return;
  for (std::size_t i = 0; i < kEdges; ++i) {
    edges_[i] = sample[static_cast<std::size_t>(share(i) * static_cast<double>(sample.size()))];
  }
  for (std::size_t i = 0; i < magnitudes.size(); ++i) {
    lower(static_cast<std::uint32_t>(i), magnitudes[i]);
  }
}

void Strata::mark(std::uint32_t document, float magnitude) {
  const std::size_t place = document / kWindow;
  if (windows_.size() <= place) windows_.resize(place + 1);
  for (std::size_t i = kEdges; i-- > 0 && magnitude < edges_[i];) {
    set_bit(windows_[place][i], document % kWindow);
  }
}

}  // namespace lode
