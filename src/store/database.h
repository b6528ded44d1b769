// The one seam to a SQL database.
//
// Everything that keeps records speaks to a Database: SQL in the subset that
// SQLite and PostgreSQL share, with parameters $1, $2, … (each may appear
// several times and in any order). What the two cannot write alike is in
// Dialect. Prepared statements are kept by their text, so the text should be
// constant: values belong in parameters.
//
// The common subset, where it is easy to stray: RETURNING and ON CONFLICT … DO
// UPDATE are in it; rowid, PRAGMA, INSERT OR REPLACE, "text" in double quotes,
// and tables without a primary key are not. Types are BIGINT, DOUBLE PRECISION,
// TEXT and the names of Dialect.
//
// Threads: any. Calls block, for as long as Options of the implementation say
// at most, so they belong on worker threads. Several processes use one
// database at once; that is the normal case.
//
// Errors: Code::conflict, a constraint refused; Code::unavailable, the
// database stayed busy or the disk is full, and nothing was changed;
// Code::internal, anything else: the statement is wrong, or the database is
// damaged, which the message says.
//
// Invariants:
//  (1) What execute() or transaction() has acknowledged is on stable storage.
//  (2) A transaction is all or nothing, in any crash.
//  (3) Transactions are serializable, in this and in other processes: what they
//      leave is as if each had run alone, after all that were acknowledged before
//      it began. Others may write while one runs; if what it has read is no longer
//      so, it is undone and its body runs again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace lode {

struct Blob {
  std::string bytes;

  bool operator==(const Blob&) const = default;
};

// NULL, an integer, a number, text in UTF-8, or bytes.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;
using SqlValues = std::vector<SqlValue>;

// One row of an answer. A column is read as the kind that the query gives; read
// as another kind, or past the end, it is 0 or empty.
class Row {
 public:
  explicit Row(SqlValues values) : values_(std::move(values)) {}

  std::size_t size() const { return values_.size(); }
  bool is_null(std::size_t column) const;
  std::int64_t integer(std::size_t column) const;
  double real(std::size_t column) const;  // also of an integer
  const std::string& text(std::size_t column) const;
  const std::string& blob(std::size_t column) const;

 private:
  SqlValues values_;
};
using Rows = std::vector<Row>;

// How this database spells what the two cannot write alike. In the text of a
// migration {identity} stands for the member of that name, and so on.
struct Dialect {
  std::string_view identity;  // a 64-bit primary key that the database numbers, never twice alike
  std::string_view integer_key;  // a 64-bit primary key that the caller numbers
  std::string_view blob;         // the type of bytes

  std::string expand(std::string_view sql) const;
};

// What statements can be sent to. One statement in a call.
class Executor {
 public:
  virtual ~Executor() = default;

  // All rows of the answer: bound it with LIMIT.
  virtual Result<Rows> query(std::string_view sql, const SqlValues& values = {}) = 0;

  // How many rows an INSERT, UPDATE or DELETE touched.
  virtual Result<std::int64_t> execute(std::string_view sql, const SqlValues& values = {}) = 0;

  // The number of the last migration; 0 in a new database.
  virtual Result<std::int64_t> schema_version() = 0;
};

class Transaction : public Executor {
 public:
  virtual Status set_schema_version(std::int64_t version) = 0;

  // Runs after the commit, on the thread of the transaction, and not at all if
  // this run of the body is not the one that was committed. Must not fail and must
  // not use the database.
  virtual void after_commit(std::function<void()> action) = 0;
};

// On a Database itself each call is a transaction of its own. query() is for
// reading; an INSERT … RETURNING belongs in a transaction.
class Database : public Executor {
 public:
  using Body = std::function<Status(Transaction&)>;
  using ReadBody = std::function<Status(Executor&)>;

  // Runs body and commits, or undoes everything if it fails. Body speaks to
  // the transaction only: what it writes through the Database would wait for
  // itself, and is refused.
  //
  // Body may run more than once, each time from its beginning and in a new
  // transaction. So it has no effects but those of its statements, of
  // after_commit(), and on variables of its caller, which it assigns anew in each
  // run: nothing is counted up, appended, moved away or told to others in it. What
  // it answers in a run that is undone is forgotten. Code::unavailable: it was
  // undone too often.
  //
  // If the commit itself fails with Code::internal, the state is the old or the
  // new one.
  virtual Status transaction(const Body& body) = 0;

  // Several queries of one state of the database; they hold no writer up. Body
  // runs once.
  virtual Status read(const ReadBody& body) = 0;

  // Reads the whole database for damage. Slow.
  virtual Status check() = 0;

  virtual const Dialect& dialect() const = 0;
};

}  // namespace lode
