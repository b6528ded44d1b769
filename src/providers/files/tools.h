// The tools find_files and file_ops, and nothing else: they are there with and
// without resources.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/provider.h"
#include "providers/files/edit.h"
#include "providers/files/find.h"
#include "providers/files/tool_limits.h"
#include "workspace/workspace.h"

namespace lode {

class FileTools final : public Provider, public Tools {
 public:
  // wrote: told the absolute path of a file after it was written.
  // REQUIRES: the workspace outlives it, and so does what the function refers to.
  FileTools(const Workspace& workspace, std::function<void(const std::string& absolute)> wrote,
            FileToolLimits limits = {});

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Tools* tools() override { return this; }
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;

 private:
  const FileToolLimits limits_;
  const FileFinder finder_;
  const FileEditor editor_;
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode
