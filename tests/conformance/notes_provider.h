// Notes kept as records: note://{name}, written by the tool test_note. What a
// provider on the database looks like, for the tests of what processes tell
// each other.
#pragma once

#include <vector>

#include "engine/provider.h"
#include "store/change_feed.h"
#include "store/database.h"
#include "store/migrations.h"

namespace lode::fixture {

class NotesProvider final : public Provider {
 public:
  // REQUIRES: migrated with notes_migrations(); both outlive it.
  NotesProvider(Database& database, ChangeFeed& feed);

  const Manifest& manifest() const override { return manifest_; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;

 private:
  Database& database_;
  ChangeFeed& feed_;
  const Manifest manifest_;
};

// Lode's own, and the table of notes.
std::vector<Migration> notes_migrations();

}  // namespace lode::fixture
