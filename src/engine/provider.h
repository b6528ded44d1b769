// A provider owns some addresses and answers for them.
//
// Implementations are thread-safe, may block, and hold no policy, no cache and
// no protocol: the engine has one place for each. A call that throws, or
// answers rubbish, costs one error answer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/uri.h"
#include "engine/content.h"
#include "engine/exchange.h"
#include "engine/manifest.h"

namespace lode {

// One page of a list. `next` is where the following page begins: the
// provider's own key, stable while entries come and go; empty at the end.
template <class T>
struct Page {
  std::vector<T> items;
  std::string next;
};

struct ListQuery {
  std::string after;        // the `next` of the page before; empty: from the start
  std::size_t limit = 100;  // at most so many items
};

// "What could this argument be?"
struct CompletionQuery {
  enum class Of { prompt, resource };

  Of of = Of::prompt;
  std::string name;      // the prompt's name, or the template (or URI)
  std::string argument;  // which variable
  std::string value;     // what has been typed so far
  JsonObject context;    // values of other variables, all strings
};

struct Completions {
  std::vector<std::string> values;  // the best first; the engine cuts at 100
  std::optional<std::size_t> total;
};

class Provider {
 public:
  virtual ~Provider() = default;

  // Data; constant while the provider lives.
  virtual const Manifest& manifest() const = 0;

  // The resources worth naming; not necessarily all that can be read.
  virtual Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) = 0;

  // The prompts, in an order that lasts; unless overridden, the manifest's.
  virtual Result<Page<Prompt>> prompts(const Exchange& exchange, const ListQuery& query);
  virtual std::optional<Prompt> find_prompt(std::string_view name) const;

  // Agent skills, for those that have some (Manifest::skills).
  virtual Result<Page<Skill>> skills(const Exchange& exchange, const ListQuery& query);
  virtual Result<Skill> skill(const Exchange& exchange, const Uri& uri);

  // The entries of a directory. Code::not_found: nothing is there.
  // Code::invalid: it is no directory.
  virtual Result<Page<Entry>> children(const Exchange& exchange, const Uri& uri,
                                       const ListQuery& query);

  // REQUIRES: the uri is within the manifest's roots.
  virtual Result<Outcome> read(const Exchange& exchange, const Uri& uri) = 0;

  // A tool or a prompt of the manifest, by its address (see tool_uri and
  // prompt_uri). The arguments fit the tool's schema; a prompt's are strings
  // and the required ones are there.
  virtual Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments);

  virtual Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query);

  // The one spelling of an address that has several, so that no rule can be
  // escaped by another. REQUIRES: the uri is within the manifest's roots.
  virtual Uri canonical(const Uri& uri) const { return uri; }

  // The address of the file that an address shows in another way; nothing: there is
  // none. Who is denied the file is denied this. Opens nothing.
  virtual std::optional<Uri> file_behind(const Uri& uri) const;

  // A number that differs whenever what stands at the address differs; cheap,
  // since it is asked before contents are given out of the cache. 0: not known.
  virtual std::uint64_t stamp(const Uri& uri) const;

  // The local path behind an address, if it is a file of the workspace.
  virtual std::optional<std::string> local_path(const Uri& uri) const;

  // Someone began, or the last one ceased, to listen to the address.
  virtual void watch(const Uri& uri, bool on);

 private:
  friend class ProviderCall;
  std::atomic<std::size_t> calls_{0};
  std::atomic<std::size_t> guest_calls_{0};  // of these
};

// A call of a provider that goes on, counted against Manifest::calls_at_once. Of
// those, guests may hold three quarters.
class ProviderCall {
 public:
  ProviderCall(Provider& provider, const Principal& who);
  ~ProviderCall();
  ProviderCall(const ProviderCall&) = delete;
  ProviderCall& operator=(const ProviderCall&) = delete;

  // False: there are too many, and the provider must not be called.
  bool admitted() const { return admitted_; }
  // The answer then.
  Error busy() const;

 private:
  bool count() const;

  Provider& provider_;
  const bool guest_;
  const bool admitted_;
};

// Tools and prompts have addresses like everything else, so that one policy
// names them all. Code::invalid: nothing can have that name, since no address can
// hold it (it is too long, or has a NUL or a climbing path in it). Names come from
// clients and from files: the caller answers as for a name that does not exist.
Result<Uri> tool_uri(std::string_view name);
Result<Uri> prompt_uri(std::string_view name);
// The name at the end of such an address.
std::string name_of(const Uri& uri);

}  // namespace lode
