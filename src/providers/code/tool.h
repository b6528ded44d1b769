// The tool ast_analyze: one tree-sitter query over many files. It is there with and
// without resources.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/provider.h"
#include "providers/code/source_files.h"
#include "syntax/syntax.h"
#include "workspace/workspace.h"

namespace lode {

class CodeTool final : public Provider, public Tools {
 public:
  struct Limits {
    std::size_t file_bytes = std::size_t{4} << 20;
    std::size_t captures = 1000;   // that can be asked for
    std::size_t text_bytes = 160;  // of a capture that is shown
  };

  // REQUIRES: both outlive it.
  CodeTool(const Workspace& workspace, const Syntax& syntax);
  CodeTool(const Workspace& workspace, const Syntax& syntax, const Limits& limits);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Tools* tools() override { return this; }
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;

 private:
  const Workspace& workspace_;
  const Syntax& syntax_;
  const Limits limits_;
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode
