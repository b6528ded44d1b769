// What another form demands of an element and the element does not say, made up
// from what it says; and fields whose shape in the other form is another.
// Values: no thread, no file.
#pragma once

#include <string_view>

#include "base/json.h"
#include "providers/capability/transfer/value.h"

namespace lode {

// REQUIRES of both: the value says when it was created.
JsonObject derived_for_nexs(const ElementValue& value);
JsonObject derived_for_dollhouse(const ElementValue& value);

// One of the two would make it up so, or cut it so.
bool is_derived(const ElementValue& value, std::string_view name, const Json& made);

// The other form has such a field, and in this shape.
bool fits_nexs(ElementType type, std::string_view name, const Json& field);
bool fits_dollhouse(ElementType type, std::string_view name, const Json& field);

}  // namespace lode
