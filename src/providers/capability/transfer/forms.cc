#include "providers/capability/transfer/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/tokens_table.h"
#include "base/utf8.h"
#include "providers/capability/transfer/derived.h"

namespace lode {
namespace {

std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

// What NEXS keeps in `metadata`: our name, its name.
constexpr std::array<std::array<std::string_view, 2>, 8> kMetadata{{{"name", "name"},
                                                                    {"description", "description"},
                                                                    {"version", "version"},
                                                                    {"author", "author"},
                                                                    {"tags", "tags"},
                                                                    {"isactive", "isactive"},
                                                                    {"created", "createdat"},
                                                                    {"updated", "updatedat"}}};
constexpr std::array<std::string_view, 6> kFirst{"name",   "description", "version",
                                                 "author", "tags",        "created"};

bool is_metadata(std::string_view name) {
  return std::any_of(kMetadata.begin(), kMetadata.end(),
                     [&](const auto& pair) { return pair[0] == name; });
}

bool is_map(const JsonObject& fields, std::string_view name) {
  const auto* value = fields.if_contains(name);
  return value != nullptr && value->is_object();
}

void merge_into(JsonObject& map, const Json& members) {
  for (const auto& member : members.get_object())
    map.insert_or_assign(member.key(), member.value());
}

JsonArray names_in(const JsonObject& map) {
  JsonArray out;
  for (const auto& member : map) out.emplace_back(member.key());
  return out;
}

// REQUIRES: the text is UTF-8, and not empty.
std::string_view first_character(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;
  return text.substr(0, end);
}

// A letter or a digit of any script.
bool is_word(std::string_view character) {
  auto code = static_cast<std::size_t>(static_cast<unsigned char>(character[0]));
  if (character.size() > 1) code &= 0x7fU >> character.size();
  for (const char c : character.substr(1)) {
    code = code << 6U | (static_cast<unsigned char>(c) & 0x3fU);
  }
  if (code / 256 >= kCharBlocks) return false;
  const auto kind =
      lode_vocabulary.classes[std::size_t{256} * lode_vocabulary.block_of[code / 256] + code % 256];
  return kind == CharClass::upper || kind == CharClass::lower || kind == CharClass::letter ||
         kind == CharClass::number;
}

// A text of NEXS that is longer than it admits is cut: it would refuse the whole element
// at the next edit. The whole stands in `custom`, and what is cut counts as made up.
class Cutting {
 public:
  Cutting(FormFields& out, JsonObject& custom, JsonArray& made)
      : out_(out), custom_(custom), made_(made) {}

  // whole: the name of the whole in `custom`.
  void cut(JsonObject& map, std::string_view name, std::string_view whole, std::size_t most) {
    auto* field = map.if_contains(name);
    const auto* text = field == nullptr ? nullptr : field->if_string();
    if (text == nullptr || text->size() <= most) return;
    const auto size = text->size();
    const std::string kept(first_bytes(view(*text), most));
    custom_.insert_or_assign(whole, *field);
    made_.emplace_back(name);
    *field = kept;
    out_.told.push_back(
        fmt::format("{}: NEXS takes {} bytes, so {} of {} are there; the whole comes back with it",
                    name, most, kept.size(), size));
  }

