// What makes a persona: the text that its prompt gives.
#pragma once

#include <string>

#include "store/document.h"

namespace lode {

// Its instructions or system_prompt, and the body below them. A persona that has none
// of these says who it is in fields, as those of NEXS's guide do: then its description,
// traits, style, behaviour, expertise and constraints, told as text.
std::string persona_text(const Document& document);

}  // namespace lode
