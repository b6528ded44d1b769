// The core: one function for each thing a client can ask.
//
// Every call goes through the same gates, in this order: the address becomes
// canonical, it must be exposed, the policy must permit, then the cache is
// asked, then the provider. What a caller may not know of looks as if it were
// not there. A request keeps the catalog, the policy and the exposure list that it began with. The
// engine knows no session, no revision of the protocol and no transport. Any thread; all
// but warm() and warm_list() may block.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/log.h"
#include "base/mutex.h"
#include "engine/access.h"
#include "engine/admission.h"
#include "engine/cache.h"
#include "engine/catalog.h"
#include "engine/events.h"
#include "engine/policy_source.h"
#include "engine/provider.h"

namespace lode {

struct EngineOptions {
  Exposure exposure;  // at first; Engine::expose() replaces it
  // How long contents are kept at most; 0: no cache.
  std::chrono::milliseconds cache_ttl{std::chrono::minutes(5)};
  std::size_t page = 100;             // items in a page of any list
  std::size_t list_max = 1000;        // resources that are listed at all
  std::size_t completions = 100;      // values in one answer
  std::size_t argument_bytes = 4096;  // of a value to be completed
};

// What the engine works with; everything outlives it.
struct EngineParts {
  const CatalogSource& catalog;
  Events& events;
  const PolicySource& policy;
  Cache& cache;
  Log& log;
  // Where files really are; none: where they say.
  RealPath real_path{};
  // Told of every request.
  AccessLog access{};
  // Waits until changes are heard of: what changes after a subscription was acknowledged
  // is told, also right after the start. None: they always are.
  std::function<void()> wait_followed{};
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
  // there is room for, or none, and still have a next. The page that begins with a
  // provider that is busy is its error: a list without a next is whole, but for
  // providers that are broken.
  Result<Page<Entry>> resources(const Exchange& exchange, std::string_view cursor) const;
  // The same, as Contents::page. It is kept while providers say that it is as it was
  // (Page::fresh_while) and the catalog, the exposure list and the policy are the same; not
  // under a policy that tells files apart, since a link may lead elsewhere at any time.
  Result<std::shared_ptr<const Cached>> listed(const Exchange& exchange,
                                               std::string_view cursor) const;
  // The same if it is kept, else null. For the transport's thread.
  std::shared_ptr<const Cached> warm_list(const Exchange& exchange, std::string_view cursor) const;
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
  std::shared_ptr<const Cached> warm(const Exchange& exchange, std::string_view uri) const;

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
  // The gate as it is now, for who asks about several callers at once.
  Admission admission() const LODE_EXCLUDES(mutex_);

  // From the next request on, this list holds. What is in the cache was made under the
  // one before: whoever calls this has it dropped afterwards.
  void expose(Exposure exposure) LODE_EXCLUDES(mutex_);

  // Waits until changes are heard of (EngineParts::wait_followed).
  void wait_followed() const;
  // Someone began, or ceased, to listen to an address.
  void watch(const Uri& uri, bool on) const;
  // The file:/// address of what is behind an address, after all links. Nothing: there is no
  // file, or no link leads to it. May block.
  std::optional<Uri> behind_links(const Uri& uri) const;

  // The local path behind an address, if it is a file of the workspace.
  std::optional<std::string> local_path(const Principal& who, std::string_view uri) const;

  std::shared_ptr<const Catalog> catalog() const { return catalog_.current(); }

 private:
  class Asking;
  using Target = Admission::Target;

  Result<Reading> read(Asking& asking, std::string_view text) const;
  Result<Page<Entry>> children(Asking& asking, std::string_view uri, std::string_view cursor) const;
  Result<Outcome> call(Asking& asking, std::string_view name, const Result<Uri>& uri,
                       const Json& arguments) const;
  static std::optional<PromptRoute> find_prompt(Asking& asking, Action action,
                                                std::string_view name);
  Result<Outcome> prompt(Asking& asking, std::string_view name, const JsonObject& arguments) const;
  void tell_warm(Access access, const Exchange& exchange,
                 std::chrono::steady_clock::time_point began) const;
  Result<Reading> load(Asking& asking, const Target& target) const;
  Result<Outcome> ask(Asking& asking, const Target& target) const;
  Result<Reading> answer_once(Asking& asking, const Target& target) const;
  bool is_named(const Asking& asking, const Target& target) const;
  std::shared_ptr<const Cached> fresh(const Admission& gate, const Principal& who,
                                      const Uri& uri) const;
  static std::string page_key(std::string_view cursor);
  std::shared_ptr<const Cached> fresh_page(const Admission& gate, const Principal& who,
                                           std::string_view cursor) const;
  Result<Cache::Loaded> work_out_page(const Asking& asking, std::string_view cursor) const;
  static bool shows(const Asking& asking, std::string_view uri);
  static bool lists(const Asking& asking, const Result<Uri>& uri);
  static void drop_hidden_files(const Asking& asking, Skill& skill);
  static bool is_outdated(const Reading& reading);
  void forget(const Change& change) const;
  static void drop_unpermitted(const Asking& asking, const CompletionQuery& query,
                               Completions& found);
  Result<Completions> complete_prompt(Asking& asking, const CompletionQuery& query) const;
  Result<Completions> complete_resource(Asking& asking, const CompletionQuery& query) const;

  // What the cache has pages of the list of resources under; no address begins so.
  static constexpr std::string_view kListedPages = ":resources/list";
  static constexpr std::string_view kResourceList = "resources";  // in records

  const CatalogSource& catalog_;
  const PolicySource& policy_;
  Cache& cache_;
  Log& log_;
  const RealPath real_path_;
  const AccessLog access_;
  const std::function<void()> wait_followed_;
  const EngineOptions options_;
  mutable Mutex mutex_;
  std::shared_ptr<const Exposure> exposure_ LODE_GUARDED_BY(mutex_);
  Events::Subscription subscription_;
};

}  // namespace lode
