// The workspace's files at file:///{+path}: the absolute path, inside the root
// only. What is outside, secret or absent looks the same.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/provider.h"
#include "workspace/root.h"

namespace lode {

struct FilesLimits {
  std::size_t file_bytes = 16 * 1024 * 1024;
};

class FilesProvider final : public Provider {
 public:
  // REQUIRES: the root outlives the provider.
  explicit FilesProvider(const Root& root, FilesLimits limits = {});

  const Manifest& manifest() const override { return manifest_; }
  // What stands at the top of the workspace.
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  // A file's text or bytes; a directory's entries, one link a line.
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  // The paths that begin as the value does, one level deep.
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;

 private:
  // The path below the root that the address names.
  Result<std::string> relative_path(const Uri& uri) const;
  std::string uri_of(const std::string& relative) const;
  Result<std::vector<std::string>> visible_names(const std::string& relative) const;
  Result<Content> directory_content(const std::string& relative) const;

  const Root& root_;
  const FilesLimits limits_;
  const Manifest manifest_;
};

}  // namespace lode
