// The capability index and the skills, as resources, prompts and a tool.
//
//   capability-index://summary, full, stats
//   capability-index://elements/{type}{?tag,author,limit,cursor}
//   capability-index://elements/{type}/{id}
//   capability-index://recent{?days}
//   capability-index://search{?q,type,limit}
//   skill://{name}/{+path}
//
// The addresses of NEXS and Dollhouse answer too: they are spellings of these.
// Personas and templates are prompts.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "engine/events.h"
#include "engine/provider.h"
#include "providers/capability/collection.h"
#include "providers/capability/manage.h"
#include "providers/capability/pages.h"
#include "providers/capability/skills.h"

namespace lode {

class CapabilityProvider final : public Provider {
 public:
  using Facts = std::function<ServingFacts()>;

  // REQUIRES: what is referred to outlives it; the collection tells its changes
  // to publish_elements().
  // active may be null: there are no records.
  CapabilityProvider(Collection& collection, const Index& index, const ElementManager& manager,
                     const ActiveElements* active, Facts facts);

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
  Result<Content> page(const Exchange& exchange, const Uri& uri, Contents& contents) const;
  Result<Content> elements(const Exchange& exchange, const Uri& uri) const;
  Result<Outcome> render_prompt(std::string_view name, const JsonObject& values) const;

  Collection& collection_;
  const ElementManager& manager_;
  const SkillShelf shelf_;
  const CapabilityPages pages_;
  const Facts facts_;
  const Manifest manifest_;
};

// The active elements that are there.
std::vector<Element> active_elements(const Collection& collection, const ActiveElements* active);

// Tells the events which elements changed.
void publish_elements(const std::set<Collection::Key>& changed, Events& events);

}  // namespace lode
