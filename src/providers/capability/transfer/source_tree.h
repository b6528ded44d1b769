// Somebody else's tree of files, read and never written.
//
// Every path is resolved below the root, and no link is followed: what is behind
// one is not seen, and the link itself is told of. Version control's own files
// are left out. Constant; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/root.h"

namespace lode {

struct SourceLimits {
  std::size_t files = 100'000;
  std::size_t depth = 32;  // directories below the root
};

struct SourceFile {
  std::string path;  // below the tree
  std::size_t bytes = 0;
  bool is_link = false;  // or no file at all: a pipe, a socket
  bool is_executable = false;
  std::string left_out{};  // not empty: why this, a directory, was not looked into

  std::string_view name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
};

class SourceTree {
 public:
  // The directory `below` the root; empty: the root itself. Code::not_found: there
  // is none, or it is behind a link.
  static Result<SourceTree> open(const std::string& root, std::string below = "");

  // Every file, by path; and the directories that are deeper than the limit, which are left out.
  // Code::unsupported: there are more files than the limit says.
  Result<std::vector<SourceFile>> files(const SourceLimits& limits = {}) const;

  // Code::unsupported: it has more bytes. Code::not_found: it cannot be read.
  Result<std::string> read(const std::string& path, std::size_t most) const;
  // When a file was last written; the epoch if it has gone.
  std::chrono::system_clock::time_point modified(const std::string& path) const;

  // The last segment of the tree's own path.
  std::string name() const;

 private:
  SourceTree(Root root, std::string below) : root_(std::move(root)), below_(std::move(below)) {}
  std::string path_of(std::string_view path) const;

  Root root_;
  std::string below_;
};

}  // namespace lode
