// A file from elsewhere, as Lode takes it: byte by byte, unless something must be
// mended for Lode to read it.
//
//   a missing name           is the file's
//   Metadata, Data           are metadata, data: what NEXS itself writes
//   JSON                     becomes YAML, its `element` the `data`
//   a memory's entries that  are a list, each with its key as id
//     are a map
//   a memory without a date  is of the day whose folder it lies in
//   a file that was          is what it was (origin.h), or becomes Lode's own
//     converted by us        form again
//
// Values: no thread, no file.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "providers/capability/element.h"
#include "providers/capability/transfer/format.h"

namespace lode {

struct Mended {
  ElementType type = ElementType::persona;
  std::string target;  // below the folder of elements
  std::string text;
  std::vector<std::string> mended;  // empty: the text is as it was
  std::vector<std::string> notes;   // what else there is to say
  std::string no_element;           // why it is none; empty: it is one
};

// path: where the file was. Code::invalid: it is malformed; the message names the
// line.
Result<Mended> mend(TransferFormat format, const Placement& place, const std::string& path,
                    std::string text);

// The same file with an id of its own.
Result<std::string> with_id(const std::string& text, const std::string& file,
                            const std::string& id);

}  // namespace lode
