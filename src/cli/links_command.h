// `lode links`: finds the links in markdown files that do not work on every machine, and turns
// those that can into addresses that do.
//
// check: exit status 0 all is well, 1 there are problems, 5 some file could not be looked at.
// convert: a diff, and with `apply` the files themselves; 5 some file was left alone.
// A file is written durably and as a whole, only the bytes of its links change, and one that is
// malformed, or that somebody changed meanwhile, stays as it is.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace lode {

struct LinksWords {
  std::vector<std::string> paths;  // files and directories of the workspace; none: all
  bool apply = false;
};

int run_links_check(const Command& command, const LinksWords& words);
int run_links_convert(const Command& command, const LinksWords& words);

}  // namespace lode
