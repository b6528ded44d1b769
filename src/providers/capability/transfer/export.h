// Writes elements as a tree that another system reads, and that an import reads
// back.
//
//   dollhouse   personas/reviewer.md, memories/2025-01-15/decision.yaml
//   nexs        elements/persona/2025-01-15/reviewer.yaml
//   skills      pdf/SKILL.md and the files beside it; skills alone
//
// An element whose file has the form already is written byte by byte, others are
// converted (convert.h). What a form cannot hold is told. Nothing is written
// outside the directory, no link is followed, and what is there and different is
// overwritten only if that is asked for.
//
// The caller's own thread; several processes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "providers/capability/collection.h"
#include "providers/capability/element_gate.h"
#include "providers/capability/transfer/format.h"
#include "providers/capability/transfer/import.h"
#include "providers/capability/transfer/report.h"

namespace lode {

struct ExportRequest {
  Collection& collection;
  std::string base;   // a directory; it is made if it is missing
  std::string below;  // one below it, without links on the way; empty: the base itself
  TransferFormat format = TransferFormat::dollhouse;
  std::optional<ElementType> type;  // nothing: all
  std::vector<std::string> only;    // ids, names, or "type:id"; none: all
  bool dry_run = false;
  bool replace = false;
  TransferAdmission writes{};
  bool one = false;  // each of `only` is to mean one element alone
};

// Elements that count, of the workspace and of the user; those that other programs
// keep only if they are named. Code::not_found: one of `only` is not there.
// Code::invalid: it means several.
Result<TransferReport> export_elements(const ExportRequest& request, const ElementGate& gate,
                                       const TransferProgress& progress = {});

}  // namespace lode
