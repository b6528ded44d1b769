#include "store/document_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "store/yaml_edit.h"

namespace lode {
namespace {

bool valid_strings(const Json& value) {
  if (const auto* text = value.if_string()) return valid_utf8({text->data(), text->size()});
  if (const auto* list = value.if_array()) {
    return std::all_of(list->begin(), list->end(), valid_strings);
  }
  if (const auto* map = value.if_object()) {
    return std::all_of(map->begin(), map->end(), [](const auto& member) {
      return valid_utf8({member.key().data(), member.key().size()}) &&
             valid_strings(member.value());
    });
  }
  return true;
}

std::size_t depth_of(const Json& value) {
  std::size_t depth = 0;
  if (const auto* list = value.if_array()) {
    for (const auto& item : *list) depth = std::max(depth, depth_of(item));
    ++depth;
  } else if (const auto* map = value.if_object()) {
    for (const auto& member : *map) depth = std::max(depth, depth_of(member.value()));
    ++depth;
  }
  return depth;
}

}  // namespace

Status check_value(std::span<const std::string> path, const Json& value, std::size_t max_depth) {
  if (path.size() + depth_of(value) > max_depth) {
    return invalid(fmt::format("{}: nested deeper than {} levels", path[0], max_depth));
  }
  const bool utf8 =
      std::all_of(path.begin(), path.end(), [](const std::string& key) { return valid_utf8(key); });
  if (!utf8 || !valid_strings(value)) return invalid("a text that is not UTF-8");
  return {};
}

bool changed_only(const YamlNode& old, const YamlNode& now, std::span<const std::string> path,
                  const Json* value) {
  if (path.empty()) return value != nullptr && equal(now, *value);
  if (now.kind != old.kind) return false;
  const auto index = child_index(old, path[0]);
  const auto count = child_count(old);
  const bool removed = value == nullptr && path.size() == 1;
  if (child_count(now) + (removed ? 1 : 0) != count + (index == count ? 1 : 0)) return false;
  for (std::size_t i = 0; i < child_count(now); ++i) {
    const std::size_t was = i + (removed && i >= index ? 1 : 0);
    const bool appended = was == count;
    if (now.is_map() && now.members[i].key != (appended ? path[0] : old.members[was].key)) {
      return false;
    }
    const auto& child = child_at(now, i);
    const bool right = appended ? value != nullptr && equal(child, *value)
                       : was != index
                           ? identical(child_at(old, was), child)
                           : changed_only(child_at(old, was), child, path.subspan(1), value);
    if (!right) return false;
  }
  return true;
}

}  // namespace lode
