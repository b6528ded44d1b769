#include "store/sqlite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "store/connection_pool.h"
#include "store/private_directory.h"
#include "store/sqlite_connection.h"

namespace lode {
namespace {

using Use = SqliteConnection::Use;
using TimePoint = SqliteConnection::TimePoint;

constexpr std::int64_t kApplicationId = 0x4c6f6465;  // "Lode"

constexpr Dialect kDialect{
    .identity = "INTEGER PRIMARY KEY AUTOINCREMENT",
    .integer_key = "INTEGER PRIMARY KEY",
    .blob = "BLOB",
};

void configure_library() {
  static std::once_flag once;
  // SQLite then need not lock to count its memory. If something in the process
  // has used it before us, it stays as it was.
  std::call_once(once, [] { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); });
}

// SQLite would make the file readable by all, as the umask allows.
Status make_file(const std::string& path) {
  auto directory = open_private_directory(directory_of(path));
  if (!directory) return std::move(directory).error();
  // Only a file that was not there is opened: closing a descriptor of one that
  // is in use would drop this process's locks on it.
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.is_open()) return sync_directory(directory->get());
  const int why = errno;
  if (why == EEXIST) return {};
  return internal(fmt::format("the database {}: {}", path, std::strerror(why)));
}

Result<std::int64_t> first_integer(SqliteConnection& connection, std::string_view sql) {
  auto rows = connection.query(sql, {});
  if (!rows) return std::move(rows).error();
  return rows->empty() ? 0 : rows->front().integer(0);
}

// Marks an empty file as ours. In a transaction, for another process may be
// doing the same.
Status claim(SqliteConnection& connection, const std::string& path) {
  if (auto begun = connection.run_patiently("BEGIN IMMEDIATE"); !begun) return begun;
  auto id = first_integer(connection, "PRAGMA application_id");
  if (!id) return std::move(id).error();
  auto tables = first_integer(connection, "SELECT count(*) FROM sqlite_schema");
  if (!tables) return std::move(tables).error();
  if (*id != kApplicationId && (*id != 0 || *tables != 0)) {
    return internal(fmt::format("{} is another program's database; it was left as it is", path));
  }
  if (auto set = connection.run(fmt::format("PRAGMA application_id={}", kApplicationId)); !set) {
    return set;
  }
  return connection.run("COMMIT");
}

Status make_ours(SqliteConnection& connection, const std::string& path) {
  auto id = first_integer(connection, "PRAGMA application_id");
  if (!id) return std::move(id).error();
  if (*id != kApplicationId) {
    if (auto claimed = claim(connection, path); !claimed) return claimed;
  }
  return connection.run_patiently("PRAGMA journal_mode=WAL");
}

class SqliteTransaction final : public Transaction {
 public:
  explicit SqliteTransaction(SqliteConnection& connection) : connection_(connection) {}

  Result<Rows> query(std::string_view sql, const SqlValues& values) override {
    return connection_.query(sql, values);
  }
  Result<std::int64_t> execute(std::string_view sql, const SqlValues& values) override {
    return connection_.execute(sql, values);
  }
  Result<std::int64_t> schema_version() override { return connection_.schema_version(); }
  Status set_schema_version(std::int64_t version) override {
    return connection_.set_schema_version(version);
  }
  void after_commit(std::function<void()> action) override {
    actions_.push_back(std::move(action));
  }

  void committed() {
    for (const auto& action : actions_) action();
  }

 private:
  SqliteConnection& connection_;
  std::vector<std::function<void()>> actions_;
};

class SqliteDatabase final : public Database {
 public:
  explicit SqliteDatabase(const SqliteOptions& options)
      : options_(options),
        writer_(1, [this](TimePoint deadline) { return open_writer(deadline); }),
        readers_(options.readers, [this](TimePoint deadline) {
          return SqliteConnection::open(options_, Use::reading, deadline);
        }) {}

  Status open() {
    auto writer = borrow_writer();
    if (!writer) return std::move(writer).error();
    return {};
  }

