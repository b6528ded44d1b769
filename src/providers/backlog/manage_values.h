// The values of fields that a call of backlog_manage gives, checked. Errors are the end of a
// sentence that begins with the argument's name. Pure functions on values; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "providers/backlog/task_fields.h"

namespace lode {

inline constexpr std::size_t kTaskUrlBytes = 8192;

// A text on one line, of at most so many bytes.
Result<std::string> task_line_in(const Json& value, std::size_t most);

// The value in the shape that is written.
Result<Json> task_value_in(TaskField field, const Json& value);

// The id that an argument says: an id, or an address of the task.
std::string id_in_argument(std::string_view text);

}  // namespace lode
