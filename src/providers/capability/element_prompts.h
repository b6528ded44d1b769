// Personas and templates as prompts: "persona-reviewer". An element that a caller may not
// list and read is no prompt for it. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/provider.h"
#include "providers/capability/collection.h"
#include "providers/capability/element_gate.h"

namespace lode {

class ElementPrompts final : public Prompts {
 public:
  // REQUIRES: the collection outlives it.
  explicit ElementPrompts(Collection& collection) : collection_(collection) {}

  // What a persona's or template's prompt is called: "persona-reviewer".
  static std::string name_of(const Collection& collection, const Element& element);
  // The address of the prompt that an element is; nothing: it is none.
  static std::optional<std::string> address_of(const Collection& collection, ElementType type,
                                               std::string_view id);

  Result<Page<Prompt>> list(const Exchange& exchange, const ListQuery& query) override;
  std::optional<Prompt> find(std::string_view name) const override;
  std::optional<Uri> source(std::string_view name) const override;
  Result<Outcome> get(const Exchange& exchange, std::string_view name,
                      const JsonObject& arguments) override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;

 private:
  ElementGate gate_of(const Exchange& exchange) const {
    return {exchange, collection_, ElementGate::Of::resources};
  }
  static bool is_prompt(const ElementGate& gate, const Element& element) {
    return gate.shows(element) && gate.admit(Action::read, element).ok();
  }
  // The element that a prompt is made of; nothing: there is none.
  std::optional<Element> prompted(std::string_view name) const;

  Collection& collection_;
};

}  // namespace lode
