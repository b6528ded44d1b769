// A provider owns some addresses, tools, prompts or skills and answers for them.
//
// Implementations are thread-safe, may block, and hold no policy, no cache and
// no protocol: the engine has one place for each. A call that throws, or
// answers rubbish, costs one error answer.
//
// A provider implements the roles that it has and no others:
//
//   Resources   addresses that can be read (Manifest::routes says by which function)
//   Tools       what can be called
//   Prompts     messages for the user's model, made on demand
//   Skills      folders of instructions
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/uri.h"
#include "engine/content.h"
#include "engine/exchange.h"
#include "engine/manifest.h"

namespace lode {

// How a page of a list grows old, as Contents do: it is as it was while none of these
// addresses was told of and all of these numbers are the same. The engine adds the addresses
// of the entries, and that the list was told of (Change::Kind::resource_list). With nothing in
// it, a page stays until the provider's manifest is another.
struct Freshness {
  std::vector<std::string> made_from{};  // addresses whose change outdates the page
  // Contents::stamp and stamp_now, under the same conditions.
  struct Stamp {
    std::uint64_t taken = 0;  // before the page was made
    std::function<std::uint64_t()> now;
  };
  std::vector<Stamp> stamps{};
};

// One page of a list. `next` is where the following page begins: the
// provider's own key, stable while entries come and go; empty at the end.
template <class T>
struct Page {
  std::vector<T> items;
  std::string next;
  // Resources: so long the engine may keep it. Nothing: it is made anew each time.
  std::optional<Freshness> fresh_while{};
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

class Resources {
 public:
  virtual ~Resources() = default;

  // The resources worth naming; not necessarily all that can be read.
  virtual Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) = 0;

  // The entries of a directory. Code::not_found: nothing is there.
  // Code::invalid: it is no directory.
  virtual Result<Page<Entry>> children(const Exchange& exchange, const Uri& uri,
                                       const ListQuery& query);

  // Values of a template's variable.
  virtual Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query);

  // Of what follows, the uri is one of the provider's own.

  // The one spelling of an address that has several, so that no rule can be
  // escaped by another.
  virtual Uri canonical(const Uri& uri) const { return uri; }

  // The file that an address shows; nothing: there is none. Opens nothing.
  virtual std::optional<FileBehind> file_behind(const Uri& uri) const;

  // The local path behind an address, if it is a file of the workspace.
  virtual std::optional<std::string> local_path(const Uri& uri) const;

  // Whether one can listen to the address at all, by its spelling alone; the error is the
  // one of a read. REQUIRES: a route has it.
  virtual Status watchable(const Uri& uri) const;

  // Someone began, or the last one ceased, to listen to the address.
  virtual void watch(const Uri& uri, bool on);
};

class Tools {
 public:
  virtual ~Tools() = default;

  // One of the manifest's tools. The arguments fit its schema.
  virtual Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                               const Json& arguments) = 0;
};

class Prompts {
 public:
  virtual ~Prompts() = default;

  // In an order that lasts.
  virtual Result<Page<Prompt>> list(const Exchange& exchange, const ListQuery& query) = 0;
  virtual std::optional<Prompt> find(std::string_view name) const = 0;
  // The address of the resource that the prompt is made of: who may not list and read it
  // does not get the prompt. Nothing: there is none.
  virtual std::optional<Uri> source(std::string_view name) const;
  // The arguments are strings and the required ones are there.
  virtual Result<Outcome> get(const Exchange& exchange, std::string_view name,
                              const JsonObject& arguments) = 0;
  // Values of an argument.
  virtual Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query);
};

class Skills {
 public:
  virtual ~Skills() = default;

  virtual Result<Page<Skill>> list(const Exchange& exchange, const ListQuery& query) = 0;
  // By the address of its SKILL.md.
  virtual Result<Skill> get(const Exchange& exchange, const Uri& uri) = 0;
};

class Provider {
 public:
  virtual ~Provider() = default;

  virtual std::shared_ptr<const Manifest> manifest() const = 0;

  // The roles that it has; null: not this one. Constant, and as old as the provider.
  virtual Resources* resources() { return nullptr; }
  virtual Tools* tools() { return nullptr; }
  virtual Prompts* prompts() { return nullptr; }
  virtual Skills* skills() { return nullptr; }

  // Addresses of its own, each in its one spelling, that show what is in a file or directory
  // (absolute): a rule that denies one of them denies the file at its own address too. Asked
  // for every file that a caller names or is shown, if a rule may deny an address that begins
  // as Manifest::shows_files_at says: keep it short. Never on the transport's thread.
  virtual std::vector<std::string> shown_at(std::string_view /*path*/) const { return {}; }

 private:
  friend class ProviderCall;
  std::atomic<std::size_t> calls_{0};
  std::atomic<std::size_t> guest_calls_{0};  // of these
};

// Pages over prompts that are all at hand, keyed by name.
Result<Page<Prompt>> page_of_prompts(const std::vector<Prompt>& all, const ListQuery& query);

// Tools and prompts have addresses like everything else, so that one policy
// names them all. Code::invalid: nothing can have that name, since no address can
// hold it (it is too long, or has a NUL or a climbing path in it). Names come from
// clients and from files: the caller answers as for a name that does not exist.
Result<Uri> tool_uri(std::string_view name);
Result<Uri> prompt_uri(std::string_view name);
// The name in an address of a prompt; nothing: it is none.
std::optional<std::string> prompt_name(const Uri& uri);

}  // namespace lode
