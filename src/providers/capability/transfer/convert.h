// An element's file in the form of another system, and back.
//
// A file that has the form already is taken as it is. Any other is made anew from
// what it says (forms.h), and carries along what it was (origin.h): read back, it is
// the same file again.
//
// Values: no thread, no file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "providers/capability/element.h"
#include "providers/capability/transfer/value.h"
#include "store/document.h"

namespace lode {

DocumentForm form_of_file(std::string_view file);

struct Converted {
  std::string file;  // below the tree that it goes to
  std::string text;
  bool as_it_was = false;
  std::vector<std::string> lost;  // what the form cannot hold
  std::string id{};               // of NEXS: what it says
};

// text: the element's file. Code::invalid: it is malformed, or what would be made
// of it too long.
// id: for a tree in which its own is taken; empty: its own.
Result<Converted> to_nexs(const Element& element, const std::string& text,
                          const std::string& id = "");
Result<Converted> to_dollhouse(const Element& element, const std::string& text);

// Lode's own form of a file that was converted: markdown, or YAML if its
// frontmatter would be too long. file: below the folder of elements.
Result<Converted> to_native(const ElementValue& value);

// 2025-09-22T00:00:00Z out of a date, or of a time with a zone; nothing: it is
// neither.
std::optional<std::string> full_time(std::string_view text);

}  // namespace lode
