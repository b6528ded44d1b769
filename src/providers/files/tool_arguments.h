// The arguments of the file tools, as values; and the tools, as data. Any thread.
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "engine/manifest.h"
#include "providers/files/edit.h"
#include "providers/files/find.h"
#include "providers/files/tool_limits.h"

namespace lode {

Tool find_files_tool();
Tool file_ops_tool();

// Code::invalid: an argument is unknown, missing or out of range; the message has
// an example. An optional argument that is empty is as if it were not there.
// REQUIRES: the arguments fit the tool's schema.
Result<FindQuery> find_query(const JsonObject& arguments, const FileToolLimits& limits);
Result<FileEdit> file_edit(const JsonObject& arguments);

}  // namespace lode
