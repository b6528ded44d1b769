// A workspace for one case of a transcript, with a home and a state directory of its
// own, in a temporary directory that goes when it does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "match.h"
#include "transcript.h"

namespace lode::transcripts {

class Workspace {
 public:
  static Result<std::unique_ptr<Workspace>> make();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // Absolute, without links.
  std::string root() const { return base_ + "/work"; }
  std::string home() const { return base_ + "/home"; }

  // Sets {workspace}, {home}, {path} (the workspace, without the first slash) and {token}
  // (the owner's, once a server has made it).
  void name_in(Names& names) const;
  // The opposite, for a JSON text; times and digests become <a time> and <a digest>.
  std::string abbreviate(std::string json) const;

  // Does what a step says that changes files; {names} in it are expanded. A path is
  // relative to the workspace, or after ~/ to the home. A file comes into being whole,
  // by one renaming, as editors do it.
  Status change(const Step& step, const Names& names) const;

  // For a server: nothing of the caller's environment but what sanitizers are told.
  std::vector<std::string> environment() const;
  // The owner's token that a server made. Empty: none did.
  std::string token() const;

 private:
  explicit Workspace(std::string base) : base_(std::move(base)) {}

  std::string path_of(std::string_view path) const;

  const std::string base_;
};

}  // namespace lode::transcripts
