// Moves a file or a whole directory from one open directory to another, perhaps
// of another filesystem.
//
// A crash leaves it at its old place, or at its new one, or whole at both; what
// is half copied has the name of an unfinished write (base/unfinished.h).
#pragma once

#include <string>

#include "base/result.h"

namespace lode {

struct MoveEnd {
  int directory;     // not O_PATH
  std::string name;  // one segment
};

// On stable storage when it returns. Links inside are moved as links.
// Code::conflict: there is something at the new place. Code::not_found: there
// is nothing at the old one.
Status move_durably(const MoveEnd& from, const MoveEnd& to);

}  // namespace lode
