// Which provider answers for an address, a tool, a prompt: one state of it, which
// never changes.
//
// Providers come, go and change while requests run: CatalogSource makes another
// catalog then. Who holds a catalog holds its providers too, so that one that was
// removed lives until the last call of it has ended. Any thread.
//
// Invariants:
//  (1) No two providers own the same family or address; of two families that hold an
//      address, the longer root wins, and a single address before both.
//  (2) Names of tools are unique, and no two templates match the same addresses by the same
//      literals.
//  (3) Every tool's schemas compile, and every route can be told from the others of
//      its provider.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json_schema.h"
#include "base/mutex.h"
#include "base/result.h"
#include "engine/events.h"
#include "engine/provider.h"
#include "engine/routes.h"

namespace lode {

// A provider as it was when the catalog was made.
struct Member {
  std::shared_ptr<Provider> provider;
  std::shared_ptr<const Manifest> manifest;
  Routes routes;

  const std::string& name() const { return manifest->name; }
};

// A tool with its owner and its compiled schemas.
struct ToolRoute {
  const Member* member = nullptr;
  const Tool* tool = nullptr;
  std::shared_ptr<const JsonSchema> input;
  std::shared_ptr<const JsonSchema> output;  // null: it has none
};

struct PromptRoute {
  const Member* member = nullptr;
  Prompt prompt;
};

class Catalog {
 public:
  Catalog() = default;
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  // The members are shared with the catalog before. Code::invalid names the
  // provider and what is wrong with its manifest, or what it has in common with
  // another. Schemas that the catalog before has compiled are taken from it.
  using Members = std::vector<std::shared_ptr<const Member>>;
  static Result<std::shared_ptr<const Catalog>> make(Members members, const Catalog& before);

  // An address as a client or a provider spells it: as it stands if it belongs to an
  // opaque family or is owned by itself, else parsed.
  Result<Uri> parse(std::string_view text) const;

  // Grows with each change of the catalog in force.
  std::uint64_t revision() const { return revision_; }

  // Null: nobody answers for it.
  const Member* find(const Uri& uri) const;
  // Of one of the members.
  std::weak_ptr<const Member> share(const Member& member) const;
  // The function that answers; it may have a template's variables to look at.
  struct Answer {
    const Route::Read* read;
    TemplateMatch match;
  };
  static std::optional<Answer> find_answer(const Member& member, const Uri& uri);

  const ToolRoute* find_tool(std::string_view name) const;
  // Nothing: nobody has it. Of two that do, the first provider's.
  std::optional<PromptRoute> find_prompt(std::string_view name) const;
  // The provider whose template has exactly this text.
  const Member* find_template(std::string_view uri_template) const;

  // In the order in which they were added.
  const Members& members() const { return members_; }

 private:
  struct Root {
    std::string scheme;      // a whole scheme, or
    std::optional<Uri> uri;  // an address and all below it, or
    std::string opaque;      // what addresses begin with
    const Member* member = nullptr;

    static Result<Root> parse(const Family& family, const Member* member);
    bool holds(const Uri& uri) const;
    std::size_t length() const;
    bool same(const Root& other) const;
  };

  Status add(const Member& member, const Catalog& before);
  Status add_addresses(const Member& member);
  Status add_routes(const Member& member);
  Status add_tools(const Member& member, const Catalog& before);

  Members members_;
  std::uint64_t revision_ = 0;
  std::vector<Root> roots_;  // longest first
  bool has_opaque_ = false;  // any family, or single address
  std::unordered_map<std::string, const Member*> exact_;
  std::vector<const Member*> strays_;  // have templates outside their families
  std::map<std::string, ToolRoute, std::less<>> tools_;
  std::map<std::string, const Member*, std::less<>> templates_;
  std::set<std::string> shapes_;  // of the templates
};

// The catalog in force: providers come, go and change while requests run.
//
// Each change makes a new catalog, which takes the place of the old one as a whole; a
// request keeps the one that it began with. What changed in the lists is told once,
// after the new catalog is in force. Any thread.
class CatalogSource {
 public:
  // REQUIRES: the events outlive it.
  explicit CatalogSource(Events& events);

  // Cheap: one short lock. Never null. A caller keeps what it got for one request.
  std::shared_ptr<const Catalog> current() const LODE_EXCLUDES(mutex_);

  // Takes a provider in, behind those that are there. Code::invalid: what is wrong
  // with its manifest, or what it has in common with another; nothing changed then.
  Status add(std::shared_ptr<Provider> provider) LODE_EXCLUDES(changing_, mutex_);
  // The provider's manifest is another now. Code::not_found: there is no such
  // provider. Code::invalid: as add(); the old manifest holds on.
  Status change(std::string_view name) LODE_EXCLUDES(changing_, mutex_);
  // The provider answers nobody any more who asks from now on. Code::not_found.
  Status remove(std::string_view name) LODE_EXCLUDES(changing_, mutex_);

 private:
  Status replace(Catalog::Members members) LODE_REQUIRES(changing_) LODE_EXCLUDES(mutex_);

  Events& events_;
  Mutex changing_;  // taken before mutex_; held until all have heard
  mutable Mutex mutex_;
  std::shared_ptr<const Catalog> catalog_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
