// The tools find_files and file_ops, and nothing else: they are there with and
// without resources.
#pragma once

#include <functional>
#include <string>

#include "engine/policy.h"
#include "engine/provider.h"
#include "providers/files/edit.h"
#include "providers/files/find.h"
#include "providers/files/tool_limits.h"
#include "workspace/workspace.h"

namespace lode {

class FileTools final : public Provider {
 public:
  // The policy: whether someone may do this with an address.
  using Permits = std::function<bool(const Principal& who, Action action, const Uri& address)>;

  // wrote: told the absolute path of a file after it was written.
  // REQUIRES: the workspace outlives it, and so does what the functions refer to.
  FileTools(const Workspace& workspace, Permits permits,
            std::function<void(const std::string& absolute)> wrote, FileToolLimits limits = {});

  const Manifest& manifest() const override { return manifest_; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;

 private:
  const FileToolLimits limits_;
  const FileFinder finder_;
  const FileEditor editor_;
  const Permits permits_;
  const Manifest manifest_;
};

}  // namespace lode
