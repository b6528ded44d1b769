// Finds out what is known of a project.
//
// Bounded: files are looked into until a part of the time is used up, manifests
// and the README are read up to a length, and what was left out is counted. Only
// what is in the survey is looked at.
#pragma once

#include <cstddef>
#include <string>

#include "engine/exchange.h"
#include "providers/project/counts.h"
#include "providers/project/summary.h"
#include "providers/project/survey.h"
#include "workspace/git.h"
#include "workspace/workspace.h"

namespace lode {

struct FactSources {
  FileCounts& counts;
  Git& git;
};

inline constexpr std::size_t kMostManifests = 64;  // that are read

// Code::cancelled: the caller gave up. git: the repository that the directory
// belongs to, relative to the root; nothing: none that may be seen.
Result<ProjectFacts> gather_facts(const FactSources& sources, const Workspace::Place& place,
                                  const Survey& survey, const std::optional<std::string>& git,
                                  const Exchange& exchange);

}  // namespace lode
