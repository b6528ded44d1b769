// The core: one function for each thing a client can ask.
//
// The engine knows addresses, providers and pages; it knows no session, no
// revision of the protocol and no transport. Every call may block and may be
// made from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/log.h"
#include "engine/catalog.h"
#include "engine/events.h"
#include "engine/provider.h"

namespace lode {

struct EngineLimits {
  std::size_t page = 100;             // items in a page of any list
  std::size_t completions = 100;      // values in one answer
  std::size_t argument_bytes = 4096;  // of a value to be completed
};

// What there is at all, for the capabilities that a server declares.
struct Offer {
  bool resources = false;
  bool tools = false;
  bool prompts = false;
  bool completions = false;
};

class Engine {
 public:
  // REQUIRES: catalog and log outlive the engine; the catalog is complete.
  Engine(const Catalog& catalog, Log& log, EngineLimits limits = {});

  Offer offer() const;

  // Lists. The cursor is empty for the first page, else the `next` of the page
  // before; anything else is Code::invalid.
  Result<Page<Entry>> resources(const Exchange& exchange, std::string_view cursor) const;
  Result<Page<TemplateEntry>> templates(const Exchange& exchange, std::string_view cursor) const;
  Result<Page<Tool>> tools(const Exchange& exchange, std::string_view cursor) const;
  Result<Page<Prompt>> prompts(const Exchange& exchange, std::string_view cursor) const;

  Result<Outcome> read(const Exchange& exchange, std::string_view uri) const;

  // Code::not_found: no such tool. Arguments that do not fit the schema, and
  // what the tool itself could not do, are Contents with `failed` set: the
  // model that called can mend them.
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) const;

  // Code::not_found: no such prompt. Code::invalid: an argument is missing.
  Result<Outcome> prompt(const Exchange& exchange, std::string_view name,
                         const JsonObject& arguments) const;

  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) const;

  // Someone began, or ceased, to listen to an address.
  void watch(const Uri& uri, bool on) const;

  const Catalog& catalog() const { return catalog_; }

 private:
  const Catalog& catalog_;
  Log& log_;
  const EngineLimits limits_;
};

}  // namespace lode
