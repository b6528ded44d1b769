#include "fts5.h"

#include <sqlite3.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace lode {
namespace {

void check(bool fine, sqlite3* database) {
  if (fine) return;
  std::fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  std::exit(2);
}

class Statement {
 public:
  Statement(sqlite3* database, const char* sql) : database_(database) {
    check(sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) == SQLITE_OK, database);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int at, std::int64_t value) { sqlite3_bind_int64(statement_, at, value); }
  void bind(int at, std::string_view text) {
    sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  bool step() {
    const int code = sqlite3_step(statement_);
    check(code == SQLITE_ROW || code == SQLITE_DONE, database_);
    return code == SQLITE_ROW;
  }
  std::int64_t number(int column) { return sqlite3_column_int64(statement_, column); }

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

// Word OR word OR word. The words are cut as FTS5 cuts its texts, for a string
// of several would be looked for as a phrase.
std::string any_of(std::string_view query) {
  std::string match;
  bool in_word = false;
  for (const char c : query) {
    const bool part = std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
    if (part && !in_word) match += match.empty() ? "\"" : " OR \"";
    if (!part && in_word) match += '"';
    if (part) match += c;
    in_word = part;
  }
  if (in_word) match += '"';
  return match;
}

}  // namespace

Fts5::Fts5() {
  check(sqlite3_open(":memory:", &database_) == SQLITE_OK, database_);
  run("CREATE VIRTUAL TABLE pages USING fts5(text, tokenize = 'porter unicode61')");
}

Fts5::~Fts5() { sqlite3_close(database_); }

void Fts5::run(const char* sql) { Statement(database_, sql).step(); }

void Fts5::add(std::int64_t id, std::string_view text) {
  Statement insert(database_, "INSERT INTO pages(rowid, text) VALUES (?, ?)");
  insert.bind(1, id);
  insert.bind(2, text);
  insert.step();
}

std::vector<std::int64_t> Fts5::search(std::string_view query, std::size_t limit) const {
  std::vector<std::int64_t> ids;
  const std::string match = any_of(query);
  if (match.empty()) return ids;
  Statement select(
      database_, "SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY bm25(pages), rowid LIMIT ?");
  select.bind(1, std::string_view(match));
  select.bind(2, static_cast<std::int64_t>(limit));
  while (select.step()) ids.push_back(select.number(0));
  return ids;
}

}  // namespace lode
