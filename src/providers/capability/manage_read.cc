// The operations of the tool that read, for who has no resources too; and append.
#include <fmt/format.h>

#include "base/utf8.h"
#include "providers/capability/element_text.h"
#include "providers/capability/manage.h"
#include "providers/capability/manage_arguments.h"

namespace lode {
namespace {

constexpr std::size_t kListed = 200;     // of one type
constexpr std::size_t kListedEach = 50;  // of each, if no type is asked for
constexpr std::size_t kShownBytes = 200;

Contents say(std::string text) {
  Contents contents;
  contents.items.push_back(Content::text(std::move(text)));
  return contents;
}

}  // namespace

Content ElementManager::text_with_dependencies(const ElementGate& gate,
                                               const Element& element) const {
  if (!element.relations.empty()) {
    for (const auto type : kElementTypes) collection_.load(type);  // they may be of any
  }
  auto content = Content::text(ElementTexts(collection_).together(gate, {element}));
  content.mime = "text/markdown";
  content.origin = origin_of(element);
  return content;
}

Result<Contents> ElementManager::run_append(const ElementGate& gate,
                                            const JsonObject& arguments) const {
  if (arguments.contains("type")) {
    auto type = type_in(arguments);
    if (!type) return std::move(type).error();
    if (*type != ElementType::memory) {
      return invalid(fmt::format("a {} has no entries, only a memory has; update changes it",
                                 to_string(*type)));
    }
  }
  Change change{ElementType::memory, text_in(arguments, "id")};
  change.entry = text_in(arguments, "body");
  auto done = update(gate, change);
  if (!done) return std::move(done).error();
  const auto& element = done->element;
  return say(fmt::format("appended to {}: {} (version {}, {})", gate.called(element),
                         fmt::join(done->changed, ", "), element.version, place(element)));
}

// The whole file, as it is.
Result<Contents> ElementManager::run_read(const ElementGate& gate,
                                          const JsonObject& arguments) const {
  auto type = type_in(arguments);
  if (!type) return std::move(type).error();
  auto element = find(gate, *type, text_in(arguments, "id"));
  if (!element) return std::move(element).error();
  if (auto admitted = gate.admit(Action::read, *element); !admitted) {
    return std::move(admitted).error();
  }
  auto text = collection_.text_of(*element);
  if (!text) return std::move(text).error();
  auto contents = say(std::move(*text));
  contents.items.front().mime =
      element->file.ends_with(".md") ? "text/markdown" : "application/yaml";
  contents.items.front().origin = origin_of(*element);
  return contents;
}

void ElementManager::list_type(const ElementGate& gate, ElementType type, std::string_view after,
                               std::size_t most, std::string& out) const {
  collection_.load(type);
  std::size_t shown = 0;
  std::size_t left = 0;
  std::string last;
  collection_.each(type, after, [&](const Element& element) {
    if (!gate.shows(element)) return true;
    if (shown == most) return ++left > 0;
    ++shown;
    last = element.id;
    out += fmt::format("{} {}: {}\n", to_string(type), visible(element.id),
                       visible(cut_text(element.description, kShownBytes)));
    return true;
  });
  if (left == 0) return;
  const auto call = JsonObject{{"operation", "list"}, {"type", to_string(type)}, {"id", last}};
  out += fmt::format("… and {} more: {}\n", left, to_text(call));
}

// The id is the last one of the list before.
Result<Contents> ElementManager::run_list(const ElementGate& gate,
                                          const JsonObject& arguments) const {
  std::string out;
  if (arguments.contains("type")) {
    auto type = type_in(arguments);
    if (!type) return std::move(type).error();
    list_type(gate, *type, text_in(arguments, "id"), kListed, out);
    if (out.empty()) out = fmt::format("there is no {}", to_string(*type));
    return say(std::move(out));
  }
  if (arguments.contains("id")) return invalid("a list that goes on after an id needs its type");
  for (const auto type : kElementTypes) list_type(gate, type, "", kListedEach, out);
  if (out.empty()) out = "there are no elements";
  return say(std::move(out));
}

}  // namespace lode
