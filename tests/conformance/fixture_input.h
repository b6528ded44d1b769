// The fixture's tools that need input from the client.
#pragma once

#include <string_view>
#include <vector>

#include "engine/provider.h"

namespace lode::fixture {

std::vector<Tool> input_tools();
Result<Outcome> call_input_tool(const Exchange& exchange, std::string_view name,
                                const Json& arguments);

}  // namespace lode::fixture
