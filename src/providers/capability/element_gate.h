// What the caller of a tool may do with which element: asked of every element
// that a call reads (Action::read) or writes (Action::write; to activate is to
// write). Values; any thread.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/uri.h"
#include "engine/policy.h"
#include "providers/capability/element.h"

namespace lode {

class ElementGate {
 public:
  using Permits = std::function<bool(Action action, const Uri& address)>;

  explicit ElementGate(Permits permits) : permits_(std::move(permits)) {}
  // For who may do everything: the user's own commands, and tests.
  static ElementGate open();

  // False: it is to look as if it were not there.
  bool shows(const Element& element) const { return shows(element.uri()); }
  bool shows(std::string_view address) const { return permits(Action::list, address); }
  // Code::denied names the element's address. REQUIRES: the caller named it, or
  // it is shown.
  Status admit(Action action, const Element& element) const;
  // Of what is no element, as a file that is read or written.
  bool permits(Action action, std::string_view address) const;

 private:
  ElementGate() = default;

  Permits permits_;  // none: everything
};

}  // namespace lode
