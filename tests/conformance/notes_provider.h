// Notes kept as records: note://{name}, written by the tool test_note. What a
// provider on the database looks like, for the tests of what processes tell
// each other.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/provider.h"
#include "store/change_feed.h"
#include "store/database.h"
#include "store/migrations.h"

namespace lode::fixture {

class NotesProvider final : public Provider, public Resources, public Tools {
 public:
  // REQUIRES: migrated with notes_migrations(); both outlive it.
  NotesProvider(Database& database, ChangeFeed& feed);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Tools* tools() override { return this; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;

 private:
  Manifest make_manifest();
  Result<Outcome> read(const Address& address) const;

  Database& database_;
  ChangeFeed& feed_;
  const std::shared_ptr<const Manifest> manifest_;
};

// Lode's own, and the table of notes.
std::vector<Migration> notes_migrations();

}  // namespace lode::fixture
