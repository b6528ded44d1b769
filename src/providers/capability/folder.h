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
};

// Which type's file it is, by the directory it lies in: "persona/x.md". Nothing:
// it is no element's file. In a folder that has a SKILL.md, that alone is one;
// has_skill tells whether a folder has.
std::optional<ElementType> type_of_file(std::string_view file,
                                        const std::function<bool(std::string_view)>& has_skill);
// The same where there are only skills: "pdf/SKILL.md".
std::optional<ElementType> type_of_skill(std::string_view file,
                                         const std::function<bool(std::string_view)>& has_skill);

}  // namespace lode
