// The helpers of templates: those of NEXS, which are also the usual ones of
// Handlebars.
//
//   default VALUE OTHER             OTHER where VALUE is missing or an empty text
//   eq ne                           two values, as they would be written
//   gt lt gte lte                   two numbers; what is missing is 0
//   and or not                      by what {{#if}} takes for true
//   upper lower title trim          a text
//   replace TEXT OLD NEW            every OLD
//   join LIST BETWEEN               ", " between them if that is not said
//   length VALUE                    of a list, map or text
//   json VALUE                      as JSON
//   lookup VALUE KEY                an item of a list, a member of a map
//
// Values; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace lode {

// Neither missing, false, 0 nor empty.
bool is_true(const Json& value);

// As a placeholder shows it: a text itself, nothing for null, all else as JSON.
std::string shown_value(const Json& value);

// Code::invalid: there is no such helper, or it takes another number of arguments.
Status check_helper(std::string_view name, std::size_t arguments);

// REQUIRES: check_helper has admitted it. Code::invalid: an argument is not what the
// helper needs, or the result is longer than so many bytes.
Result<Json> call_helper(std::string_view name, std::span<const Json* const> arguments,
                         std::size_t most);

}  // namespace lode