  Result<Rows> query(std::string_view sql, const SqlValues& values) override {
    auto reader = readers_.borrow(deadline());
    if (!reader) return std::move(reader).error();
    return (*reader)->query(sql, values);
  }

  Result<std::int64_t> execute(std::string_view sql, const SqlValues& values) override {
    auto writer = borrow_writer();
    if (!writer) return std::move(writer).error();
    return (*writer)->execute(sql, values);
  }

  Result<std::int64_t> schema_version() override {
    auto reader = readers_.borrow(deadline());
    if (!reader) return std::move(reader).error();
    return (*reader)->schema_version();
  }

  Status transaction(const Body& body) override {
    auto writer = borrow_writer();
    if (!writer) return std::move(writer).error();
    for (int left = options_.forced_reruns; left > 0; --left) run_and_undo(**writer, body);
    SqliteTransaction transaction(**writer);
    if (auto done = run_and_commit(**writer, transaction, body); !done) return done;
    transaction.committed();
    return {};
  }

  Status read(const ReadBody& body) override {
    auto reader = readers_.borrow(deadline());
    if (!reader) return std::move(reader).error();
    if (auto begun = (*reader)->run("BEGIN"); !begun) return begun;
    return body(**reader);
  }

  Status check() override {
    auto rows = query("PRAGMA integrity_check(10)", {});
    if (!rows) return std::move(rows).error();
    std::string found;
    for (const Row& row : *rows) found += (found.empty() ? "" : "; ") + row.text(0);
    if (found == "ok") return {};
    return internal(fmt::format("the database {} is damaged: {}", options_.path, found));
  }

  const Dialect& dialect() const override { return kDialect; }

 private:
  TimePoint deadline() const { return std::chrono::steady_clock::now() + options_.busy_timeout; }

  Result<std::unique_ptr<SqliteConnection>> open_writer(TimePoint deadline) {
    auto connection = SqliteConnection::open(options_, Use::writing, deadline);
    if (!connection) return connection;
    if (auto ours = make_ours(**connection, options_.path); !ours) return std::move(ours).error();
    return connection;
  }

  Result<ConnectionPool::Lease> borrow_writer() {
    if (writing_.load() == std::this_thread::get_id()) {
      return internal("a write outside of the transaction that this thread has open");
    }
    return writer_.borrow(deadline());
  }

  // Names the thread that runs a transaction's body.
  class Writing {
   public:
    explicit Writing(std::atomic<std::thread::id>& thread) : thread_(thread) {
      thread_.store(std::this_thread::get_id());
    }
    ~Writing() { thread_.store({}); }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

   private:
    std::atomic<std::thread::id>& thread_;
  };

  // What is not committed, the lease undoes.
  Status run_and_commit(SqliteConnection& connection, Transaction& transaction, const Body& body) {
    const Writing writing(writing_);
    if (auto begun = connection.run_patiently("BEGIN IMMEDIATE"); !begun) return begun;
    if (auto done = body(transaction); !done) return done;
    return connection.run("COMMIT");
  }

  // As a conflict ends a transaction: whatever the body answered, nobody hears of it.
  void run_and_undo(SqliteConnection& connection, const Body& body) {
    const Writing writing(writing_);
    SqliteTransaction transaction(connection);
    if (connection.run_patiently("BEGIN IMMEDIATE")) static_cast<void>(body(transaction));
    connection.roll_back();
  }

  const SqliteOptions options_;
  // Invariant: only the thread that is in here can compare equal, so no lock.
  std::atomic<std::thread::id> writing_{};
  ConnectionPool writer_;
  ConnectionPool readers_;
};

}  // namespace

Result<std::unique_ptr<Database>> open_sqlite(const SqliteOptions& options) {
  configure_library();
  if (auto made = make_file(options.path); !made) return std::move(made).error();
  auto database = std::make_unique<SqliteDatabase>(options);
  if (auto opened = database->open(); !opened) return std::move(opened).error();
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace lode
