// What an instance holds to read source code: the grammars, the outlines that are
// kept, and the index of symbols.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/rest.h"
#include "providers/code/outline_store.h"
#include "providers/code/outlines.h"
#include "providers/code/symbol_index.h"
#include "search/index.h"
#include "store/database.h"
#include "syntax/isolated_syntax.h"
#include "workspace/workspace.h"

namespace lode {

class SourceCode {
 public:
  // Opens nothing. REQUIRES: both outlive it.
  SourceCode(const Workspace& workspace, Log& log);
  // Ends what is being parsed.
  ~SourceCode();
  SourceCode(const SourceCode&) = delete;
  SourceCode& operator=(const SourceCode&) = delete;

  const Syntax& syntax() const { return syntax_; }
  const Outlines& outlines() const { return outlines_; }
  const Index& documents() const { return documents_; }
  SymbolIndex& symbols() { return symbols_; }

  // Begins to find the symbols, after a rest; state: the workspace's directory, beside which the
  // outlines of all workspaces are kept. Empty: nothing is kept.
  // REQUIRES: the rest, if there is one, outlives this.
  void start(const std::string& state, Rest* rest);
  // The same for who waits: looks through the workspace, tells now and then how far it
  // is, and returns when all symbols are known.
  void load(const std::string& state, const std::function<void(SymbolIndex::Progress)>& tell);

  // Why a search may lack symbols at the moment; empty: it does not.
  std::string incomplete() const;

 private:
  void open_store(const std::string& state);

  Log& log_;
  IsolatedSyntax syntax_;
  std::unique_ptr<Database> database_;
  std::optional<OutlineStore> store_;
  Outlines outlines_;
  Index documents_;
  SymbolIndex symbols_;
};

}  // namespace lode
