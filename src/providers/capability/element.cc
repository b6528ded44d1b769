#include "providers/capability/element.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>

#include "base/hash.h"
#include "base/uri.h"
#include "base/utf8.h"
#include "providers/capability/relations.h"
#include "providers/capability/template_text.h"
#include "providers/capability/template_values.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, kElementTypeCount> kSingular{
    "persona", "skill", "template", "agent", "ensemble", "memory"};
constexpr std::array<std::string_view, kElementTypeCount> kPlural{
    "personas", "skills", "templates", "agents", "ensembles", "memories"};

constexpr std::array<std::string_view, 6> kCreated{"created",   "created_at",   "createdat",
                                                   "createdAt", "created_date", "date_created"};
constexpr std::array<std::string_view, 10> kUpdated{
    "updated",       "updated_at",   "updatedat",     "updatedAt",    "modified",
    "last_modified", "lastModified", "date_modified", "last_updated", "updated_date"};
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

// Digits alone, so many of them; nothing: they are not.
std::optional<int> digits_in(std::string_view text, std::size_t begin, std::size_t count) {
  if (text.size() < begin + count) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(begin, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// What follows the seconds: a fraction, and a zone in minutes east.
std::optional<int> zone_in(std::string_view rest) {
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of("0123456789"), rest.size()));
  }
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.empty() || rest == "Z" || rest == "z") return 0;
  if (rest[0] != '+' && rest[0] != '-') return std::nullopt;
  const auto hours = digits_in(rest, 1, 2);
  const bool colon = rest.size() > 3 && rest[3] == ':';
  const auto minutes = rest.size() == 3 ? std::optional(0) : digits_in(rest, colon ? 4 : 3, 2);
  if (!hours || !minutes || rest.size() > 6) return std::nullopt;
  return (rest[0] == '-' ? -1 : 1) * (*hours * 60 + *minutes);
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

// What a template's text names and its file does not declare is a variable all the
// same: a prompt that nobody can answer helps nobody. Where others are declared it may
// be a slip, and is told; within a loop it is rather a key of an item.
void declare_others(const std::string& text, std::size_t line, ElementReading& reading) {
  auto& variables = reading.element.variables;
  const auto& file = reading.element.file;
  const bool some = !variables.empty();
  std::set<std::string, std::less<>> known;
  for (const auto& variable : variables) known.insert(variable.name);
  for (auto& used : names_used(text)) {
    if (known.contains(used.name) || (some && used.only_inside)) continue;
    if (!valid_utf8(used.name)) continue;  // a body may hold any bytes, an argument may not
    if (some) {
      reading.problems.push_back(
          {file, line,
           fmt::format("variables: {{{{{}}}}} is not declared, and is taken as optional",
                       cut_text(used.name, 60)),
           "", "", true});
    }
    const std::string type(used.listed ? kListOrMap : "string");
    variables.push_back({std::move(used.name), "", type, std::nullopt, false, {}});
  }
  if (const auto wrong = problem_in_template(text)) {
    reading.problems.push_back({file, line, "the text cannot be filled in: " + *wrong});
  }
}

// Whether what stands at a key is an id, a date, a version or a word of the format, in the
// spellings of all: "unique_id", "skillId", "created_at", "privacyLevel".
bool is_no_text(std::string_view key) {
  constexpr std::array<std::string_view, 24> kKeys{
      "id",        "ids",       "uuid",      "guid",     "hash",       "checksum",
      "signature", "version",   "timestamp", "created",  "updated",    "modified",
      "date",      "type",      "format",    "required", "level",      "complexity",
      "formality", "verbosity", "status",    "priority", "age_rating", "privacy_level"};
  constexpr std::array<std::string_view, 10> kEndings{
      "_id", "_ids", "_at", "_date", "_hash", "_type", "_mode", "_version", "_level", "_format"};
  std::string word;
  for (const char c : key) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !word.empty() && word.back() != '_') word += '_';
    word += upper ? static_cast<char>(c | 32) : c == '-' ? '_' : c;
  }
  const auto ends = [&](std::string_view ending) { return word.ends_with(ending); };
  return std::ranges::find(kKeys, word) != kKeys.end() || std::ranges::any_of(kEndings, ends) ||
         word.starts_with("date_") || word.starts_with("last_");
}

// Every word of the values that somebody wrote as text, for the index.
void gather_text(const YamlNode& node, std::string& out) {
  constexpr std::size_t kMost = 256 * 1024;
  if (out.size() > kMost) return;
  if (node.is_string() && !parse_time(node.text)) out.append(node.text).append("\n");
  for (const auto& item : node.items) gather_text(item, out);
  for (const auto& member : node.members) {
    const bool scalar = is_scalar(member.value) || member.value.is_list();
    if (!scalar || !is_no_text(member.key)) gather_text(member.value, out);
  }
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

// Of a text that is ASCII at its beginning, as frontmatter is.
bool is_utf16(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;
  return text.size() > 1 && (text[0] == '\0') != (text[1] == '\0');
}

Result<Document> parse(const ElementFile& file) {
  if (is_utf16(file.text)) return invalid("line 1: the file is in UTF-16: save it as UTF-8");
  const bool markdown = file.file.ends_with(".md");
  return Document::parse(std::string(file.text),
                         markdown ? DocumentForm::markdown : DocumentForm::yaml);
}

}  // namespace

std::string id_of_file(std::string_view file) { return slug(stem_of(file)); }

std::string_view to_string(ElementType type) { return kSingular[static_cast<std::size_t>(type)]; }

std::string_view plural_of(ElementType type) { return kPlural[static_cast<std::size_t>(type)]; }

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

std::optional<std::chrono::sys_seconds> parse_time(std::string_view text) {
  using namespace std::chrono;
  const auto year = digits_in(text, 0, 4);
  const auto month = digits_in(text, 5, 2);
  const auto day = digits_in(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  const year_month_day date{std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const sys_seconds midnight{sys_days(date)};
  if (text.size() == 10) return midnight;
  const auto hour = digits_in(text, 11, 2);
  const auto minute = digits_in(text, 14, 2);
  const bool has_seconds = text.size() > 16 && text[16] == ':';
  const auto second = has_seconds ? digits_in(text, 17, 2) : std::optional(0);
  const bool separated = text[10] == 'T' || text[10] == 't' || text[10] == ' ';
  if (!separated || !hour || !minute || !second || text[13] != ':') return std::nullopt;
  const auto zone = zone_in(text.substr(has_seconds ? 19 : 16));
  if (!zone || *hour > 24 || *minute > 59 || *second > 60) return std::nullopt;
  return midnight + hours(*hour) + minutes(*minute - *zone) + seconds(*second);
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
  if (element.updated.empty() && parse_time(element.created)) element.updated = element.created;
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
    const auto* declared = typed.find("variables");
    element.variables = variables_of(declared);
    declare_others(template_content(*document), declared == nullptr ? typed.line : declared->line,
                   reading);
  }
  const auto said = find_element_type(text_of(common, "type").value_or(""));
  if (said && *said != file.type) {
    reading.problems.push_back(
        {element.file, common.find("type")->line,
         fmt::format("type says {0}, but the file is in a folder of type {1}, which counts: move "
                     "it to {0}/, or change its type",
                     to_string(*said), to_string(file.type))});
  }
  element.relations = relations_of(file.type, common, typed);

  check_fields(file.type, common, file.file, reading.problems);
  if (&typed != &common) check_fields(file.type, typed, file.file, reading.problems);
  gather_text(root, reading.searched);
  reading.searched.append(document->body());
  return reading;
}

}  // namespace lode
