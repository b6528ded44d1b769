// How the database gets its tables.
//
// Steps are numbered from 1 without gaps and only ever appended: a step that
// was released is never changed. There is no way back; a database that a newer
// Lode has migrated is refused by an older one.
//
// Invariants:
//  (1) A step and its number are committed together.
//  (2) The number is read again inside the transaction of a step, so processes
//      that start at once run each step once between them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace lode {

struct Migration {
  int number;
  std::vector<std::string> statements;  // one statement each; names of Dialect in braces
};

// Brings the database to the last of the steps.
// REQUIRES: steps are numbered 1, 2, 3, …
Status migrate(Database& database, std::span<const Migration> steps);

// The steps of Lode's own database, every room's tables in one history.
std::vector<Migration> lode_migrations();

}  // namespace lode
