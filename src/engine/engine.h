// The core: one function for each thing a client can ask.
//
// Every call goes through the same gates, in this order: the address becomes
// canonical, it must be exposed, the policy must permit, then the cache is
// asked, then the provider. What a caller may not know of looks as if it were
// not there. The engine knows no session, no revision of the protocol and no
// transport. Any thread; all but warm() may block.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/log.h"
#include "engine/cache.h"
#include "engine/catalog.h"
#include "engine/events.h"
#include "engine/exposure.h"
#include "engine/policy_source.h"
#include "engine/provider.h"

namespace lode {

struct EngineOptions {
  Exposure exposure;
  // How long contents are kept at most; 0: no cache.
  std::chrono::milliseconds cache_ttl{std::chrono::minutes(5)};
  std::size_t page = 100;             // items in a page of any list
  std::size_t list_max = 1000;        // resources that are listed at all
  std::size_t completions = 100;      // values in one answer
  std::size_t argument_bytes = 4096;  // of a value to be completed
};

// What the engine works with; everything outlives it.
struct EngineParts {
  const Catalog& catalog;
  Events& events;
  const PolicySource& policy;
  Cache& cache;
  Log& log;
};

// What there is at all, for the capabilities that a server declares.
struct Offer {
  bool resources = false;
  bool tools = false;
  bool prompts = false;
  bool completions = false;
  bool skills = false;
};

// Contents with their renderings, another server's answer, or a question.
using Reading = std::variant<std::shared_ptr<const Cached>, Verbatim, NeedsInput>;

class Engine {
 public:
  // Listens to the events first of all, so that the cache forgets what changed
  // before any subscriber hears of it.
  Engine(const EngineParts& parts, EngineOptions options);

  Offer offer() const;

  // Lists. The cursor is empty for the first page, else the `next` of the page
  // before; anything else is Code::invalid. A page may have fewer items than
  // there is room for, or none, and still have a next.
  Result<Page<Entry>> resources(const Exchange& exchange, std::string_view cursor) const;
  Result<Page<TemplateEntry>> templates(const Exchange& exchange, std::string_view cursor) const;
  Result<Page<Tool>> tools(const Exchange& exchange, std::string_view cursor) const;
  Result<Page<Prompt>> prompts(const Exchange& exchange, std::string_view cursor) const;
  Result<Page<Skill>> skills(const Exchange& exchange, std::string_view cursor) const;
  // The entries of a directory. Code::invalid: it is none.
  Result<Page<Entry>> children(const Exchange& exchange, std::string_view uri,
                               std::string_view cursor) const;

  // One skill, by the address of its SKILL.md. Of the files of a skill, here and
  // in the list, those are named that the caller may read.
  Result<Skill> skill(const Exchange& exchange, std::string_view uri) const;

  Result<Reading> read(const Exchange& exchange, std::string_view uri) const;
  // The same, if nothing stands in the way and the contents are in the cache
  // and fresh; else null. For the transport's thread.
  std::shared_ptr<const Cached> warm(const Principal& who, std::string_view uri) const;

  // Code::not_found: no such tool. Code::denied: not for this caller. Arguments
  // that do not fit the schema, and what the tool itself could not do, are
  // Contents with `failed` set: the model that called can mend them.
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) const;

  // Code::not_found: no such prompt. Code::invalid: an argument is missing.
  Result<Outcome> prompt(const Exchange& exchange, std::string_view name,
                         const JsonObject& arguments) const;

  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) const;

  // The canonical form of an address that the caller may do this with.
  // Code::not_found: there is none, or it is hidden. Code::denied: the caller
  // may see it, but not do this.
  Result<Uri> admit(const Principal& who, Action action, std::string_view uri) const;
  // Whether the caller still may; asked again at every event.
  bool permits(const Principal& who, Action action, const Uri& uri) const;

  // Someone began, or ceased, to listen to an address.
  void watch(const Uri& uri, bool on) const;

  const Catalog& catalog() const { return catalog_; }

 private:
  struct Target {
    Uri uri;
    Provider* provider;
  };

  // Whether a rule refuses the file that the address shows.
  static bool denies_file(const Policy& policy, const Principal& who, Action action,
                          const Provider& provider, const Uri& uri);
  Result<Target> resolve(const Principal& who, Action action, std::string_view text) const;
  Result<Reading> load(const Exchange& exchange, const Target& target) const;
  Result<Outcome> ask(const Exchange& asked, const Target& target) const;
  bool named(const Principal& who, const Target& target) const;
  std::shared_ptr<const Cached> fresh(const Principal& who, const Target& target) const;
  // Whether the address may appear in a list.
  bool shows(const Principal& who, std::string_view uri) const;
  bool lists(const Principal& who, const Result<Uri>& uri) const;
  void drop_hidden_files(const Principal& who, Skill& skill) const;
  static bool outdated(const Reading& reading, const Target& target);
  void forget(const Change& change) const;
  void drop_unpermitted(const Principal& who, const CompletionQuery& query,
                        Completions& found) const;

  const Catalog& catalog_;
  const PolicySource& policy_;
  Cache& cache_;
  Log& log_;
  const EngineOptions options_;
  Events::Subscription subscription_;
};

}  // namespace lode
