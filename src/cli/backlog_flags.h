// The flags of `lode links` and `lode backlog`.
#pragma once

#include "cli/backlog_command.h"
#include "cli/links_command.h"

namespace CLI {
class App;
}

namespace lode {

void add_links(CLI::App& app, LinksWords& words);
void add_backlog(CLI::App& app, BacklogWords& words);

}  // namespace lode
