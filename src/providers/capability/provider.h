// The capability index and the skills, as resources and prompts.
//
//   capability-index://summary, full, active, stats, problems{?after}
//   capability-index://elements/{type}{?tag,author,limit,cursor}
//   capability-index://elements/{type}/{id}
//   capability-index://recent{?days,limit,cursor}
//   capability-index://search{?q,type,limit}
//   skill://{name}/{+path}
//
// The addresses of NEXS and Dollhouse answer too: they are spellings of these.
// Personas and templates are prompts. An element that the policy hides from a
// caller is in none of its lists, pages and prompts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/provider.h"
#include "providers/capability/active.h"
#include "providers/capability/collection.h"
#include "providers/capability/element_gate.h"
#include "providers/capability/element_news.h"
#include "providers/capability/element_prompts.h"
#include "providers/capability/pages.h"
#include "providers/capability/skills.h"

namespace lode {

class CapabilityProvider final : public Provider, public Resources {
 public:
  using Facts = std::function<ServingFacts()>;

  // REQUIRES: what is referred to outlives it; the collection tells its changes
  // to the news, which may be null if nobody listens. active may be null: there are no
  // records.
  CapabilityProvider(Collection& collection, const Index& index, const ActiveElements* active,
                     Facts facts, ElementNews* news = nullptr);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Prompts* prompts() override { return &prompts_; }
  Skills* skills() override { return &skills_; }

  Uri canonical(const Uri& uri) const override;
  std::optional<FileBehind> file_behind(const Uri& uri) const override;
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Page<Entry>> children(const Exchange& exchange, const Uri& uri,
                               const ListQuery& query) override;
  std::optional<std::string> local_path(const Uri& uri) const override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;
  // Of an element that a search found; nothing: it has gone.
  std::optional<CapabilityPages::HitDetails> details_of(const Exchange& exchange,
                                                        std::string_view uri,
                                                        std::string_view query) const {
    return pages_.details_of(gate_of(exchange), uri, query);
  }

  Status watchable(const Uri& uri) const override;
  void watch(const Uri& uri, bool on) override;

 private:
  // The skills of the shelf, once the elements are there.
  class SkillList final : public Skills {
   public:
    SkillList(Collection& collection, const SkillShelf& shelf)
        : collection_(collection), shelf_(shelf) {}
    Result<Page<Skill>> list(const Exchange& exchange, const ListQuery& query) override;
    Result<Skill> get(const Exchange& exchange, const Uri& uri) override;

   private:
    Collection& collection_;
    const SkillShelf& shelf_;
  };

  using Answer = Result<Content> (CapabilityProvider::*)(const Exchange& exchange,
                                                         const Address& address) const;

  Manifest make_manifest();
  Route route(TemplateEntry entry, Answer answer, bool listed = true);
  // A page: what the function says, marked as made of elements.
  Result<Outcome> answer(const Exchange& exchange, const Address& address, Answer page) const;
  ElementGate gate_of(const Exchange& exchange) const;
  std::optional<Element> find_element(const Uri& uri) const;

  Result<Content> summary(const Exchange& exchange, const Address& address) const;
  Result<Content> full(const Exchange& exchange, const Address& address) const;
  Result<Content> stats(const Exchange& exchange, const Address& address) const;
  Result<Content> active(const Exchange& exchange, const Address& address) const;
  Result<Content> problems(const Exchange& exchange, const Address& address) const;
  Result<Content> recent(const Exchange& exchange, const Address& address) const;
  Result<Content> search(const Exchange& exchange, const Address& address) const;
  Result<Content> elements(const Exchange& exchange, const Address& address) const;
  Result<Content> element(const Exchange& exchange, const Address& address) const;
  Result<Outcome> skill_file(const Exchange& exchange, const Address& address) const;

  Collection& collection_;
  ElementNews* const news_;
  const SkillShelf shelf_;
  const CapabilityPages pages_;
  const Facts facts_;
  ElementPrompts prompts_;
  SkillList skills_;
  const std::shared_ptr<const Manifest> manifest_;
};

// The active elements that are there.
std::vector<Element> active_elements(const Collection& collection, const ActiveElements* active);

}  // namespace lode
