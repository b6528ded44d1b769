// The values that a template is filled with: held against its variables.
#pragma once

#include <span>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "providers/capability/element.h"

namespace lode {

// The type of a variable that is not declared and that a loop goes through.
inline constexpr std::string_view kListOrMap = "list or map";

// A value of its type for each variable that has one, given or by default.
// Code::invalid names everything that is wrong.
Result<JsonObject> bind_values(std::span<const Variable> variables, const JsonObject& values);

}  // namespace lode
