// Source code as resources: resource://file/{+path}/{aspect}.
//
//   symbols, imports, exports, diagnostics   JSON, from the outline of the file
//   structure                                the outline as Markdown
//   ast, query                               the tree, and what a query finds in it
//   source                                   the text of a symbol or of some lines
//   references                               where a symbol is used in the workspace
//
// A file without a grammar, too long to be parsed, or that is no text, says so where
// it cannot be answered for. A file that the policy denies is denied here too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/events.h"
#include "engine/provider.h"
#include "engine/watched.h"
#include "providers/code/address.h"
#include "providers/code/outlines.h"
#include "providers/code/source_files.h"
#include "syntax/syntax.h"
#include "workspace/changes.h"
#include "workspace/workspace.h"

namespace lode {

class CodeProvider final : public Provider, public Resources {
 public:
  struct Limits {
    std::size_t file_bytes = std::size_t{16} << 20;
  };
  // All outlive it.
  struct Parts {
    const Workspace& workspace;
    const Syntax& syntax;
    const Outlines& outlines;
    // Grows with every change below the roots; 0: nobody watches. Outlives what was
    // read; takes no lock.
    std::function<std::uint64_t()> revision;
  };
  explicit CodeProvider(Parts parts);
  CodeProvider(Parts parts, const Limits& limits);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Uri canonical(const Uri& uri) const override { return canonical_code_uri(uri); }
  std::optional<FileBehind> file_behind(const Uri& uri) const override;
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;
  std::optional<std::string> local_path(const Uri& uri) const override;
  Status watchable(const Uri& uri) const override;
  void watch(const Uri& uri, bool on) override { watched_.watch(uri, on); }

  // Tells the events which of the addresses that somebody listens to may have changed.
  void publish(const Workspace::Tree& tree, const Changes& changes, Events& events) const;

 private:
  Manifest make_manifest();
  Result<Outcome> read(const Exchange& exchange, const Address& address) const;
  SourceFiles files_of(const Exchange& exchange) const;
  Result<Content> content(const Exchange& exchange, const CodeAddress& address,
                          const SourceText& text) const;
  Result<Content> source(const CodeAddress& address, std::string_view text,
                         const Language* language) const;
  Result<std::string> json(const Exchange& exchange, const CodeAddress& address,
                           std::string_view text, const Language& language) const;
  Result<std::string> references(const Exchange& exchange, const CodeAddress& address,
                                 const Outline& outline) const;
  Completions complete_path(const Exchange& exchange, const CompletionQuery& query) const;
  Completions complete_symbol(const Exchange& exchange, const CompletionQuery& query) const;

  const Parts parts_;
  const Limits limits_;
  const std::shared_ptr<const Manifest> manifest_;
  WatchedAddresses watched_;
};

}  // namespace lode
