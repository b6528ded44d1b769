#include "providers/capability/alias.h"

#include <algorithm>

#include "providers/capability/element.h"

namespace lode {
namespace {

constexpr std::string_view kBase = "capability-index://";
constexpr std::string_view kElements = "capability-index://elements/";

std::string with_type(std::string address) {
  if (!address.starts_with(kElements)) return address;
  const auto end = std::min(address.find_first_of("/?", kElements.size()), address.size());
  const auto length = end - kElements.size();
  const auto type = find_element_type(std::string_view(address).substr(kElements.size(), length));
  if (type) address.replace(kElements.size(), length, to_string(*type));
  return address;
}

}  // namespace

std::string without_alias(std::string_view address) {
  for (const auto alias : kIndexAliases) {
    if (!address.starts_with(alias)) continue;
    auto rest = address.substr(alias.size());
    if (!rest.starts_with('/')) continue;
    while (rest.starts_with('/')) rest.remove_prefix(1);
    return with_type(std::string(kBase).append(rest));
  }
  return with_type(std::string(address));
}

}  // namespace lode
