#include "providers/capability/transfer/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "providers/capability/transfer/derived.h"
#include "providers/capability/transfer/format.h"
#include "store/yaml_write.h"

namespace lode {
namespace {

constexpr std::size_t kDayLength = 10;

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

bool has_comment(std::string_view yaml) {
  for (std::size_t at = 0; at < yaml.size();) {
    const auto end = std::min(yaml.find('\n', at), yaml.size());
    const auto line = yaml.substr(at, end - at);
    const auto first = line.find_first_not_of(" \t");
    if (first != line.npos && line[first] == '#') return true;
    at = end + 1;
  }
  return false;
}

std::string stem_of(std::string_view file) {
  if (file.ends_with("/SKILL.md")) file.remove_suffix(std::string_view("/SKILL.md").size());
  file = file.substr(file.rfind('/') + 1);
  const auto dot = file.ends_with(".md") || file.ends_with(".yaml") || file.ends_with(".yml")
                       ? file.rfind('.')
                       : file.size();
  return std::string(file.substr(0, dot));
}

// Letters, digits, and what NEXS's own ids have between them.
std::string file_name(std::string_view id) {
  std::string out;
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       static_cast<unsigned char>(c) >= 0x80 || c == '-' || c == '_' || c == '.';
    out += plain ? c : '-';
  }
  return out.starts_with('.') ? "_" + out : out;
}

struct Source {
  Document document;
  ElementValue value;
  std::vector<std::string> lost;
};

// With its times, which may be those of the file alone.
Result<Source> source_of(const Element& element, const std::string& text) {
  auto document = Document::parse(text, form_of_file(element.file));
  if (!document) return std::move(document).error();
  auto value = value_of(element.type, element.id, document->frontmatter(), document->body());
  value.fields.insert_or_assign("created", element.created);
  value.fields.insert_or_assign("updated", element.updated);
  std::vector<std::string> lost;
  if (has_comment(document->frontmatter_text())) lost.emplace_back("comments are left behind");
  return Source{std::move(*document), std::move(value), std::move(lost)};
}

bool is_nexs_form(const Document& document, std::string_view file) {
  const auto own = [](const YamlMember& member) {
    return member.key == "metadata" || member.key == "data";
  };
  const auto& members = document.frontmatter().members;
  return !file.ends_with(".md") && document.body().empty() &&
         document.find({"metadata", "id"}) != nullptr &&
         std::all_of(members.begin(), members.end(), own);
}

// Dollhouse can read it, and misses nothing.
bool is_dollhouse_form(const Source& source, const Element& element) {
  const auto& root = source.document.frontmatter();
  const auto [common, typed] = maps_of(root);
  if (&common != &root && &typed != &root) return false;  // that of NEXS
  const bool has_body = !source.document.body().empty();
  if (element.type == ElementType::memory) {
    // One that has its text in a field would be an empty one there.
    return root.find("entries") != nullptr || has_body || root.find("content") == nullptr;
  }
  return (element.file.ends_with(".md") || has_body) && derived_for_dollhouse(source.value).empty();
}

Result<std::string> whole(const JsonObject& fields, const std::string& text, bool yaml) {
  if (!yaml || !text.empty()) return make_document(fields, text);
  auto made = to_yaml(fields);
  auto read = Document::parse(made, DocumentForm::yaml);
  if (!read) return std::move(read).error();
  return made;
}

JsonObject dollhouse_fields(const ElementValue& value) {
  const auto derived = derived_for_dollhouse(value);
  JsonObject out;
  for (const auto name : kFirst) {
    if (const auto* field = value.fields.if_contains(name)) out.emplace(name, *field);
    if (name == "description") out.emplace("type", to_string(value.type));
  }
  out.emplace(value.fields.contains("modified") ? "updated" : "modified",
              value.fields.at("updated"));
  out.emplace(value.fields.contains("unique_id") ? "id" : "unique_id", value.id);
  for (const auto& member : derived) out.emplace(member.key(), member.value());
  JsonObject custom;
  for (const auto& member : value.fields) {
    const auto name = view(member.key());
    if (name == "updated" || (name == kCustom && member.value().is_object())) continue;
    const bool fits = name != kCustom && fits_dollhouse(value.type, name, member.value());
    (fits ? out : custom).emplace(name, member.value());
  }
  if (is_map(value.fields, kCustom)) merge_into(custom, value.fields.at(kCustom));
  custom.emplace(kDerivedMark, names_in(derived));
  out.emplace(kCustom, std::move(custom));
  return out;
}

JsonObject nexs_fields(const ElementValue& value) {
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
  custom.emplace(kDerivedMark, names_in(derived));
  metadata.emplace(kCustom, std::move(custom));
  return JsonObject{{"metadata", std::move(metadata)}, {"data", std::move(data)}};
}

}  // namespace

