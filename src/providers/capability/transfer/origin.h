// The file that an element had before it was converted, carried along in the converted
// one in a field that the other system does not look at: of NEXS data.lode_origin, of
// Dollhouse custom.lode_origin. So what comes back
// is the same file, with its comments, spellings and order of fields; and what somebody
// changed meanwhile in the converted one is changed in it, and nothing else.
//
// Values: no thread, no file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "providers/capability/element.h"
#include "providers/capability/transfer/format.h"
#include "store/document.h"

namespace lode {

struct Origin {
  std::string file;  // below the folder of elements
  std::string text;

  JsonObject json() const;
};

// Nothing: the file carries none, or one whose path is not that of an element of this
// type.
std::optional<Origin> origin_in(const YamlNode& root, ElementType type);

struct Restored {
  std::string text;
  std::vector<std::string> left;  // what was changed there and cannot be changed here
};

// The origin's text, with what was changed in the converted file since. Code::invalid: it
// is malformed.
Result<Restored> restore(const Origin& origin, ElementType type, TransferFormat format,
                         const Document& converted);

}  // namespace lode
