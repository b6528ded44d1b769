// Files at the backlog's addresses: those of the repository, and artifacts.
//
//   mcp://backlog/resources/{+path}   a file or directory of the workspace, by its short name
//   mcp://backlog/artifacts/{+path}   the first that is there of
//                                       1. <backlog>/artifacts/<path>
//                                       2. <backlog>/<path>, unless it is in a folder of tasks
//                                          or of artifacts
//                                       3. <backlog>/../<path>, where that is ~/.backlog or
//                                          inside the workspace, and not the backlog again
//
// artifacts/artifacts/x is a spelling of artifacts/x, unless 1 or 3 is there. A path without ".md"
// is that of the file with it, if there is no other. What is outside, hidden or absent looks the
// same. Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/uri.h"
#include "engine/content.h"
#include "engine/exchange.h"
#include "engine/provider.h"
#include "workspace/workspace.h"

namespace lode {

// Where a file of the backlog is.
struct BacklogSpot {
  std::shared_ptr<const Workspace> owner{};  // of the place; null: the workspace outlives it
  Workspace::Place place;
  std::string path{};      // absolute, as it is known
  std::string address{};   // in its one spelling
  bool there = false;      // when it was looked for
  bool looked_up = false;  // what is there decides which file it is
};

class BacklogFiles {
 public:
  static constexpr std::string_view kResources = "mcp://backlog/resources";
  static constexpr std::string_view kArtifacts = "mcp://backlog/artifacts";

  struct Places {
    const Workspace& workspace;  // outlives this
    std::string backlog{};       // the directory, absolute; as it is known
    std::string home{};          // the user's, absolute; empty: unknown
    SecretRules secrets{};       // of what is outside of the workspace
    std::size_t file_bytes = std::size_t{16} << 20;
    std::size_t directory_page = 1000;
  };
  explicit BacklogFiles(Places places) : places_(std::move(places)) {}

  // The file that an address means, whether or not it is there; nothing: it means none. path:
  // decoded, without dots.
  std::optional<BacklogSpot> find_resource(std::string_view path) const;
  std::optional<BacklogSpot> find_artifact(std::string_view path) const;
  // The other way: the address that a file or directory of the backlog's (absolute, by its name
  // or where it really is) has as an artifact, or would have if no other were found before it.
  // Nothing: it is none.
  std::optional<std::string> artifact_at(std::string_view path) const;
  // By the absolute path of a file in the workspace or in the backlog's directory.
  std::optional<BacklogSpot> place_of(const std::string& path) const;
  // By an address of either kind; nothing also if it is of neither.
  std::optional<BacklogSpot> find(const Uri& uri) const;

  // A file's text or bytes; a directory's entries, one address a line.
  Result<Outcome> read(const Exchange& exchange, const BacklogSpot& spot, const Uri& uri) const;
  // The entries of a directory; keys are names.
  Result<Page<Entry>> children(const Exchange& exchange, const BacklogSpot& spot,
                               const ListQuery& query) const;
  // The paths that begin as the value does, one level deep. base: kResources or kArtifacts.
  std::vector<std::string> complete(const Exchange& exchange, std::string_view base,
                                    std::string_view value) const;

 private:
  struct Candidate {
    std::shared_ptr<const Workspace> owner;
    Workspace::Place place;
    std::string path;
  };
  const Workspace& workspace_of(const BacklogSpot& spot) const {
    return spot.owner ? *spot.owner : places_.workspace;
  }
  std::vector<Candidate> artifact_candidates(std::string_view path) const;
  std::optional<Candidate> candidate_at(const std::string& path) const;
  std::string artifact_base() const;
  std::optional<BacklogSpot> first_there(const std::vector<Candidate>& candidates) const;
  Result<Content> directory_content(const Exchange& exchange, const BacklogSpot& spot,
                                    const Workspace::Opened& opened,
                                    const std::string& after) const;
  Result<Content> file_content(const OpenFile& file, std::string_view name) const;

  const Places places_;
};

}  // namespace lode
