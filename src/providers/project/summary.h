// What is known of a project, and a page of Markdown about it that stays short
// whatever the size of the project.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/project/manifest.h"
#include "workspace/git.h"

namespace lode {

inline constexpr std::size_t kSummaryTokens = 1500;  // of a page, at most

struct ProjectFacts {
  struct LanguageLines {
    std::string_view name;
    std::size_t files = 0;
    std::uint64_t lines = 0;
    bool in_depth = false;  // its symbols can be read
  };
  struct EntryPoint {
    std::string what;
    std::string from;  // the manifest that names it; empty: it speaks for itself
  };
  struct Sized {
    std::string path;
    std::uint64_t size = 0;
  };
  struct Changed {
    std::string path;
    std::size_t commits = 0;
  };
  struct History {
    std::size_t commits = 0;  // looked at
    bool in_time = true;
    bool in_memory = true;
    std::vector<Changed> changed;
  };

  std::string name;
  std::string about;  // the README's first paragraph
  std::size_t files = 0;
  std::size_t directories = 0;
  bool complete = true;                  // false: there is more than was looked at
  std::size_t uncounted = 0;             // files, for want of time
  std::size_t too_long = 0;              // files, to count their lines
  std::vector<LanguageLines> languages;  // of the most lines first
  std::vector<ManifestFacts> manifests;  // those nearest to the top first
  std::size_t more_manifests = 0;        // that were not read
  std::size_t foreign_manifests = 0;     // of fixtures and vendored trees, that were left out
  std::vector<EntryPoint> entry_points;
  std::vector<Sized> largest;
  std::string git_problem;  // instead of a head
  std::optional<GitHead> head;
  std::optional<History> history;
};

// Markdown of at most kSummaryTokens: lists are cut, and say by how much.
std::string summary_page(const ProjectFacts& facts);

}  // namespace lode
