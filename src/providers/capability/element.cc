#include "providers/capability/element.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "base/uri.h"
#include "base/utf8.h"
#include "providers/capability/relations.h"
#include "providers/capability/template_text.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, kElementTypeCount> kSingular{
    "persona", "skill", "template", "agent", "ensemble", "memory"};
constexpr std::array<std::string_view, kElementTypeCount> kPlural{
    "personas", "skills", "templates", "agents", "ensembles", "memories"};

constexpr std::array<std::string_view, 5> kCreated{"created", "created_at", "createdat",
                                                   "created_date", "date_created"};
constexpr std::array<std::string_view, 5> kUpdated{"updated", "updated_at", "updatedat", "modified",
                                                   "last_modified"};
constexpr std::array<std::string_view, 2> kIds{"id", "unique_id"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  return out;
}

bool is_scalar(const YamlNode& node) { return !node.is_list() && !node.is_map(); }

std::string first_text(const YamlNode& map, std::span<const std::string_view> keys) {
  for (const auto key : keys) {
    if (auto text = text_of(map, key)) return *text;
  }
  return "";
}

std::vector<std::string> texts(const YamlNode* list) {
  std::vector<std::string> out;
  if (list == nullptr) return out;
  for (const auto& item : list->items) {
    if (is_scalar(item) && !item.text.empty()) out.push_back(item.text);
  }
  return out;
}

// The names in a list of maps, or the items of a list of texts.
std::vector<std::string> names_in(const YamlNode* list) {
  std::vector<std::string> out = texts(list);
  if (list == nullptr) return out;
  for (const auto& item : list->items) {
    if (auto name = text_of(item, "name")) out.push_back(*name);
  }
  return out;
}

std::optional<std::string> default_of(const YamlNode& variable) {
  const auto* value = variable.find("default");
  if (value == nullptr || is_scalar(*value)) return text_of(variable, "default");
  return to_text(to_json(*value));
}

std::vector<std::string> choices_of(const YamlNode& variable) {
  for (const std::string_view key : {"enum", "options", "choices", "values"}) {
    if (auto found = texts(variable.find(key)); !found.empty()) return found;
  }
  return {};
}

std::vector<Variable> variables_of(const YamlNode* list) {
  std::vector<Variable> out;
  if (list == nullptr) return out;
  for (const auto& item : list->items) {
    Variable variable;
    variable.name = is_scalar(item) ? item.text : text_of(item, "name").value_or("");
    if (variable.name.empty()) continue;
    variable.description = text_of(item, "description").value_or("");
    variable.type = text_of(item, "type").value_or("string");
    variable.fallback = default_of(item);
    variable.choices = choices_of(item);
    const auto* required = item.find("required");
    variable.required = required != nullptr && required->boolean;
    out.push_back(std::move(variable));
  }
  return out;
}

// Every word of the values, for the index.
void gather_text(const YamlNode& node, std::string& out) {
  constexpr std::size_t kMost = 256 * 1024;
  if (out.size() > kMost) return;
  if (node.is_string()) out.append(node.text).append("\n");
  for (const auto& item : node.items) gather_text(item, out);
  for (const auto& member : node.members) gather_text(member.value, out);
}

std::string_view stem_of(std::string_view file) {
  auto name = file.substr(file.rfind('/') + 1);
  if (name == "SKILL.md") {
    auto folder = file.substr(0, file.size() - name.size());
    if (folder.ends_with('/')) folder.remove_suffix(1);
    return folder.substr(folder.rfind('/') + 1);
  }
  return name.substr(0, name.rfind('.'));
}

// Whether its address leads back to it: not with an id like "..".
bool has_address(const Element& element) {
  const auto uri = Uri::parse(element.uri());
  const auto segments = uri ? uri->segments() : std::vector<std::string>();
  return segments.size() == 2 && segments[1] == element.id;
}

Result<Document> parse(const ElementFile& file) {
  const bool markdown = file.file.ends_with(".md");
  return Document::parse(std::string(file.text),
                         markdown ? DocumentForm::markdown : DocumentForm::yaml);
}

}  // namespace

