#include "store/sqlite_connection.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cassert>
#include <climits>
#include <thread>

namespace lode {
namespace {

// Statements of a program are few; whoever writes values into SQL text pays.
constexpr std::size_t kStatementsKept = 256;
constexpr std::chrono::milliseconds kLongestNap{10};
constexpr std::chrono::milliseconds kRetryAfter{100};
// Longer logs are cut back to this after a checkpoint.
constexpr int kLogBytesKept = 64 << 20;

std::chrono::milliseconds nap(int count) {
  return std::min(std::chrono::milliseconds(1 << std::min(count, 8)), kLongestNap);
}

int bind_value(sqlite3_stmt* statement, int slot, const SqlValue& value) {
  // The caller's values outlive the run, so SQLite need not copy them.
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return sqlite3_bind_int64(statement, slot, *integer);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return sqlite3_bind_double(statement, slot, *real);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return sqlite3_bind_text64(statement, slot, text->data(), text->size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  }
  if (const auto* blob = std::get_if<Blob>(&value)) {
    return sqlite3_bind_blob64(statement, slot, blob->bytes.data(), blob->bytes.size(),
                               SQLITE_STATIC);
  }
  return sqlite3_bind_null(statement, slot);
}

std::string column_bytes(sqlite3_stmt* statement, int column, const void* data) {
  if (data == nullptr) return {};
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

SqlValue column_value(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
    case SQLITE_TEXT:
      return column_bytes(statement, column, sqlite3_column_text(statement, column));
    case SQLITE_BLOB:
      return Blob{column_bytes(statement, column, sqlite3_column_blob(statement, column))};
    default: return std::monostate{};
  }
}

Row current_row(sqlite3_stmt* statement) {
  const int columns = sqlite3_column_count(statement);
  SqlValues values;
  values.reserve(static_cast<std::size_t>(columns));
  for (int column = 0; column < columns; ++column) {
    values.push_back(column_value(statement, column));
  }
  return Row(std::move(values));
}

// SQLite numbers $1, $2, … by their first appearance: they are found by name.
std::vector<int> slots_of(sqlite3_stmt* statement) {
  const int count = sqlite3_bind_parameter_count(statement);
  std::vector<int> slots;
  for (int number = 1; number <= count; ++number) {
    slots.push_back(sqlite3_bind_parameter_index(statement, fmt::format("${}", number).c_str()));
  }
  return slots;
}

}  // namespace

void SqliteConnection::CloseConnection::operator()(sqlite3* connection) const {
  [[maybe_unused]] const int code = sqlite3_close(connection);
  assert(code != SQLITE_BUSY);
}

void SqliteConnection::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

// Leaves the statement ready for the next run, however this one ends.
class SqliteConnection::Run {
 public:
  explicit Run(sqlite3_stmt* statement) : statement_(statement) {}
  ~Run() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  int step() { return sqlite3_step(statement_); }

