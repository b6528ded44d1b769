#include "providers/capability/element_gate.h"

#include <fmt/format.h>

namespace lode {

bool ElementGate::may(Action action, const Element& element, const Uri& uri) const {
  return exchange_->may(action, uri, FileBehind{collection_->path_of(element), false});
}

bool ElementGate::shows(const Element& element) const {
  if (exchange_ == nullptr) return true;
  const auto uri = Uri::parse(element.uri());
  return uri && (of_ == Of::tool || exchange_->exposes(*uri)) && may(Action::list, element, *uri);
}

bool ElementGate::shows(std::string_view address) const {
  if (exchange_ == nullptr) return true;
  const auto uri = Uri::parse(address);
  return uri && (of_ == Of::tool || exchange_->exposes(*uri)) && exchange_->may(Action::list, *uri);
}

bool ElementGate::shows(const Problem& problem) const {
  if (exchange_ == nullptr || problem.uri.empty()) return true;
  if (problem.path.empty()) return shows(problem.uri);
  const auto uri = Uri::parse(problem.uri);
  return uri && (of_ == Of::tool || exchange_->exposes(*uri)) &&
         exchange_->may(Action::list, *uri, FileBehind{problem.path, false});
}

bool ElementGate::offers(std::string_view uri_template) const {
  return exchange_ == nullptr || of_ == Of::tool || exchange_->offers_some(uri_template);
}

bool ElementGate::permits(Action action, std::string_view address) const {
  return exchange_ == nullptr || exchange_->may(action, address);
}

Status ElementGate::admit(Action action, const Element& element) const {
  if (exchange_ == nullptr) return {};
  const auto uri = Uri::parse(element.uri());
  if (uri && may(action, element, *uri)) return {};
  return refusal(action, element);
}

Error ElementGate::refusal(Action action, const Element& element) {
  return {Code::denied, fmt::format("not permitted: {} {}", to_string(action), element.uri()), {}};
}

}  // namespace lode
