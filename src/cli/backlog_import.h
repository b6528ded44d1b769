// `lode import` of trees of other backlogs (providers/backlog/import.h). The source is only
// read. What is there already, by its place or its id, is not brought twice: if it says the
// same it is present, else in conflict, and stays unless `replace` is asked for.
#pragma once

#include <optional>
#include <vector>

#include "cli/transfer_commands.h"
#include "providers/backlog/import.h"
#include "providers/capability/transfer/report.h"
#include "providers/capability/transfer/source_tree.h"

namespace lode {

// Errors are those that end everything.
Result<TransferReport> import_backlog(const Command& command, const ImportWords& words,
                                      const SourceTree& tree, const std::vector<SourceFile>& files,
                                      const BacklogSource& source);

}  // namespace lode
