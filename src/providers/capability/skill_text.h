// What a skill's SKILL.md says, made of an element's file.
//
// A file that is a proper SKILL.md of that name is served as it is. Of any other
// one is made: its frontmatter has the skill's name and a description, then all
// the fields that the file has; the body is what the file has of instructions,
// text and procedures. What a name was before stays as `title`. What is over the format's
// limits (a description of 1,024 characters, a compatibility of 500, metadata that is no map
// of texts), and makes clients refuse a whole list, is cut or written as text.
//
// Values: no thread, no file.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "store/document.h"

namespace lode {

// As the Agent Skills format has it: 1 to 64 lower-case letters, digits and
// single dashes between them.
bool is_skill_name(std::string_view name);

// A proper name out of any; empty if nothing is left of it.
std::string skill_name(std::string_view name);

struct SkillText {
  std::string text;  // the whole SKILL.md
  Json frontmatter;  // what it says there, as a parser sees it
  std::string description;
};

// REQUIRES: is_skill_name(name). Code::invalid: the file is malformed, or what
// would be made of it too long.
Result<SkillText> make_skill_text(std::string file, DocumentForm form, const std::string& name);

}  // namespace lode