 private:
  sqlite3_stmt* const statement_;
};

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open(const SqliteOptions& options,
                                                                 Use use, TimePoint deadline) {
  std::unique_ptr<SqliteConnection> made(new SqliteConnection(options.path, deadline));
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(options.path.c_str(), &raw,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                                       SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE,
                                   options.vfs.empty() ? nullptr : options.vfs.c_str());
  made->connection_.reset(raw);
  if (code != SQLITE_OK) return made->failure(code);
  if (auto status = made->configure(options, use); !status) return std::move(status).error();
  return made;
}

Status SqliteConnection::configure(const SqliteOptions& options, Use use) {
  sqlite3_busy_handler(connection_.get(), &SqliteConnection::on_busy, this);
  // Text in double quotes is a column's name, as in the standard.
  sqlite3_db_config(connection_.get(), SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(connection_.get(), SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  // The file may have been altered: its schema must not run functions, nor a
  // statement reach what only SQLite should write.
  sqlite3_db_config(connection_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return run(
      fmt::format("PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;"
                  "PRAGMA mmap_size={}; PRAGMA wal_autocheckpoint={};"
                  "PRAGMA journal_size_limit={}; PRAGMA query_only={}",
                  options.mmap_bytes, options.checkpoint_pages, kLogBytesKept,
                  use == Use::reading ? "ON" : "OFF"));
}

int SqliteConnection::on_busy(void* connection, int count) {
  const auto* self = static_cast<SqliteConnection*>(connection);
  const auto left = self->deadline_ - std::chrono::steady_clock::now();
  if (left <= left.zero()) return 0;
  std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(nap(count), left));
  return 1;
}

Status SqliteConnection::run(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(code);
  return {};
}

Status SqliteConnection::run_patiently(const std::string& sql) {
  for (int count = 0;; ++count) {
    auto status = run(sql);
    if (status || status.error().code != Code::unavailable || on_busy(this, count) == 0) {
      return status;
    }
  }
}

void SqliteConnection::roll_back() {
  // After some errors SQLite has done so itself.
  if (sqlite3_get_autocommit(connection_.get()) != 0) return;
  sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Result<SqliteConnection::Statement> SqliteConnection::compile(std::string_view sql) {
  if (sql.size() > INT_MAX) return invalid("the statement is too long");
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, &rest);
  Statement statement{std::unique_ptr<sqlite3_stmt, Finalize>(raw), {}};
  if (code != SQLITE_OK) return failure(code);
  const std::string_view tail(rest, sql.size() - static_cast<std::size_t>(rest - sql.data()));
  if (raw == nullptr || tail.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
    return internal(fmt::format("not one statement: {}", sql));
  }
  statement.slots = slots_of(raw);
  return statement;
}

Result<SqliteConnection::Statement*> SqliteConnection::prepare(std::string_view sql) {
  if (auto found = kept_.find(sql); found != kept_.end()) return &found->second;
  auto statement = compile(sql);
  if (!statement) return std::move(statement).error();
  if (kept_.size() >= kStatementsKept) kept_.clear();
  return &kept_.emplace(sql, *std::move(statement)).first->second;
}

Status SqliteConnection::bind(const Statement& statement, const SqlValues& values) {
  const bool named =
      std::find(statement.slots.begin(), statement.slots.end(), 0) == statement.slots.end();
  if (!named || statement.slots.size() != values.size()) {
    return internal(fmt::format("{} values for a statement with {} parameters, $1 to ${}",
                                values.size(), statement.slots.size(), statement.slots.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int code = bind_value(statement.handle.get(), statement.slots[i], values[i]);
    if (code != SQLITE_OK) return failure(code);
  }
  return {};
}

Result<Rows> SqliteConnection::query(std::string_view sql, const SqlValues& values) {
  auto prepared = prepare(sql);
  if (!prepared) return std::move(prepared).error();
  sqlite3_stmt* statement = (*prepared)->handle.get();
  Run run(statement);
  if (auto bound = bind(**prepared, values); !bound) return std::move(bound).error();
  Rows rows;
  int code = run.step();
  for (; code == SQLITE_ROW; code = run.step()) rows.push_back(current_row(statement));
  if (code != SQLITE_DONE) return failure(code);
  return rows;
}

Result<std::int64_t> SqliteConnection::execute(std::string_view sql, const SqlValues& values) {
  auto rows = query(sql, values);
  if (!rows) return std::move(rows).error();
  return std::int64_t{sqlite3_changes64(connection_.get())};
}

Result<std::int64_t> SqliteConnection::schema_version() {
  auto rows = query("PRAGMA user_version", {});
  if (!rows) return std::move(rows).error();
  return rows->empty() ? 0 : rows->front().integer(0);
}

Status SqliteConnection::set_schema_version(std::int64_t version) {
  return run(fmt::format("PRAGMA user_version={}", version));
}

Error SqliteConnection::failure(int code) const {
  const std::string_view why =
      connection_ ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {Code::unavailable, "the database is busy", kRetryAfter};
    case SQLITE_FULL: return {Code::unavailable, "no space is left for the database", {}};
    case SQLITE_CONSTRAINT: return {Code::conflict, std::string(why), {}};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return internal(
          fmt::format("the database {} is damaged ({}); it was left as it is: put a good "
                      "copy in its place, or move it away to begin anew",
                      path_, why));
    default: return internal(fmt::format("the database {}: {}", path_, why));
  }
}

}  // namespace lode
