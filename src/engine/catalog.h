// Which provider answers for an address, a tool, a prompt.
//
// Filled before the first request, constant afterwards: any thread may look.
//
// Invariants:
//  (1) No two providers own the same root; of two that match, the longer wins.
//  (2) Names of tools, and of prompts in manifests, are unique.
//  (3) Every tool's schemas compile.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_schema.h"
#include "base/uri_template.h"
#include "engine/provider.h"

namespace lode {

// A tool with its owner and its compiled schemas.
struct ToolRoute {
  Provider* provider = nullptr;
  const Tool* tool = nullptr;
  JsonSchema input;
  std::optional<JsonSchema> output;
};

struct PromptRoute {
  Provider* provider = nullptr;
  Prompt prompt;
};

class Catalog {
 public:
  // Takes the provider in, or says what is wrong with its manifest.
  Status add(std::unique_ptr<Provider> provider);

  // Null: nobody answers for it.
  Provider* find(const Uri& uri) const;
  const ToolRoute* find_tool(std::string_view name) const;
  // Nothing: nobody has it. Of two that do, the first provider's.
  std::optional<PromptRoute> find_prompt(std::string_view name) const;
  // The provider whose template has exactly this text.
  Provider* find_template(std::string_view uri_template) const;

  // In the order in which they were added.
  const std::vector<std::unique_ptr<Provider>>& providers() const { return providers_; }

 private:
  struct Root {
    std::string scheme;      // a whole scheme, or
    std::optional<Uri> uri;  // an address and all below it
    Provider* provider = nullptr;

    static Result<Root> parse(std::string_view text, Provider* provider);
    bool holds(const Uri& uri) const;
    std::size_t length() const { return uri ? uri->text().size() : scheme.size(); }
  };

  Status check(const Manifest& manifest) const;
  Status add_tools(Provider& provider, std::map<std::string, ToolRoute, std::less<>>& tools) const;

  std::vector<std::unique_ptr<Provider>> providers_;
  std::vector<Root> roots_;  // longest first
  std::map<std::string, ToolRoute, std::less<>> tools_;
  std::map<std::string, Provider*, std::less<>> templates_;
};

}  // namespace lode
