// Which file of the workspace an import means, as far as names alone can tell.
//
// Each language has its way from the words of an import to a path; the table in
// import_paths.cc has a row for each. What the rows cannot know (include paths of a
// build, aliases of a bundler, packages that are installed elsewhere) is not guessed:
// the import then has no file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "syntax/language.h"

namespace lode {

struct ImportPlaces {
  // Whether a file (or, if asked for, a directory) stands at a path of the root.
  std::function<bool(const std::string& path, bool directory)> stands;
  // The text of a file of the root; empty: there is none.
  std::function<std::string(const std::string& path)> text;
};

// file: that imports, relative to its root. The path that is imported, relative to
// the same root; nothing: none that is known.
std::optional<std::string> resolve_import(const Language& language, std::string_view file,
                                          const Import& import, const ImportPlaces& places);

}  // namespace lode
