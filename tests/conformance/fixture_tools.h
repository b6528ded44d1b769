// The fixture's tools: data for the manifest, and what each does.
#pragma once

#include <string_view>
#include <vector>

#include "engine/events.h"
#include "engine/provider.h"

namespace lode::fixture {

std::vector<Tool> tools();
Result<Outcome> call_tool(const Exchange& exchange, std::string_view name, const Json& arguments,
                          Events& events);

std::vector<Prompt> prompts();
Result<Outcome> get_prompt(const Exchange& exchange, std::string_view name,
                           const JsonObject& arguments);

// Pieces that several fixtures are made of.
Outcome text(std::string words);
Content png();
Content embedded(std::string uri, std::string mime, std::string words);
Question elicit(std::string message, std::string_view schema);

// Text of a member of an object, or the given word.
std::string member_text(const JsonObject* object, std::string_view key, std::string_view otherwise);

}  // namespace lode::fixture
