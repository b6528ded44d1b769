#pragma once

#include <string_view>

namespace lode {

inline constexpr std::string_view kVersion = LODE_VERSION;

}  // namespace lode
