#include "store/migrations.h"

#include <fmt/format.h>

#include <cassert>

namespace lode {
namespace {

Status check_known(std::int64_t version, std::span<const Migration> steps) {
  if (version < 0)
    return internal(fmt::format("the database has schema {}, which is none", version));
  if (version <= static_cast<std::int64_t>(steps.size())) return {};
  return Error{
      Code::unsupported,
      fmt::format("the database was written by a newer Lode (its schema is {}, this program "
                  "knows {}): update this program, or name another database",
                  version, steps.size()),
      {}};
}

Status run_step(Transaction& transaction, const Dialect& dialect, const Migration& step) {
  auto version = transaction.schema_version();
  if (!version) return std::move(version).error();
  if (*version >= step.number) return {};
  for (const std::string& statement : step.statements) {
    auto done = transaction.execute(dialect.expand(statement));
    if (!done) return std::move(done).error();
  }
  return transaction.set_schema_version(step.number);
}

}  // namespace

Status migrate(Database& database, std::span<const Migration> steps) {
  auto version = database.schema_version();
  if (!version) return std::move(version).error();
  if (auto known = check_known(*version, steps); !known) return known;
  for (const Migration& step : steps.subspan(static_cast<std::size_t>(*version))) {
    assert(step.number == 1 + (&step - steps.data()));
    auto done = database.transaction(
        [&](Transaction& transaction) { return run_step(transaction, database.dialect(), step); });
    if (!done) return std::move(done).error().in(fmt::format("migrating to {}", step.number));
  }
  // Meanwhile a newer program may have gone further.
  version = database.schema_version();
  if (!version) return std::move(version).error();
  return check_known(*version, steps);
}

std::vector<Migration> lode_migrations() {
  return {
      {1,
       {
           "CREATE TABLE change_feed ("
           "  sequence {integer_key},"
           "  kind TEXT NOT NULL,"
           "  uri TEXT NOT NULL,"
           "  origin TEXT NOT NULL,"
           "  changed_at BIGINT NOT NULL)",
           "CREATE TABLE change_feed_head ("
           "  id {integer_key},"
           "  newest BIGINT NOT NULL,"
           "  pruned BIGINT NOT NULL)",
           "INSERT INTO change_feed_head (id, newest, pruned) VALUES (1, 0, 0)",
       }},
      {2,
       {
           "CREATE TABLE active_elements ("
           "  type TEXT NOT NULL,"
           "  id TEXT NOT NULL,"
           "  activated_at BIGINT NOT NULL,"
           "  PRIMARY KEY (type, id))",
       }},
  };
}

}  // namespace lode
