#include "providers/capability/element_gate.h"

#include <fmt/format.h>

namespace lode {

ElementGate ElementGate::open() { return {}; }

bool ElementGate::permits(Action action, std::string_view address) const {
  if (!permits_) return true;
  const auto uri = Uri::parse(address);
  return uri && permits_(action, *uri);
}

Status ElementGate::admit(Action action, const Element& element) const {
  const auto address = element.uri();
  if (permits(action, address)) return {};
  return Error{Code::denied, fmt::format("not permitted: {} {}", to_string(action), address), {}};
}

}  // namespace lode
