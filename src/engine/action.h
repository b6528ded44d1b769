// What can be done with an address.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace lode {

enum class Action : std::uint8_t { list, read, subscribe, complete, call, write, admin };
inline constexpr std::array<std::string_view, 7> kActionNames{
    "list", "read", "subscribe", "complete", "call", "write", "admin"};

inline std::string_view to_string(Action action) {
  return kActionNames[static_cast<std::size_t>(action)];
}
// Code::invalid names the nearest action.
Result<Action> parse_action(std::string_view name);

}  // namespace lode
