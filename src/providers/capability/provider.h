// The capability index and the skills, as resources and prompts.
//
//   capability-index://summary, full, stats, problems{?after}
//   capability-index://elements/{type}{?tag,author,limit,cursor}
//   capability-index://elements/{type}/{id}
//   capability-index://recent{?days}
//   capability-index://search{?q,type,limit}
//   skill://{name}/{+path}
//
// The addresses of NEXS and Dollhouse answer too: they are spellings of these.
// Personas and templates are prompts. An element that the policy hides from a
// caller is in none of its lists, pages and prompts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/policy.h"
#include "engine/provider.h"
#include "providers/capability/active.h"
#include "providers/capability/collection.h"
#include "providers/capability/element_gate.h"
#include "providers/capability/pages.h"
#include "providers/capability/skills.h"

namespace lode {

class CapabilityProvider final : public Provider {
 public:
  using Facts = std::function<ServingFacts()>;
  // The policy: whether someone may do this with an address.
  using Permits = std::function<bool(const Principal& who, Action action, const Uri& address)>;

  // REQUIRES: what is referred to outlives it; the collection tells its changes
  // to an ElementNews. active may be null: there are no records.
  CapabilityProvider(Collection& collection, const Index& index, const ActiveElements* active,
                     Facts facts, Permits permits);

  const Manifest& manifest() const override { return manifest_; }
  Uri canonical(const Uri& uri) const override;
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  Result<Page<Prompt>> prompts(const Exchange& exchange, const ListQuery& query) override;
  std::optional<Prompt> find_prompt(std::string_view name) const override;
  Result<Page<Skill>> skills(const Exchange& exchange, const ListQuery& query) override;
  Result<Skill> skill(const Exchange& exchange, const Uri& uri) override;
  Result<Page<Entry>> children(const Exchange& exchange, const Uri& uri,
                               const ListQuery& query) override;
  std::uint64_t stamp(const Uri& uri) const override;
  std::optional<std::string> local_path(const Uri& uri) const override;
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;

 private:
  ElementGate gate_of(const Exchange& exchange) const;
  // Waits a moment for elements that are still being looked at: of a collection of
  // common size all are there then.
  void settle() const;
  Result<Content> page(const Exchange& exchange, const Uri& uri, Contents& contents) const;
  Result<Content> elements(const Exchange& exchange, const Uri& uri) const;
  // The element that a prompt is made of; nothing: there is none.
  std::optional<Element> prompted(std::string_view name) const;
  Result<Completions> complete_prompt(const ElementGate& gate, const CompletionQuery& query) const;

  Collection& collection_;
  const SkillShelf shelf_;
  const CapabilityPages pages_;
  const Facts facts_;
  const Permits permits_;
  const Manifest manifest_;
};

// The active elements that are there.
std::vector<Element> active_elements(const Collection& collection, const ActiveElements* active);

}  // namespace lode
