// Changes of a task's text: fields, body, comments; and its version. Pure functions on values.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "providers/backlog/task_fields.h"
#include "store/document.h"

namespace lode {

// Sets a field under the key that the file has for it; null removes it. Whether something
// changed. A field that the file has as a list stays one.
Result<bool> set_task_field(Document& document, TaskField field, const Json& value);
// The same for a field that Lode does not know.
Result<bool> set_other_field(Document& document, std::string_view key, const Json& value);
// What a list of the frontmatter holds; empty if it is not there.
JsonArray task_list_field(const Document& document, TaskField field);

// The whole body, behind the empty lines that stand before it, with a line end behind.
Status set_task_body(Document& document, std::string_view body);
// Replaces texts, each of which must stand in the body exactly once. All bytes are meant
// literally. Code::conflict: it stands there not at all, or several times.
Status replace_in_body(Document& document,
                       const std::vector<std::pair<std::string, std::string>>& replacements);
// Below "## Comments", which is added at the end if it is not there.
Status add_task_comment(Document& document, std::string_view who, std::string_view when,
                        std::string_view text);

// The time of the change, unless the file says a later one, or none: a clock may run backwards.
Status mark_task_changed(Document& document, std::chrono::system_clock::time_point now);

// ---- versions ----

// Says which text was read: a hash of it, then a letter for each field and for the body, so
// that it can be told later what has changed. About 35 letters; of a malformed file less.
std::string task_version(std::string_view text);
// Whether it is the version of this text; a content_hash() will do too.
bool is_task_version(std::string_view version, std::string_view text);
// Which fields are others now; "body" is one. Empty: it cannot be told.
std::vector<std::string> changed_since(std::string_view version, std::string_view text);

}  // namespace lode
