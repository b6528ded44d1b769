// One connection to a SQLite file, for one thread at a time. Only sqlite.cc
// uses it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/sqlite.h"

struct sqlite3;
struct sqlite3_stmt;

namespace lode {

class SqliteConnection final : public Executor {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Use { reading, writing };

  // The file must exist.
  static Result<std::unique_ptr<SqliteConnection>> open(const SqliteOptions& options, Use use,
                                                        TimePoint deadline);
  ~SqliteConnection() override = default;
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  Result<Rows> query(std::string_view sql, const SqlValues& values) override;
  Result<std::int64_t> execute(std::string_view sql, const SqlValues& values) override;
  Result<std::int64_t> schema_version() override;
  Status set_schema_version(std::int64_t version);

  // Statements without parameters that are not worth keeping.
  Status run(const std::string& sql);

  // Like run(), but tries again until the deadline where SQLite gives up at
  // once although waiting would help.
  Status run_patiently(const std::string& sql);

  // Undoes the open transaction, if there is one.
  void roll_back();

  // Until when the next statements may wait for other processes.
  void wait_until(TimePoint deadline) { deadline_ = deadline; }

 private:
  struct CloseConnection {
    void operator()(sqlite3* connection) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  struct Statement {
    std::unique_ptr<sqlite3_stmt, Finalize> handle;
    std::vector<int> slots;  // SQLite's number for $1, $2, …
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  class Run;

  SqliteConnection(std::string path, TimePoint deadline)
      : path_(std::move(path)), deadline_(deadline) {}

  Status configure(const SqliteOptions& options, Use use);
  Result<Statement*> prepare(std::string_view sql);
  Result<Statement> compile(std::string_view sql);
  Status bind(const Statement& statement, const SqlValues& values);
  Error failure(int code) const;
  static int on_busy(void* connection, int count);

  const std::string path_;
  TimePoint deadline_;
  std::unique_ptr<sqlite3, CloseConnection> connection_;
  // After connection_: statements are finalized before it is closed.
  std::unordered_map<std::string, Statement, Hash, std::equal_to<>> kept_;
};

}  // namespace lode
