// The addresses of NEXS and Dollhouse, which stand for those of the capability index.
// Values; any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace lode {

inline constexpr std::array<std::string_view, 2> kIndexAliases{"dollhouse://capability-index",
                                                               "capability://nexs-mcp/index"};

// An address, or a glob of addresses, with its alias replaced by what it stands for and a
// type of elements in the singular. Others as they are.
std::string without_alias(std::string_view address);

}  // namespace lode
