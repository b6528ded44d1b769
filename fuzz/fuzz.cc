#include "fuzz.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace lode::fuzz {
namespace {

constexpr std::size_t kLongestPiece = 24;

std::uint32_t seed_of(std::string_view bytes) {
  std::uint32_t seed = 2166136261U;
  for (const char c : bytes) seed = (seed ^ static_cast<std::uint8_t>(c)) * 16777619U;
  return seed;
}

}  // namespace

void check(bool holds, std::string_view claim, std::source_location where) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: does not hold: %.*s\n", where.file_name(), unsigned{where.line()},
               static_cast<int>(claim.size()), claim.data());
  std::abort();
}

std::string_view take_until(std::string_view& rest, char separator) {
  const auto end = std::min(rest.find(separator), rest.size());
  const auto taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

void in_pieces(std::string_view bytes, Pieces pieces,
               const std::function<void(std::string_view piece)>& take) {
  std::minstd_rand random(seed_of(bytes));
  while (!bytes.empty()) {
    std::size_t size = 1;
    if (pieces == Pieces::whole) size = bytes.size();
    if (pieces == Pieces::drawn) size = 1 + random() % kLongestPiece;
    take(bytes.substr(0, size));
    bytes.remove_prefix(std::min(size, bytes.size()));
  }
}

}  // namespace lode::fuzz

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lode::fuzz::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
