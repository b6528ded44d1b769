// Projects at resource://project/{+path}/{aspect}: the tree of a directory, a page
// about it, its files. Any directory of the workspace is a project; everything is
// worked out from what is there when it is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/events.h"
#include "engine/provider.h"
#include "engine/watched.h"
#include "providers/project/address.h"
#include "providers/project/counts.h"
#include "providers/project/survey.h"
#include "workspace/changes.h"
#include "workspace/git.h"
#include "workspace/workspace.h"

namespace lode {

struct ProjectParts {
  const Workspace& workspace;
  // Grows with every change below the roots; 0: nobody watches. Outlives what was
  // read; takes no lock.
  std::function<std::uint64_t()> revision;
};

struct ProjectLimits {
  std::size_t tree_depth = 3;  // unless another is asked for
  std::size_t tree_lines = 1000;
  std::size_t page = 200;  // files
};

class ProjectProvider final : public Provider, public Resources {
 public:
  // REQUIRES: what the parts refer to outlives the provider.
  explicit ProjectProvider(ProjectParts parts, ProjectLimits limits = {});

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  // The summary of each root.
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  // Directories level by level, and the aspects.
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;
  Uri canonical(const Uri& uri) const override;
  // The directory.
  std::optional<FileBehind> file_behind(const Uri& uri) const override;
  Status watchable(const Uri& uri) const override;
  void watch(const Uri& uri, bool on) override { watched_.watch(uri, on); }

  // Tells the events which of the addresses that somebody listens to may have changed.
  void publish(const Workspace::Tree& tree, const Changes& changes, Events& events) const;

 private:
  using Place = Workspace::Place;

  // Something that the caller may see, behind all links.
  struct Seen {
    Place place;
    bool directory = false;
  };

  Manifest make_manifest();
  Result<Outcome> read(const Exchange& exchange, const Address& address);
  std::optional<Seen> see(const Exchange& exchange, const Place& place) const;
  Result<Place> find(const Exchange& exchange, const ProjectAddress& address) const;
  static std::optional<std::string> repository_of(const Exchange& exchange, const Place& place);
  Result<Content> page(const Exchange& exchange, const ProjectAddress& address, bool& whole);
  Result<Content> summary(const Exchange& exchange, const Place& place, const Survey& survey,
                          bool& whole);
  Content structure(const ProjectAddress& address, const Place& place, const Survey& survey) const;
  Content roots(const Exchange& exchange) const;

  const ProjectParts parts_;
  const ProjectLimits limits_;
  const std::shared_ptr<const Manifest> manifest_;
  FileCounts counts_;
  Git git_;
  WatchedAddresses watched_;
};

}  // namespace lode
