// What an element says, whatever the form of its file: the common ground of
// Lode's own files, of NEXS and of Dollhouse.
//
// Fields have one name each: `created` and `updated` for all spellings of them,
// `isactive`; what NEXS keeps in `metadata`, `custom` and `data`, and Dollhouse's
// memories in `metadata`, stands beside them. Where two would have one name, the
// second stays in a map `data` or `custom`. The text is the body, or the field
// that takes its place: a persona's system_prompt, a template's or a memory's
// content.
//
// A file that was converted has a mark, the list custom.lode_derived: the fields
// that the other form demands and that were made up for it. They are no part of
// the value as long as nobody changed them.
//
// Values: no thread, no file.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "providers/capability/element.h"
#include "store/document.h"

namespace lode {

inline constexpr std::string_view kDerivedMark = "lode_derived";
inline constexpr std::string_view kOriginMark = "lode_origin";  // origin.h
inline constexpr std::string_view kCustom = "custom";
inline constexpr std::string_view kBodyField = "body";  // in custom: the text, in marked files

struct ElementValue {
  ElementType type = ElementType::persona;
  std::string id;
  JsonObject fields;  // without id and type
  std::string text;   // without empty lines around it
};

// id: the element's, which the file may not say.
ElementValue value_of(ElementType type, const std::string& id, const YamlNode& root,
                      std::string_view body);

// They say the same; the order of fields aside, and when they were written.
bool same_value(const ElementValue& a, const ElementValue& b);

// The file was converted by us.
bool is_marked(const YamlNode& root);

// The field that NEXS has for a type's text; empty: it has none.
std::string_view main_field(ElementType type);

// A field that is a text that is not empty; else empty.
std::string text_field(const JsonObject& fields, std::string_view name);
// A field that is a list; null otherwise.
const JsonArray* list_field(const JsonObject& fields, std::string_view name);

}  // namespace lode
