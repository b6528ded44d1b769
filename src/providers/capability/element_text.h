// What elements say to a model: the text of each, and several put together.
//
// The text of an element is what its file is for, without the fields that describe it: a
// persona's instructions, a skill's procedure, a template filled with its defaults if these
// suffice, an agent's goals, a memory's entries. With it goes what it depends on: an agent's
// persona and skills, an ensemble's members, dependencies; each once, and what these depend
// on. What it is only related to does not.
//
// Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/capability/collection.h"
#include "providers/capability/element_gate.h"
#include "store/document.h"

namespace lode {

// Empty: it says nothing.
std::string element_text(const Element& element, const Document& document);

class ElementTexts {
 public:
  static constexpr std::size_t kTokens = 20'000;  // of all together
  static constexpr std::size_t kMost = 256;       // elements, with those they depend on

  // REQUIRES: the collection outlives it.
  explicit ElementTexts(const Collection& collection) : collection_(collection) {}

  // Markdown of at most so many tokens. What does not fit is named and not cut. Only what
  // the caller may list and read is there or named.
  std::string together(const ElementGate& gate, const std::vector<Element>& elements,
                       std::size_t tokens = kTokens) const;

  // The prompt that an element is: "persona-reviewer". Nothing: it is none.
  static std::optional<std::string> prompt_of(const Collection& collection, const Element& element);

 private:
  // An element, and why it is there: empty if it was asked for.
  struct Part {
    Element element;
    std::string because;
  };
  std::vector<Part> with_dependencies(const ElementGate& gate,
                                      const std::vector<Element>& elements) const;
  std::string section(const ElementGate& gate, const Part& part) const;

  const Collection& collection_;
};

}  // namespace lode
