// What an element says (value.h), put into the fields of another form: what the form
// has a place for goes there, what it demands beyond that is made up (derived.h), and
// all else goes into `custom`, which both systems keep and do not look at.
//
// Values: no thread, no file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "providers/capability/transfer/value.h"

namespace lode {

// A file in the other form.
struct FormFields {
  JsonObject fields;                // of NEXS: metadata, data
  std::string body;                 // of Dollhouse
  std::vector<std::string> told{};  // what the form cannot hold, or only so
};

// REQUIRES of both: the value says when it was created.
FormFields nexs_form(const ElementValue& value);
FormFields dollhouse_form(const ElementValue& value);

// Our name of what NEXS keeps in `metadata`; empty: it has no such field.
std::string_view name_in_nexs_metadata(std::string_view theirs);

// The name that NEXS gives an element when it starts: its type, its name in lower-case
// letters and digits, and what stands behind the last "_" of its id.
std::string nexs_name(ElementType type, std::string_view name, std::string_view id);

// As Dollhouse takes a name: letters, digits, blanks, and - _ . alone.
std::string dollhouse_name(std::string_view name);

// The longest texts that NEXS admits, in bytes.
inline constexpr std::size_t kNexsPrompt = 2000;
inline constexpr std::size_t kNexsDescription = 500;
inline constexpr std::size_t kNexsName = 100;

}  // namespace lode
