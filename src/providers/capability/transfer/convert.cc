#include "providers/capability/transfer/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/utf8.h"
#include "providers/capability/transfer/derived.h"
#include "providers/capability/transfer/format.h"
#include "providers/capability/transfer/forms.h"
#include "providers/capability/transfer/origin.h"
#include "store/yaml_write.h"

namespace lode {
namespace {

constexpr std::size_t kDayLength = 10;
// Dollhouse reads memories up to here; beyond it a file says itself alone.
constexpr std::size_t kMostCarrying = 256 * 1024;

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
  bool says_updated = false;
};

// With its times, which may be those of the file alone.
Result<Source> source_of(const Element& element, const std::string& text) {
  auto document = Document::parse(text, form_of_file(element.file));
  if (!document) return std::move(document).error();
  auto value = value_of(element.type, element.id, document->frontmatter(), document->body());
  const bool says_updated = value.fields.contains("updated");
  value.fields.insert_or_assign("created", element.created);
  value.fields.insert_or_assign("updated", element.updated);
  return Source{std::move(*document), std::move(value), says_updated};
}

// NEXS does not start where one of these has another shape in one file.
bool has_nexs_shapes(const YamlNode& metadata) {
  const auto is_scalar = [](const YamlNode& node) { return !node.is_list() && !node.is_map(); };
  for (const auto& member : metadata.members) {
    const auto& key = member.key;
    const auto& value = member.value;
    if (value.kind == YamlKind::null) continue;
    const bool time = key == "createdat" || key == "updatedat";
    if (time && !full_time(value.text)) return false;
    if (key == "isactive" && value.kind != YamlKind::boolean) return false;
    if (key == kCustom && !value.is_map()) return false;
    if (key == "tags" &&
        (!value.is_list() || !std::all_of(value.items.begin(), value.items.end(), is_scalar))) {
      return false;
    }
    const bool text = key == "id" || key == "type" || key == "name" || key == "description" ||
                      key == "version" || key == "author";
    if (text && !is_scalar(value)) return false;
  }
  return true;
}

bool is_nexs_form(const Document& document, std::string_view file) {
  const auto own = [](const YamlMember& member) {
    return (member.key == "metadata" || member.key == "data") && member.value.is_map();
  };
  const auto& members = document.frontmatter().members;
  if (file.ends_with(".md") || !document.body().empty() ||
      document.find({"metadata", "id"}) == nullptr ||
      !std::all_of(members.begin(), members.end(), own)) {
    return false;
  }
  return has_nexs_shapes(*document.find({"metadata"}));
}

// Dollhouse can read it, and misses nothing.
bool is_dollhouse_form(const Source& source, const Element& element) {
  const auto& root = source.document.frontmatter();
  const auto [common, typed] = maps_of(root);
  if (&common != &root && &typed != &root) return false;  // that of NEXS
  const bool has_body = !source.document.body().empty();
  if (!derived_for_dollhouse(source.value).empty()) return false;
  if (element.type == ElementType::memory) {
    // One that has its text in a field would be an empty one there.
    return root.find("entries") != nullptr || has_body || root.find("content") == nullptr;
  }
  return element.file.ends_with(".md") || has_body;
}

// Where Dollhouse looks for memories: below the folder itself, of a day, of the system or
// of adapters, in files that end so; and nowhere where the name speaks of a backup.
std::string memory_place(const Element& element, const std::string& stem, bool as_it_is) {
  const auto below = element.file.substr(element.file.find('/') + 1);
  const auto slash = below.rfind('/');
  auto folder = slash == below.npos ? std::string() : below.substr(0, slash);
  const auto created = full_time(element.created);
  const bool day = folder.size() == kDayLength && full_time(folder);
  const bool stays = folder.empty() && as_it_is;
  if (!stays && !day && folder != "system" && folder != "adapters") {
    folder = created ? created->substr(0, kDayLength) : "";
  }
  auto name = stem;
  for (auto at = slug(name).find("backup"); at != name.npos; at = slug(name).find("backup")) {
    name = slug(name).insert(at + 4, "-");
  }
  return fmt::format("memories/{}{}{}.yaml", folder, folder.empty() ? "" : "/", name);
}

Result<std::string> whole(const JsonObject& fields, const std::string& text, bool yaml) {
  if (!yaml || !text.empty()) return make_document(fields, text);
  auto made = to_yaml(fields);
  auto read = Document::parse(made, DocumentForm::yaml);
  if (!read) return std::move(read).error();
  return made;
}

// The form with the original in it. NEXS shows all of `custom` in its lists, and does not
// look at what it does not know in `data`; and where the original is, nothing needs to be
// in `custom` but what was there.
JsonObject carrying(TransferFormat format, const FormFields& form, const Origin& origin,
                    const ElementValue& value) {
  auto fields = form.fields;
  if (format == TransferFormat::dollhouse) {
    fields[kCustom].as_object()[kOriginMark] = origin.json();
    return fields;
  }
  fields["data"].as_object()[kOriginMark] = origin.json();
  auto& custom = fields["metadata"].as_object()[kCustom];
  const auto* own = value.fields.if_contains(kCustom);
  JsonObject kept = own != nullptr && own->is_object() ? own->get_object() : JsonObject();
  kept[kDerivedMark] = custom.as_object()[kDerivedMark];
  custom = std::move(kept);
  return fields;
}

// With the original in it, unless that is too long for it, or no text.
Result<std::string> with_origin(TransferFormat format, const FormFields& form, const Origin& origin,
                                const ElementValue& value, std::vector<std::string>& lost) {
  const bool yaml = format == TransferFormat::nexs || value.type == ElementType::memory;
  if (valid_utf8(origin.text)) {
    auto made = whole(carrying(format, form, origin, value), form.body, yaml);
    if (made && made->size() <= kMostCarrying) return made;
  }
  lost.emplace_back("too long to carry its own file along: it comes back in Lode's own form");
  if (has_comment(origin.text)) lost.emplace_back("comments are left behind");
  return whole(form.fields, form.body, yaml);
}

int number_of(std::string_view digits) { return (digits[0] - '0') * 10 + (digits[1] - '0'); }

// "2025-02-30" is none. REQUIRES: digits where a day has them.
bool is_day(std::string_view text) {
  const std::chrono::year year{number_of(text) * 100 + number_of(text.substr(2))};
  const std::chrono::month month{static_cast<unsigned>(number_of(text.substr(5)))};
  const std::chrono::day day{static_cast<unsigned>(number_of(text.substr(8)))};
  return std::chrono::year_month_day{year, month, day}.ok();
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
  if (!day || !is_day(text)) return std::nullopt;
  if (text.size() == kDayLength) return fmt::format("{}T00:00:00Z", text);
  const bool clock = digits(11, 2) && digits(14, 2) && digits(17, 2) && text[13] == ':' &&
                     text[16] == ':' && (text[kDayLength] == 'T' || text[kDayLength] == ' ');
  if (!clock || number_of(text.substr(11)) > 23 || number_of(text.substr(14)) > 59 ||
      number_of(text.substr(17)) > 59) {
    return std::nullopt;
  }
  std::string out(text);
  out[kDayLength] = 'T';
  const auto zone = out.find_first_not_of(".0123456789", 17);
  if (zone == out.npos) return out + "Z";
  const bool offset = (out[zone] == '+' || out[zone] == '-') && out.size() == zone + 6;
  if (out.substr(zone) == "Z" || offset) return out;
  return std::nullopt;
}

Result<Converted> to_nexs(const Element& element, const std::string& text, const std::string& id) {
  auto source = source_of(element, text);
  if (!source) return std::move(source).error();
  auto& value = source->value;
  Converted out;
  out.id = id.empty() ? element.id : id;
  const auto created = full_time(element.created);
  out.file = fmt::format("elements/{}/{}/{}.yaml", to_string(element.type),
                         created ? created->substr(0, kDayLength) : "undated", file_name(out.id));
  if (id.empty() && is_nexs_form(source->document, element.file)) {
    out.text = text;
    out.as_it_was = true;
    return out;
  }
  value.id = out.id;
  for (const std::string_view name : {"created", "updated"}) {
    const auto time = full_time(text_field(value.fields, name));
    if (!time) {
      out.lost.push_back(fmt::format("{} \"{}\" is no time", name, text_field(value.fields, name)));
    }
    value.fields[name] = time.value_or("1970-01-01T00:00:00Z");
  }
  const auto form = nexs_form(value);
  out.lost.insert(out.lost.end(), form.told.begin(), form.told.end());
  auto made = with_origin(TransferFormat::nexs, form, {element.file, text}, value, out.lost);
  if (!made) return std::move(made).error();
  out.text = std::move(*made);
  return out;
}

Result<Converted> to_dollhouse(const Element& element, const std::string& text) {
  auto source = source_of(element, text);
  if (!source) return std::move(source).error();
  const bool memory = element.type == ElementType::memory;
  Converted out;
  const bool as_it_is = is_dollhouse_form(*source, element);
  const auto stem = as_it_is ? stem_of(element.file) : slug(element.name);
  out.file = memory ? memory_place(element, stem, as_it_is)
                    : fmt::format("{}/{}.md", plural(element.type), stem);
  if (as_it_is) {
    out.text = text;
    out.as_it_was = true;
    return out;
  }
  // Dollhouse can do without, and the time of a file is another for each copy.
  if (!source->says_updated) source->value.fields.erase("updated");
  const auto form = dollhouse_form(source->value);
  out.lost = form.told;
  auto made =
      with_origin(TransferFormat::dollhouse, form, {element.file, text}, source->value, out.lost);
  if (!made) return std::move(made).error();
  out.text = std::move(*made);
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