 private:
  FormFields& out_;
  JsonObject& custom_;
  JsonArray& made_;
};

}  // namespace

FormFields dollhouse_form(const ElementValue& value) {
  auto derived = derived_for_dollhouse(value);
  FormFields form;
  form.body = value.text;
  JsonObject& out = form.fields;
  for (const auto name : kFirst) {
    const auto* made = derived.if_contains(name);
    if (made == nullptr) made = value.fields.if_contains(name);
    if (made != nullptr) out.emplace(name, *made);
    if (name == "description") out.emplace("type", to_string(value.type));
  }
  if (const auto* updated = value.fields.if_contains("updated")) {
    out.emplace(value.fields.contains("modified") ? "updated" : "modified", *updated);
  }
  out.emplace(value.fields.contains("unique_id") ? "id" : "unique_id", value.id);
  for (const auto& member : derived) out.emplace(member.key(), member.value());
  JsonObject custom;
  for (const auto& member : value.fields) {
    const auto name = view(member.key());
    if (name == "updated" || (name == kCustom && member.value().is_object())) continue;
    const bool fits = name != kCustom && fits_dollhouse(value.type, name, member.value()) &&
                      !derived.contains(name);
    (fits ? out : custom).emplace(name, member.value());
  }
  if (is_map(value.fields, kCustom)) merge_into(custom, value.fields.at(kCustom));
  custom.emplace(kDerivedMark, names_in(derived));
  out.emplace(kCustom, std::move(custom));
  if (derived.contains("name")) {
    form.told.push_back(
        fmt::format("its name is \"{}\" there: Dollhouse takes letters, digits, "
                    "blanks, - _ . alone",
                    text_field(out, "name")));
  }
  return form;
}

FormFields nexs_form(const ElementValue& value) {
  const auto derived = derived_for_nexs(value);
  JsonObject metadata{{"id", value.id}, {"type", to_string(value.type)}};
  JsonObject data;
  JsonObject custom;
  const auto from = [&](std::string_view name) {
    const auto* made = derived.if_contains(name);
    return made != nullptr ? made : value.fields.if_contains(name);
  };
  for (const auto& [ours, theirs] : kMetadata) {
    if (const auto* field = from(ours)) metadata.emplace(theirs, *field);
    const auto* there = value.fields.if_contains(ours);
    if (there != nullptr && derived.contains(ours)) custom.emplace(ours, *there);
  }
  for (const auto& member : derived) {
    if (!is_metadata(view(member.key()))) data.emplace(member.key(), member.value());
  }
  for (const auto& member : value.fields) {
    const auto name = view(member.key());
    if (is_metadata(name) || (member.value().is_object() && (name == kCustom || name == "data"))) {
      continue;
    }
    const bool fits = fits_nexs(value.type, name, member.value());
    (fits ? data : custom).emplace(name, member.value());
  }
  if (is_map(value.fields, "data")) merge_into(data, value.fields.at("data"));
  if (is_map(value.fields, kCustom)) merge_into(custom, value.fields.at(kCustom));
  const auto main = main_field(value.type);
  if (!main.empty() && !data.contains(main)) {
    data.emplace(main, value.text);
  } else if (!value.text.empty()) {
    custom.emplace(kBodyField, value.text);
  }
  FormFields form;
  auto made_up = names_in(derived);
  Cutting cutting(form, custom, made_up);
  cutting.cut(metadata, "name", "name", kNexsName);
  cutting.cut(metadata, "description", "description", kNexsDescription);
  if (value.type == ElementType::persona) {
    const bool is_text = !derived.contains(main) && !value.fields.contains(main);
    cutting.cut(data, main, is_text ? kBodyField : main, kNexsPrompt);
  }
  custom.emplace(kDerivedMark, std::move(made_up));
  metadata.emplace(kCustom, std::move(custom));
  form.fields = JsonObject{{"metadata", std::move(metadata)}, {"data", std::move(data)}};
  return form;
}

std::string_view name_in_nexs_metadata(std::string_view theirs) {
  for (const auto& [ours, name] : kMetadata) {
    if (name == theirs) return ours;
  }
  return {};
}

std::string nexs_name(ElementType type, std::string_view name, std::string_view id) {
  auto out = fmt::format("{}_", to_string(type));
  for (const char c : name) {
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    if ((low >= 'a' && low <= 'z') || (low >= '0' && low <= '9')) {
      out += low;
    } else if (!out.ends_with('_')) {
      out += '_';
    }
  }
  if (out.ends_with('_')) out.pop_back();
  const auto bar = id.rfind('_');
  return bar == id.npos ? out : fmt::format("{}_{}", out, id.substr(bar + 1));
}

std::string dollhouse_name(std::string_view name) {
  // What it takes out of names by itself; any other sign makes it refuse the file.
  constexpr std::string_view kDropped = "<>'\"&;|`$()!\\~*?{}";
  constexpr std::string_view kTaken = " -_.";
  std::string out;
  bool put = false;  // a blank in place of a sign
  for (auto rest = valid_utf8(name) ? first_bytes(name, kNexsName) : ""; !rest.empty();) {
    const auto one = first_character(rest);
    rest.remove_prefix(one.size());
    if (is_word(one) || kTaken.find(one) != kTaken.npos || kDropped.find(one) != kDropped.npos) {
      // One blank for a sign and the blank behind it.
      if (one != " " || !put) out += one;
      put = false;
    } else {
      if (!out.empty() && !out.ends_with(' ')) out += ' ';
      put = true;
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out.find_first_not_of(kDropped) == out.npos ? "unnamed" : out;
}

}  // namespace lode
