// The tool ast_analyze: one tree-sitter query over many files. It is there with and
// without resources.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "engine/policy.h"
#include "engine/provider.h"
#include "providers/code/source_files.h"
#include "syntax/syntax.h"
#include "workspace/workspace.h"

namespace lode {

class CodeTool final : public Provider {
 public:
  // The policy: whether someone may do this with an address.
  using Permits = std::function<bool(const Principal& who, Action action, const Uri& address)>;
  struct Limits {
    std::size_t file_bytes = std::size_t{4} << 20;
    std::size_t captures = 1000;   // that can be asked for
    std::size_t text_bytes = 160;  // of a capture that is shown
  };

  // REQUIRES: both outlive it, and so does what permits refers to.
  CodeTool(const Workspace& workspace, const Syntax& syntax, Permits permits);
  CodeTool(const Workspace& workspace, const Syntax& syntax, Permits permits, const Limits& limits);

  const Manifest& manifest() const override { return manifest_; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;

 private:
  const Workspace& workspace_;
  const Syntax& syntax_;
  const Permits permits_;
  const Limits limits_;
  const Manifest manifest_;
};

}  // namespace lode
