// `lode import` and `lode export`: elements from and to other systems, and tasks from
// other backlogs. What became
// of each is told on standard output. Exit status: 0 all is well, 5 something was
// broken, lost or in conflict, 1, 3 and 4 as for other commands.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace lode {

inline constexpr int kPartly = 5;

struct ImportWords {
  std::string path;
  std::string from;  // a format; empty: by the look of the tree
  std::string to = "workspace";
  bool dry_run = false;
  bool replace = false;
};
int run_import(const Command& command, const ImportWords& words);

struct ExportWords {
  std::string path;
  std::string format;
  std::string type;               // empty: all
  std::vector<std::string> only;  // none: all
  bool dry_run = false;
  bool replace = false;
};
int run_export(const Command& command, const ExportWords& words);

}  // namespace lode
