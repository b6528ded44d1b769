// Parses on the calling thread, in this process.
//
// For worker processes (syntax/worker.h), tests and benchmarks. Grammars are other
// people's C code: text that is written for it makes it crash, take any amount of
// memory and run for ever. A server uses IsolatedSyntax.
//
// The query of a language's outline is compiled when it is first asked for, and kept:
// tenths of a second for C++ and Swift, less for others. A task that needs more memory
// than the limit ends the process (syntax/parse_memory.h).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "syntax/limits.h"
#include "syntax/syntax.h"
#include "syntax/task.h"

namespace lode {

struct OutlineQuery;

class LocalSyntax final : public Syntax {
 public:
  explicit LocalSyntax(const SyntaxLimits& limits = {});
  ~LocalSyntax() override;

  Result<std::string> run(const SyntaxTask& task) const override;

 private:
  struct Compiled;

  Result<const OutlineQuery*> compiled(const Language& language) const;
  std::size_t memory_for(const SyntaxTask& task) const;
  Result<std::string> outline_of(const SyntaxTask& task) const;
  Result<std::string> ast_of(const SyntaxTask& task) const;
  Result<std::string> answer_of(const SyntaxTask& task) const;
  Result<std::string> mentions_of(const SyntaxTask& task) const;

  const SyntaxLimits limits_;
  std::unique_ptr<Compiled[]> compiled_;  // by the language's place in languages()
};

}  // namespace lode
