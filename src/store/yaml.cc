#include "store/yaml.h"

#include <algorithm>
#include <cmath>

namespace lode {

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Json to_json(const YamlNode& node) {
  switch (node.kind) {
    case YamlKind::null: return nullptr;
    case YamlKind::boolean: return Json(node.boolean);
    case YamlKind::integer: return Json(node.integer);
    case YamlKind::number: return Json(node.number);
    case YamlKind::string: return Json(node.text);
    case YamlKind::list: {
      JsonArray out;
      out.reserve(node.items.size());
      for (const auto& item : node.items) out.push_back(to_json(item));
      return out;
    }
    case YamlKind::map: {
      JsonObject out;
      out.reserve(node.members.size());
      for (const auto& member : node.members) out.emplace(member.key, to_json(member.value));
      return out;
    }
  }
  return nullptr;
}

namespace {

bool equal_number(const YamlNode& node, const Json& value) {
  if (node.kind == YamlKind::integer && value.is_int64()) return node.integer == value.get_int64();
  if (value.is_int64()) return node.number == static_cast<double>(value.get_int64());
  if (value.is_uint64()) return node.number == static_cast<double>(value.get_uint64());
  if (!value.is_double()) return false;
  return node.number == value.get_double() ||
         (std::isnan(node.number) && std::isnan(value.get_double()));
}

bool equal_list(const YamlNode& node, const JsonArray& value) {
  return std::equal(node.items.begin(), node.items.end(), value.begin(), value.end(), equal);
}

// Keys are unique in both.
bool equal_map(const YamlNode& node, const JsonObject& value) {
  return node.members.size() == value.size() &&
         std::all_of(node.members.begin(), node.members.end(), [&](const auto& member) {
           const auto* found = value.if_contains(member.key);
           return found != nullptr && equal(member.value, *found);
         });
}

}  // namespace

bool equal(const YamlNode& node, const Json& value) {
  switch (node.kind) {
    case YamlKind::null: return value.is_null();
    case YamlKind::boolean: return value.is_bool() && value.get_bool() == node.boolean;
    case YamlKind::integer:
    case YamlKind::number: return equal_number(node, value);
    case YamlKind::string: {
      const auto* text = value.if_string();
      return text != nullptr && std::string_view(text->data(), text->size()) == node.text;
    }
    case YamlKind::list: return value.is_array() && equal_list(node, value.get_array());
    case YamlKind::map: return value.is_object() && equal_map(node, value.get_object());
  }
  return false;
}

bool identical(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), identical) &&
         std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    [](const auto& x, const auto& y) {
                      return x.key == y.key && identical(x.value, y.value);
                    });
}

}  // namespace lode
