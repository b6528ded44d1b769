#include "providers/capability/element_gate.h"

#include <fmt/format.h>

#include "providers/capability/skill_names.h"

namespace lode {

bool ElementGate::may(Action action, const Element& element, const Uri& uri) const {
  return exchange_->may(action, uri, file_behind(*collection_, element));
}

FileBehind ElementGate::file_behind(const Collection& collection, const Element& element) {
  return {collection.path_of(element), false, true, skill_sheets_of(element)};
}

bool ElementGate::shows(const Element& element) const {
  if (exchange_ == nullptr) return true;
  const auto uri = Uri::parse(element.uri());
  return uri && (of_ != Of::resources || exchange_->exposes(*uri)) &&
         may(Action::list, element, *uri);
}

bool ElementGate::quotes(const Element& element) const {
  if (exchange_ == nullptr) return true;
  const auto file = Uri::parse(file_uri(collection_->path_of(element)));
  return file && element.of_workspace && exchange_->offers(Action::list, *file) &&
         exchange_->may(Action::read, *file);
}

bool ElementGate::shows(std::string_view address) const {
  if (exchange_ == nullptr) return true;
  const auto uri = Uri::parse(address);
  return uri && (of_ != Of::resources || exchange_->exposes(*uri)) &&
         exchange_->may(Action::list, *uri);
}

bool ElementGate::shows(const Problem& problem) const {
  if (exchange_ == nullptr || problem.uri.empty()) return true;
  if (problem.path.empty()) return shows(problem.uri);
  const auto uri = Uri::parse(problem.uri);
  return uri && (of_ != Of::resources || exchange_->exposes(*uri)) &&
         exchange_->may(Action::list, *uri, FileBehind{problem.path, false, true, problem.also});
}

// Asks no provider, since the address is in its one spelling.
bool ElementGate::names(std::string_view address) const {
  if (exchange_ == nullptr) return true;
  const auto uri = Uri::parse(address);
  return of_ != Of::tool_alone && uri && exchange_->offers(Action::list, *uri, FileBehind{}) &&
         exchange_->may(Action::read, *uri, FileBehind{});
}

bool ElementGate::names(const Element& element) const {
  if (exchange_ == nullptr) return true;
  const auto uri = Uri::parse(element.uri());
  return of_ != Of::tool_alone && uri && exchange_->exposes(*uri) &&
         may(Action::list, element, *uri) && may(Action::read, element, *uri);
}

std::string ElementGate::called(const Element& element) const {
  if (names(element)) return element.uri();
  return std::string(to_string(element.type)).append(" ").append(element.id);
}

bool ElementGate::offers(std::string_view uri_template) const {
  return exchange_ == nullptr || (of_ != Of::tool_alone && exchange_->offers_some(uri_template));
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
