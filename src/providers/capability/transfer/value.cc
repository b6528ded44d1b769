#include "providers/capability/transfer/value.h"

#include <algorithm>
#include <array>
#include <utility>

#include "providers/capability/transfer/derived.h"

namespace lode {
namespace {

constexpr std::string_view kData = "data";

// Spellings of one field, the first of which is its name here.
constexpr std::array kSpellings = {
    std::array<std::string_view, 5>{"created", "createdat", "created_at", "created_date", ""},
    std::array<std::string_view, 5>{"updated", "updatedat", "updated_at", "modified",
                                    "last_modified"},
    std::array<std::string_view, 5>{"isactive", "is_active", "", "", ""},
};
// Said by their text: a version 1.10 is no number.
constexpr std::array<std::string_view, 6> kTexts{"name",   "description", "version",
                                                 "author", "created",     "updated"};

std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

std::string_view name_of(std::string_view key) {
  for (const auto& spellings : kSpellings) {
    if (std::find(spellings.begin(), spellings.end(), key) != spellings.end()) return spellings[0];
  }
  return key;
}

Json value_of_common(std::string_view name, const YamlNode& node) {
  const bool scalar = !node.is_list() && !node.is_map() && node.kind != YamlKind::null;
  const bool text = std::find(kTexts.begin(), kTexts.end(), name) != kTexts.end();
  return scalar && text ? Json(node.text) : to_json(node);
}

std::string without_empty_lines(std::string_view text) {
  const auto first = text.find_first_not_of("\r\n");
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of("\r\n") + 1 - first));
}

class Gathering {
 public:
  Gathering(ElementType type, ElementValue& value) : type_(type), value_(value) {}

  // Common fields: spellings count.
  void add_common(const YamlNode& map) {
    for (const auto& member : map.members) {
      const auto name = name_of(member.key);
      if (is_type(member) || member.key == kCustom) continue;
      if (name == "id" || (name == "unique_id" && map.find("id") == nullptr)) continue;
      const auto key = value_.fields.contains(name) ? std::string_view(member.key) : name;
      value_.fields.emplace(key, value_of_common(name, member.value));
    }
    if (const auto* custom = map.find(kCustom)) take_custom(*custom);
  }
  // Fields of the type.
  void add_typed(const YamlNode& map) {
    for (const auto& member : map.members) put(member.key, to_json(member.value), kData);
  }
  void put(std::string_view key, Json value, std::string_view otherwise_in) {
    if (key == kOriginMark) return;
    if (key == kCustom && value.is_object() && custom_.is_null()) {
      custom_ = std::move(value);
      return;
    }
    const auto* there = value_.fields.if_contains(key);
    if (there != nullptr && *there == value) return;
    if (there == nullptr) {
      value_.fields.emplace(key, std::move(value));
      return;
    }
    auto& map = value_.fields[otherwise_in];
    if (!map.is_object()) map = JsonObject();
    map.get_object()[key] = std::move(value);
  }

  // What was made up is put aside, so that what it was made from takes its place.
  void finish() {
    JsonObject aside;
    for (const auto& name : derived_) {
      if (const auto* made = value_.fields.if_contains(name)) {
        aside.emplace(name, *made);
        value_.fields.erase(name);
      }
    }
    if (const auto* map = custom_.if_object()) {
      for (const auto& member : *map) {
        const auto key = view(member.key());
        if (marked_ && key == kBodyField && member.value().is_string()) continue;
        if (key != kDerivedMark) put(key, member.value(), kCustom);
      }
    } else if (!custom_.is_null()) {
      value_.fields.emplace(kCustom, custom_);
    }
    aside_ = std::move(aside);
  }
  // Once the text is known: what somebody changed of the made up counts.
  void take_changed() {
    for (const auto& made : aside_) {
      const auto key = view(made.key());
      if (!is_derived(value_, key, made.value())) put(key, made.value(), kData);
    }
  }

  std::string marked_body() const {
    const auto* map = marked_ ? custom_.if_object() : nullptr;
    return map == nullptr ? "" : text_field(*map, kBodyField);
  }

 private:
  bool is_type(const YamlMember& member) const {
    return member.key == "type" && find_element_type(member.value.text) == type_;
  }
  void take_custom(const YamlNode& custom) {
    custom_ = to_json(custom);
    const auto* mark = custom.find(kDerivedMark);
    marked_ = mark != nullptr && mark->is_list();
    if (!marked_) return;
    for (const auto& item : mark->items) derived_.push_back(item.text);
  }

  const ElementType type_;
  ElementValue& value_;
  Json custom_;
  bool marked_ = false;
  std::vector<std::string> derived_;
  JsonObject aside_;
};

bool is_among(const YamlNode& root, const YamlNode& node) {
  return std::any_of(root.members.begin(), root.members.end(),
                     [&](const YamlMember& member) { return &member.value == &node; });
}

}  // namespace

std::string text_field(const JsonObject& fields, std::string_view name) {
  const auto* value = fields.if_contains(name);
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? "" : std::string(view(*text));
}

const JsonArray* list_field(const JsonObject& fields, std::string_view name) {
  const auto* value = fields.if_contains(name);
  return value == nullptr ? nullptr : value->if_array();
}

std::string_view main_field(ElementType type) {
  switch (type) {
    case ElementType::persona: return "system_prompt";
    case ElementType::template_:
    case ElementType::memory: return "content";
    default: return {};
  }
}

bool is_marked(const YamlNode& root) {
  const auto* custom = maps_of(root).common.find(kCustom);
  const auto* mark = custom == nullptr ? nullptr : custom->find(kDerivedMark);
  return mark != nullptr && mark->is_list();
}

ElementValue value_of(ElementType type, const std::string& id, const YamlNode& root,
                      std::string_view body) {
  ElementValue value{type, id, {}, without_empty_lines(body)};
  const auto [common, typed] = maps_of(root);
  Gathering gathering(type, value);
  gathering.add_common(common);
  if (is_among(root, common)) {
    if (is_among(root, typed)) gathering.add_typed(typed);
    for (const auto& member : root.members) {
      if (&member.value == &common || &member.value == &typed) continue;
      gathering.put(member.key, to_json(member.value), kData);
    }
  }
  gathering.finish();
  if (value.text.empty()) value.text = without_empty_lines(gathering.marked_body());
  const auto main = main_field(type);
  if (value.text.empty() && !main.empty()) {
    value.text = without_empty_lines(text_field(value.fields, main));
    if (!value.text.empty()) value.fields.erase(main);
  }
  gathering.take_changed();
  return value;
}

bool same_value(const ElementValue& a, const ElementValue& b) {
  const auto without_times = [](JsonObject fields) {
    for (const std::string_view name : {"created", "updated"}) fields.erase(name);
    return fields;
  };
  return a.type == b.type && a.id == b.id && a.text == b.text &&
         without_times(a.fields) == without_times(b.fields);
}

}  // namespace lode
