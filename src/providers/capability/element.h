// An element: a persona, skill, template, agent, ensemble or memory, as its file
// says it.
//
// A file is markdown with frontmatter, or YAML. A name and a description
// suffice. What else the frontmatter holds is kept there; what Lode understands
// of it is read here, in the spellings of NEXS and Dollhouse too. Values: no
// thread, no file.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/yaml.h"

namespace lode {

enum class ElementType : std::uint8_t { persona, skill, template_, agent, ensemble, memory };
inline constexpr std::size_t kElementTypeCount = 6;

// The id of an element whose file does not say one: the slug of the file's name;
// of a SKILL.md, that of its folder.
std::string id_of_file(std::string_view file);

// "persona", "template", …
std::string_view to_string(ElementType type);
// "personas", "memories", …
std::string_view plural_of(ElementType type);
// Also in the plural, and in any case; nothing: no type.
std::optional<ElementType> find_element_type(std::string_view name);
inline constexpr std::array<ElementType, kElementTypeCount> kElementTypes{
    ElementType::persona, ElementType::skill,    ElementType::template_,
    ElementType::agent,   ElementType::ensemble, ElementType::memory};

// Lower case, letters and digits with single dashes between: what a name is
// called in an address. "unnamed" if nothing is left.
std::string slug(std::string_view name);

struct Relation {
  std::string kind;    // "uses", "has persona", "has member", "relates to", "depends on", …
  std::string target;  // an id, a name, or "type:name"
  std::optional<ElementType> type;  // of the target, if the field says it
  std::size_t line = 0;
};

// A variable of a template.
struct Variable {
  std::string name;
  std::string description;
  std::string type = "string";
  std::optional<std::string> fallback;  // of a list or map, its JSON
  bool required = false;
  std::vector<std::string> choices{};  // what it may be; empty: anything
};

struct Element {
  ElementType type = ElementType::persona;
  std::string id;
  std::string name;
  std::string description;
  std::string version = "1.0.0";
  std::string author;
  std::vector<std::string> tags;
  // As the file says; of one that it does not say, the other stands, if that is a date, else
  // the file's own time, in ISO 8601.
  std::string created;
  std::string updated;
  std::vector<std::string> goals;    // of an agent
  std::vector<std::string> actions;  // of an agent
  std::vector<Relation> relations;
  std::vector<Variable> variables;  // of a template

  // Of the file.
  std::string file;           // below its folder: "persona/reviewer.md"
  bool of_workspace = false;  // else of the user
  bool foreign = false;       // other programs keep it: it is never written
  std::size_t folder = 0;     // which of the collection's
  std::uint64_t stamp = 0;    // differs when the file does

  // capability-index://elements/persona/reviewer
  std::string uri() const;
};

// Something in a file that is not as it should be; the element is served all
// the same.
struct Problem {
  std::string file;
  std::size_t line = 0;
  std::string text;                 // names the field
  std::string uri{};                // of the element, or of what it would be
  std::string path{};               // of the file, as its folder is known; empty: not of one file
  bool harmless = false;            // the element works all the same: no reason to refuse a change
  std::vector<std::string> also{};  // other addresses of the element (FileBehind::also)

  // "persona/reviewer.md:7: intensity: …"
  std::string sentence() const;
};

struct ElementReading {
  Element element;
  std::string searched;  // what the index reads besides name, tags and description
  std::vector<Problem> problems;
};

struct ElementFile {
  ElementType type;
  std::string_view file;  // below its folder
  std::string_view text;
  std::chrono::system_clock::time_point modified;
};

// Code::invalid: the file is malformed; the message names the line.
Result<ElementReading> read_element(const ElementFile& file);

// 2026-01-15T13:05:01Z
std::string iso_time(std::chrono::system_clock::time_point time);
// A date, or a date and a time, as ISO 8601 and YAML write them; without a zone it is UTC.
// Nothing: it is none.
std::optional<std::chrono::sys_seconds> parse_time(std::string_view text);

// What every field of a type must be, held against what is there. The table is
// element_fields.cc.
void check_fields(ElementType type, const YamlNode& root, std::string_view file,
                  std::vector<Problem>& problems);

// NEXS and Dollhouse's memories keep the common fields in `metadata`, NEXS those
// of the type in `data`; else both are the whole frontmatter.
struct ElementMaps {
  const YamlNode& common;
  const YamlNode& typed;
};
ElementMaps maps_of(const YamlNode& frontmatter);

// The text of a scalar member, as it is written; nothing if it is not there or
// no scalar.
std::optional<std::string> text_of(const YamlNode& map, std::string_view key);

}  // namespace lode