std::string id_of_file(std::string_view file) { return slug(stem_of(file)); }

std::string_view to_string(ElementType type) { return kSingular[static_cast<std::size_t>(type)]; }

std::optional<ElementType> find_element_type(std::string_view name) {
  const auto word = lower(name);
  for (std::size_t i = 0; i < kElementTypeCount; ++i) {
    if (word == kSingular[i] || word == kPlural[i]) return kElementTypes[i];
  }
  return std::nullopt;
}

std::string slug(std::string_view name) {
  std::string out;
  for (const char c : lower(name)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || byte >= 0x80;
    if (word) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  if (out.ends_with('-')) out.pop_back();
  return out.empty() ? "unnamed" : out;
}

std::string iso_time(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

ElementMaps maps_of(const YamlNode& frontmatter) {
  const auto* metadata = frontmatter.find("metadata");
  const auto* data = frontmatter.find("data");
  const bool nested =
      metadata != nullptr && metadata->is_map() && frontmatter.find("name") == nullptr;
  return {nested ? *metadata : frontmatter,
          nested && data != nullptr && data->is_map() ? *data : frontmatter};
}

std::string Element::uri() const {
  return fmt::format("capability-index://elements/{}/{}", to_string(type), encode_component(id));
}

std::string Problem::sentence() const { return fmt::format("{}:{}: {}", file, line, text); }

std::optional<std::string> text_of(const YamlNode& map, std::string_view key) {
  const auto* value = map.find(key);
  if (value == nullptr || !is_scalar(*value) || value->kind == YamlKind::null) return std::nullopt;
  return value->text;
}

Result<ElementReading> read_element(const ElementFile& file) {
  auto document = parse(file);
  if (!document) return std::move(document).error();
  const YamlNode& root = document->frontmatter();
  const auto [common, typed] = maps_of(root);

  ElementReading reading;
  Element& element = reading.element;
  element.type = file.type;
  element.file = file.file;
  element.name = text_of(common, "name").value_or("");
  element.description = text_of(common, "description").value_or("");
  if (element.name.empty()) return invalid("line 1: an element needs a name");
  if (element.description.empty()) {
    reading.problems.push_back({element.file, common.line, "description is missing"});
  }
  element.id = first_text(common, kIds);
  if (element.id.empty()) element.id = id_of_file(file.file);
  if (!has_address(element)) {
    reading.problems.push_back(
        {element.file, common.line, "the id cannot stand in an address; the file's name does"});
    element.id = id_of_file(file.file);
  }
  element.version = text_of(common, "version").value_or("1.0.0");
  element.author = text_of(common, "author").value_or("");
  element.tags = texts(common.find("tags"));
  element.created = first_text(common, kCreated);
  element.updated = first_text(common, kUpdated);
  if (element.updated.empty()) element.updated = iso_time(file.modified);
  if (element.created.empty()) element.created = element.updated;
  element.goals = names_in(typed.find("goals"));
  if (const auto* goal = typed.find("goal")) {
    if (auto text = is_scalar(*goal) ? std::optional(goal->text) : text_of(*goal, "template")) {
      element.goals.push_back(*text);
    }
  }
  element.actions = names_in(typed.find("actions"));
  if (file.type == ElementType::template_) {
    element.variables = variables_of(typed.find("variables"));
    if (element.variables.empty()) {
      for (auto& name : variables_in(template_content(*document))) {
        if (!valid_utf8(name)) continue;  // a body may hold any bytes, an argument may not
        element.variables.push_back({std::move(name), "", "string", std::nullopt, false, {}});
      }
    }
  }
  element.relations = relations_of(file.type, common, typed);

  check_fields(file.type, common, file.file, reading.problems);
  if (&typed != &common) check_fields(file.type, typed, file.file, reading.problems);
  gather_text(root, reading.searched);
  reading.searched.append(document->body());
  return reading;
}

}  // namespace lode
