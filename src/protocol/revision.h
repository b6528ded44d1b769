// The published revisions of the Model Context Protocol, in order.
//
// Only protocol/ and server/ know that there are several. "Modern" is the era
// without handshake and sessions, "legacy" the one before it.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace lode {

enum class Revision { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };

inline constexpr Revision kNewest = Revision::v2026_07_28;
inline constexpr Revision kNewestLegacy = Revision::v2025_11_25;
// What a legacy request without any word about its revision is taken for.
inline constexpr Revision kAssumedLegacy = Revision::v2025_03_26;

inline constexpr std::array<std::string_view, 5> kRevisionNames = {
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

constexpr std::string_view to_string(Revision revision) {
  return kRevisionNames[static_cast<std::size_t>(revision)];
}

constexpr std::optional<Revision> find_revision(std::string_view name) {
  for (std::size_t i = 0; i < kRevisionNames.size(); ++i) {
    if (kRevisionNames[i] == name) return static_cast<Revision>(i);
  }
  return std::nullopt;
}

constexpr bool modern(Revision revision) { return revision >= Revision::v2026_07_28; }

}  // namespace lode
