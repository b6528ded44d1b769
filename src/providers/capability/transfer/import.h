// Brings the elements of another system's tree into a folder of elements.
//
// Invariants:
//  (1) The source is read, and never written or locked.
//  (2) Each file of the source is told of once.
//  (3) What is malformed goes nowhere. What is there already is not overwritten,
//      unless that is asked for.
//  (4) A second import brings nothing twice. An element is known again by its
//      place, or by its type and id: there, and saying the same, it is present;
//      there, and changed here or in the source since, it is in conflict.
//  (5) Without changes, and on stable storage, wherever Lode can read the file as
//      it is (mend.h says where it cannot).
//
// The caller's own thread; several processes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "providers/capability/element_gate.h"
#include "providers/capability/transfer/format.h"
#include "providers/capability/transfer/report.h"
#include "providers/capability/transfer/source_tree.h"

namespace lode {

// How many files, or elements, of how many.
using TransferProgress = std::function<void(std::size_t done, std::size_t all)>;

// Whether a file, by its path below the source or the destination, may be read or
// written; none: all may.
using TransferAdmission = std::function<bool(std::string_view path)>;

struct ImportRequest {
  const SourceTree& source;
  std::optional<TransferFormat> format;  // nothing: by the look of the tree
  std::string folder;                    // of elements
  bool of_workspace = true;              // else of the user
  bool dry_run = false;                  // nothing is written
  bool replace = false;                  // what is there and different is overwritten
  TransferAdmission reads{};             // what it does not admit is as if it were not there
  // Keeps a file of an element that is to be overwritten, and says under which name; an
  // error leaves the file as it is. None: nothing is kept.
  using Keep = std::function<Result<std::string>(const Element& element, const std::string& file,
                                                 std::string_view text)>;
  Keep keep{};
};

// Code::invalid: the tree is of no format that is known. Other errors: nothing can
// be written; what was written until then stays.
Result<TransferReport> import_elements(const ImportRequest& request, const ElementGate& gate,
                                       const TransferProgress& progress = {});

}  // namespace lode
