// The folders that hold elements, and which of their files are one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "providers/capability/element.h"

namespace lode {

// Where elements are.
struct ElementSource {
  std::string path;    // empty: nowhere
  std::string name;    // what stands before a file's name for people
  std::string within;  // a directory that links must not lead out of; empty: any
  bool of_workspace = false;
  bool skills_only = false;  // folders of agent skills, kept by other programs
  std::string only{};        // of these the one with this name; empty: all
  std::string link{};        // the path of the link that leads to that one
};

// Which type's file it is, by the directory it lies in: "persona/x.md". Nothing:
// it is no element's file. In a folder that has a SKILL.md, that alone is one;
// has_skill tells whether a folder has.
std::optional<ElementType> type_of_file(std::string_view file,
                                        const std::function<bool(std::string_view)>& has_skill);
// What is wrong with the place or the name of a file that looks like an element's and is
// none, and what to do. Nothing: it is an element's, or does not look so.
std::optional<std::string> misplaced(std::string_view file,
                                     const std::function<bool(std::string_view)>& has_skill);
// The same where there are only skills: "pdf/SKILL.md".
std::optional<ElementType> type_of_skill(std::string_view file,
                                         const std::function<bool(std::string_view)>& has_skill);

// The directory of a type in a folder: "persona", or what it is called there already
// ("personas"). Opens the folder; it may be missing.
std::string type_directory(const std::string& folder, ElementType type);

}  // namespace lode
