// A project's files, page by page, as JSON:
//
//   {"files":[{"path":"src/a.ts","size":12,"language":"TypeScript"},…],
//    "total":1234,"next":"resource://project/files?cursor=…","tokens":5678}
//
// Sorted by path. A page begins behind the last path of the page before, so that
// none is told twice or forgotten when others come and go.
#pragma once

#include <cstddef>
#include <string>

#include "providers/project/address.h"
#include "providers/project/survey.h"
#include "workspace/root.h"

namespace lode {

// directory: of the survey, relative to the root.
std::string files_json(const Survey& survey, const Root& root, const std::string& directory,
                       const ProjectAddress& address, std::size_t page);

}  // namespace lode
