#include "engine/routes.h"

#include <fmt/format.h>

#include <algorithm>

namespace lode {
namespace {

// Stand for variables: no literal has such bytes, and they sort behind all that it
// has, so that what is to be tried first comes first.
constexpr char kOne = '\xfe';   // {a}
constexpr char kMany = '\xff';  // {+a}
constexpr char kEnd = '\xff';   // what goes on with a literal is tried before what ends

// A template before its query, without the names of its variables.
std::string shape_of(const UriTemplate& pattern) {
  std::string shape;
  std::string_view rest = pattern.text();
  auto variable = pattern.variables().begin();
  while (!rest.empty()) {
    const auto open = std::min(rest.find('{'), rest.size());
    shape += rest.substr(0, open);
    if (open == rest.size() || variable->op == '?' || variable->op == '&') break;
    const auto close = rest.find('}');
    const auto inside = rest.substr(open, close - open);
    const auto count = 1 + std::count(inside.begin(), inside.end(), ',');
    for (std::ptrdiff_t i = 0; i < count; ++i, ++variable) {
      if (i > 0) shape += ',';
      shape += variable->op == '+' ? kMany : kOne;
    }
    rest.remove_prefix(close + 1);
  }
  return shape + kEnd;
}

}  // namespace

const std::string& Address::value(std::string_view name) const {
  static const std::string kNone;
  const auto* found = find(name);
  return found == nullptr ? kNone : *found;
}

Result<Routes> Routes::make(const std::vector<Route>& routes) {
  Routes made;
  for (const auto& route : routes) {
    const auto& text = route.entry.uri_template;
    auto pattern = UriTemplate::parse(text);
    if (!pattern) return std::move(pattern).error().in("template " + text);
    if (!pattern->matchable()) return invalid(fmt::format("template {} can match nothing", text));
    auto shape = shape_of(*pattern);
    made.entries_.push_back({std::move(*pattern), std::move(shape), &route});
  }
  std::ranges::sort(made.entries_, {}, &Entry::shape);
  const auto same = std::ranges::adjacent_find(made.entries_, {}, &Entry::shape);
  if (same != made.entries_.end()) {
    return invalid(fmt::format("templates {} and {} cannot be told apart", same->pattern.text(),
                               std::next(same)->pattern.text()));
  }
  return made;
}

std::optional<Routes::Found> Routes::find(const Uri& uri) const {
  for (const auto& entry : entries_) {
    if (auto match = entry.pattern.match(uri.text())) return Found{entry.route, std::move(*match)};
  }
  return std::nullopt;
}

bool Routes::holds(const Uri& uri) const { return find(uri).has_value(); }

}  // namespace lode