DocumentForm form_of_file(std::string_view file) {
  return file.ends_with(".md") ? DocumentForm::markdown : DocumentForm::yaml;
}

std::optional<std::string> full_time(std::string_view text) {
  const auto digits = [&](std::size_t at, std::size_t count) {
    return at + count <= text.size() &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at),
                       text.begin() + static_cast<std::ptrdiff_t>(at + count),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  const bool day = digits(0, 4) && digits(5, 2) && digits(8, 2) && text[4] == '-' && text[7] == '-';
  if (!day) return std::nullopt;
  if (text.size() == kDayLength) return fmt::format("{}T00:00:00Z", text);
  const bool clock = digits(11, 2) && digits(14, 2) && digits(17, 2) && text[13] == ':' &&
                     text[16] == ':' && (text[kDayLength] == 'T' || text[kDayLength] == ' ');
  if (!clock) return std::nullopt;
  std::string out(text);
  out[kDayLength] = 'T';
  const auto zone = out.find_first_not_of(".0123456789", 17);
  if (zone == out.npos) return out + "Z";
  const bool offset = (out[zone] == '+' || out[zone] == '-') && out.size() == zone + 6;
  if (out.substr(zone) == "Z" || offset) return out;
  return std::nullopt;
}

Result<Converted> to_nexs(const Element& element, const std::string& text) {
  auto source = source_of(element, text);
  if (!source) return std::move(source).error();
  auto& value = source->value;
  Converted out;
  const auto created = full_time(element.created);
  out.file =
      fmt::format("elements/{}/{}/{}.yaml", to_string(element.type),
                  created ? created->substr(0, kDayLength) : "undated", file_name(element.id));
  if (is_nexs_form(source->document, element.file)) {
    out.text = text;
    out.as_it_was = true;
    return out;
  }
  for (const std::string_view name : {"created", "updated"}) {
    const auto time = full_time(text_field(value.fields, name));
    if (time) {
      value.fields[name] = *time;
    } else {
      source->lost.push_back(
          fmt::format("{} \"{}\" is no time", name, text_field(value.fields, name)));
      value.fields[name] = "1970-01-01T00:00:00Z";
    }
  }
  auto made = whole(nexs_fields(value), "", true);
  if (!made) return std::move(made).error();
  out.text = std::move(*made);
  out.lost = std::move(source->lost);
  return out;
}

Result<Converted> to_dollhouse(const Element& element, const std::string& text) {
  auto source = source_of(element, text);
  if (!source) return std::move(source).error();
  const bool memory = element.type == ElementType::memory;
  Converted out;
  if (is_dollhouse_form(*source, element)) {
    // Below the folder of the type; only memories lie deeper.
    auto file = element.file.substr(element.file.find('/') + 1);
    if (!memory) file = stem_of(element.file) + ".md";
    out.file = fmt::format("{}/{}", plural(element.type), file);
    out.text = text;
    out.as_it_was = true;
    return out;
  }
  const auto created = full_time(element.created);
  const auto day = memory && created ? created->substr(0, kDayLength) + "/" : std::string();
  out.file = fmt::format("{}/{}{}.{}", plural(element.type), day, slug(element.name),
                         memory ? "yaml" : "md");
  auto made = whole(dollhouse_fields(source->value), source->value.text, memory);
  if (!made) return std::move(made).error();
  out.text = std::move(*made);
  out.lost = std::move(source->lost);
  return out;
}

Result<Converted> to_native(const ElementValue& value) {
  JsonObject fields;
  for (const std::string_view name : {"name", "description"}) {
    if (const auto* field = value.fields.if_contains(name)) fields.emplace(name, *field);
  }
  const auto stem = slug(value.id);
  if (stem != value.id) fields.emplace("id", value.id);
  for (const auto& member : value.fields) fields.emplace(member.key(), member.value());
  Converted out;
  out.file = fmt::format("{}/{}.md", to_string(value.type), stem);
  auto made = make_document(fields, value.text);
  const auto main = main_field(value.type);
  if (!made && (value.text.empty() || !main.empty())) {
    if (!value.text.empty()) fields.emplace(main, value.text);
    out.file.replace(out.file.size() - 2, 2, "yaml");
    made = whole(fields, "", true);
  }
  if (!made) return std::move(made).error();
  out.text = std::move(*made);
  return out;
}

}  // namespace lode
