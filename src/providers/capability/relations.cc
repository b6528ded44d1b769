#include "providers/capability/relations.h"

#include <algorithm>
#include <array>

namespace lode {
namespace {

// A field that names elements: a text, a list of texts, a list of maps of which
// `inner` (or the one after it) names the element, or texts between commas.
struct Naming {
  std::string_view field;
  std::string_view kind;
  std::optional<ElementType> target;
  std::array<std::string_view, 3> inner{};
  std::string_view type_field{};  // which says the target's type
};

const std::array kNamings = {
    Naming{"persona", "has persona", ElementType::persona},
    Naming{"persona_id", "has persona", ElementType::persona},
    Naming{"skills", "uses", ElementType::skill},
    Naming{"related_skills", "uses", ElementType::skill},
    Naming{"related_templates", "uses", ElementType::template_},
    Naming{"related_memories", "relates to", ElementType::memory},
    Naming{"related_to", "relates to", std::nullopt},
    Naming{"related", "relates to", std::nullopt},
    Naming{"includes", "includes", ElementType::template_},
    Naming{"members", "has member", ElementType::agent, {"agent_id", "agent", "id"}},
    Naming{"elements",
           "has member",
           std::nullopt,
           {"element_name", "elementName", "name"},
           "element_type"},
    Naming{"dependencies", "depends on", std::nullopt, {"skill_id", "elementId", "element_id"}},
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

class Collector {
 public:
  explicit Collector(std::vector<Relation>& out) : out_(out) {}

  void collect(const Naming& naming, const YamlNode& value) {
    if (value.is_list()) {
      for (const auto& item : value.items) add_item(naming, item);
    } else if (!value.is_map()) {
      add_words(naming, value);
    }
  }

  void add(const Naming& naming, std::string_view target, std::optional<ElementType> type,
           std::size_t line) {
    target = trimmed(target);
    if (target.empty()) return;
    const auto same = [&](const Relation& r) {
      return r.target == target && r.kind == naming.kind;
    };
    if (std::any_of(out_.begin(), out_.end(), same)) return;
    out_.push_back({std::string(naming.kind), std::string(target), type, line});
  }

 private:
  void add_item(const Naming& naming, const YamlNode& item) {
    if (!item.is_map()) return add(naming, item.text, naming.target, item.line);
    for (const auto key : naming.inner) {
      const auto name = key.empty() ? std::nullopt : text_of(item, key);
      if (!name) continue;
      return add(naming, *name, type_in(naming, item), item.line);
    }
  }

  static std::optional<ElementType> type_in(const Naming& naming, const YamlNode& item) {
    for (const std::string_view key :
         {naming.type_field, std::string_view("elementType"), std::string_view("type")}) {
      const auto word = key.empty() ? std::nullopt : text_of(item, key);
      const auto type = word ? find_element_type(*word) : std::nullopt;
      if (type) return type;
    }
    return naming.target;
  }

  void add_words(const Naming& naming, const YamlNode& value) {
    std::string_view rest = value.text;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(','), rest.size());
      add(naming, rest.substr(0, end), naming.target, value.line);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  std::vector<Relation>& out_;
};

// activates: {skills: […], personas: […]}
void collect_activated(const YamlNode& activates, Collector& collector) {
  for (const auto& member : activates.members) {
    const auto type = find_element_type(member.key);
    if (type) collector.collect(Naming{member.key, "activates", type}, member.value);
  }
}

}  // namespace

std::vector<Relation> relations_of(ElementType type, const YamlNode& common,
                                   const YamlNode& typed) {
  std::vector<Relation> out;
  Collector collector(out);
  for (const YamlNode* map : {&common, &typed}) {
    for (const auto& naming : kNamings) {
      // What a memory's metadata says is one of both families' spellings.
      if (const auto* value = map->find(naming.field)) collector.collect(naming, *value);
    }
    if (const auto* activates = map->find("activates")) collect_activated(*activates, collector);
    if (&common == &typed) break;
  }
  if (type == ElementType::memory) {
    const auto* metadata = typed.find("metadata");
    const auto* related = metadata == nullptr ? nullptr : metadata->find("related_to");
    if (related != nullptr) collector.collect(Naming{"related_to", "relates to", {}}, *related);
  }
  return out;
}

}  // namespace lode
