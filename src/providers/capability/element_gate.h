// What a caller may do with which element: asked of every element that a page shows, and
// that a call of the tool reads (Action::read) or writes (Action::write; to activate is
// to write). A rule about the element's file, or about the skill that it is, holds for the
// element. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/content.h"
#include "engine/exchange.h"
#include "providers/capability/collection.h"
#include "providers/capability/element.h"

namespace lode {

class ElementGate {
 public:
  enum class Of : std::uint8_t {
    resources,  // what the exposure list leaves out is not shown
    tool,
    tool_alone,  // resources are off: an address cannot be read
  };
  // REQUIRES: both outlive it.
  ElementGate(const Exchange& exchange, const Collection& collection, Of of)
      : exchange_(&exchange), collection_(&collection), of_(of) {}
  // For who may do everything: the user's own commands, and tests.
  static ElementGate open() { return {}; }

  // False: it is to look as if it were not there. Asks no provider.
  bool shows(const Element& element) const;
  // Whether words of its text may stand in an answer: the caller could read them in its
  // file. Of those of the user, which are in no workspace, none. Asks providers.
  bool quotes(const Element& element) const;
  // The same as shows(), by an address of whatever kind.
  bool shows(std::string_view address) const;
  // Whether what is amiss may be told. That of no element is for everyone.
  bool shows(const Problem& problem) const;
  // Whether an answer may name the address as one that can be read.
  bool names(const Element& element) const;
  bool names(std::string_view address) const;
  // What an answer calls it: its address, or where that cannot be read its type and id.
  std::string called(const Element& element) const;
  // Of a template: whether any of its addresses is offered to the caller.
  bool offers(std::string_view uri_template) const;
  // Code::denied names the element's address. REQUIRES: the caller named it, or
  // it is shown.
  Status admit(Action action, const Element& element) const;
  // The error of admit().
  static Error refusal(Action action, const Element& element);
  // What else rules speak of that hold for the element: its file, and its SKILL.md.
  static FileBehind file_behind(const Collection& collection, const Element& element);
  // Of what is no element, as a file that is read or written.
  bool permits(Action action, std::string_view address) const;

 private:
  ElementGate() = default;
  bool may(Action action, const Element& element, const Uri& uri) const;

  const Exchange* exchange_ = nullptr;  // null: everything
  const Collection* collection_ = nullptr;
  Of of_ = Of::tool;
};

// Content::origin of what an element says.
inline std::string_view origin_of(const Element& element) {
  return element.of_workspace ? kOfWorkspace : kOfUser;
}

}  // namespace lode
