// The tool's arguments: held against what an operation needs. Values; any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "providers/capability/element.h"
#include "providers/capability/manage.h"

namespace lode {

// What is wrong, and the operation's example.
Error teach(std::string_view what, const ManageOperation& operation);

// Nothing is missing, unknown or of the wrong shape.
Status check_arguments(const ManageOperation& operation, const JsonObject& arguments);

// An id may be an address, or "persona:reviewer": then it says the type too.
void split_id(JsonObject& arguments);

// Of checked arguments; empty if it is not there.
std::string text_in(const JsonObject& arguments, std::string_view name);
JsonObject map_in(const JsonObject& arguments, std::string_view name);

// Code::invalid: there is no such type.
Result<ElementType> type_in(const JsonObject& arguments);

// The fields, and the name and description that may stand beside them.
// Code::invalid: they are there twice, and not alike.
Result<JsonObject> fields_in(const JsonObject& arguments);

// Several elements have the name that a caller gave: which are they? Code::invalid.
Error several(ElementType type, std::string_view name, const std::vector<std::string>& ids);

}  // namespace lode
