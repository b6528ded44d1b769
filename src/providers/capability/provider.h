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
#include "providers/capability/pages.h"

namespace lode {

class CapabilityProvider final : public Provider {
 public:
  using Facts = std::function<ServingFacts()>;

  // REQUIRES: what is referred to outlives it; the collection tells its changes
  // to publish_elements().
  CapabilityProvider(Collection& collection, const Index& index, Facts facts);

  const Manifest& manifest() const override { return manifest_; }
  Uri canonical(const Uri& uri) const override;
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  Result<Page<Prompt>> prompts(const Exchange& exchange, const ListQuery& query) override;
  std::optional<Prompt> find_prompt(std::string_view name) const override;
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;

 private:
  Result<Content> page(const Exchange& exchange, const Uri& uri, Contents& contents) const;
  Result<Content> elements(const Exchange& exchange, const Uri& uri) const;
  Result<Outcome> render_prompt(std::string_view name, const JsonObject& values) const;

  Collection& collection_;
  const CapabilityPages pages_;
  const Facts facts_;
  const Manifest manifest_;
};

// Tells the events which elements changed.
void publish_elements(const std::set<Collection::Key>& changed, Events& events);

}  // namespace lode
