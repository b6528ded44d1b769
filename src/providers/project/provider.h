// Projects at resource://project/{+path}/{aspect}: the tree of a directory, a page
// about it, its files. Any directory of the workspace is a project; everything is
// worked out from what is there when it is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/principal.h"
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
  // Whether the caller must not see the file or directory (absolute path): it is
  // then in no answer, no count, no total.
  std::function<bool(const Principal&, std::string_view absolute)> hidden;
  // Grows with every change below the roots; 0: nobody watches.
  std::function<std::uint64_t()> revision;
};

struct ProjectLimits {
  std::size_t tree_depth = 3;  // unless another is asked for
  std::size_t tree_lines = 1000;
  std::size_t page = 200;  // files
};

class ProjectProvider final : public Provider {
 public:
  // REQUIRES: what the parts refer to outlives the provider.
  explicit ProjectProvider(ProjectParts parts, ProjectLimits limits = {});

  const Manifest& manifest() const override { return manifest_; }
  // The summary of each root.
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  // Directories level by level, and the aspects.
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;
  Uri canonical(const Uri& uri) const override;
  // Changes below the roots; of a summary also the repository's head.
  std::uint64_t stamp(const Uri& uri) const override;
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

  bool is_hidden(const Principal& who, const Place& place) const;
  std::optional<Seen> see(const Principal& who, const Place& place) const;
  Result<Place> find(const Principal& who, const ProjectAddress& address) const;
  std::optional<std::string> repository_of(const Principal& who, const Place& place) const;
  Result<Content> page(const Exchange& exchange, const ProjectAddress& address, bool& whole);
  Result<Content> summary(const Exchange& exchange, const Place& place, const Survey& survey,
                          bool& whole);
  Content structure(const ProjectAddress& address, const Place& place, const Survey& survey) const;
  Content roots(const Principal& who) const;
  std::uint64_t stamp_of(const ProjectAddress& address) const;

  const ProjectParts parts_;
  const ProjectLimits limits_;
  const Manifest manifest_;
  FileCounts counts_;
  Git git_;
  WatchedAddresses watched_;
};

}  // namespace lode
