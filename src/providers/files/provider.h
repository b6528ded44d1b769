// The workspace's files at file:///{+path}: the absolute path, inside the roots
// only. What is outside, hidden or absent looks the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/events.h"
#include "engine/provider.h"
#include "workspace/changes.h"
#include "workspace/workspace.h"

namespace lode {

struct FilesLimits {
  std::size_t file_bytes = std::size_t{16} << 20;
  std::size_t directory_page = 1000;  // entries in one content of a directory
};

class FilesProvider final : public Provider, public Resources {
 public:
  // Grows with every change of a file that is noticed. 0: some are not, or late.
  using Revision = std::function<std::uint64_t()>;

  // REQUIRES: the workspace outlives the provider.
  explicit FilesProvider(const Workspace& workspace, FilesLimits limits = {},
                         Revision revision = {});

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  // What stands at the top of the roots and is not ignored. While changes are noticed it can be
  // kept: an entry that came or went is seen at once, the size and the date of one that
  // was written when the change is told.
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Page<Entry>> children(const Exchange& exchange, const Uri& uri,
                               const ListQuery& query) override;
  // The paths that begin as the value does, one level deep.
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;
  // Every spelling of a path becomes the one that we emit.
  Uri canonical(const Uri& uri) const override;
  std::optional<FileBehind> file_behind(const Uri& uri) const override;
  std::optional<std::string> local_path(const Uri& uri) const override;
  Status watchable(const Uri& uri) const override;

 private:
  Manifest make_manifest();
  // A file's text or bytes; a directory's entries, one address a line, and if
  // there are more, the address of the rest.
  Result<Outcome> read(const Exchange& exchange, const Address& address) const;
  std::optional<Workspace::Place> find(const Uri& uri) const;
  Result<Content> directory_content(const Exchange& exchange, const Workspace::Place& place,
                                    const Workspace::Opened& opened,
                                    const std::string& after) const;
  // The names in a directory that the caller may read, wherever it is by now.
  Result<std::vector<std::string>> names_in(const Exchange& exchange,
                                            const Workspace::Opened& opened) const;
  Result<Content> file_content(const OpenFile& file, std::string_view name) const;
  // The roots in the order of their paths.
  std::vector<Workspace::Tree*> trees() const;
  // Nothing: what is listed may change unseen.
  std::optional<Freshness> freshness() const;
  // last: the path of the last entry, for where the next page begins.
  void add_entries(Workspace::Tree& tree, const ListQuery& query, Page<Entry>& page,
                   std::string& last) const;

  const Workspace& workspace_;
  const FilesLimits limits_;
  const Revision revision_;
  const std::shared_ptr<const Manifest> manifest_;
};

// Tells the events what changed below a root.
void publish_changes(const Root& root, const Changes& changes, Events& events);

}  // namespace lode
