// The names of files that are still being written. A process that was killed
// may leave one behind; they are not the user's, and nobody is shown them.
#pragma once

#include <string_view>

namespace lode {

inline constexpr std::string_view kUnfinishedPrefix = ".lode-";
inline constexpr std::string_view kUnfinishedSuffix = ".unfinished";

inline bool is_unfinished_write(std::string_view name) {
  return name.starts_with(kUnfinishedPrefix) && name.ends_with(kUnfinishedSuffix);
}

}  // namespace lode
