// SQLite's full-text index with its Porter stemmer and bm25(), to compare with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace lode {

class Fts5 {
 public:
  Fts5();
  ~Fts5();
  Fts5(const Fts5&) = delete;
  Fts5& operator=(const Fts5&) = delete;

  void add(std::int64_t id, std::string_view text);
  // The best for any of the query's words, best first.
  std::vector<std::int64_t> search(std::string_view query, std::size_t limit) const;

 private:
  void run(const char* sql);

  sqlite3* database_ = nullptr;
};

}  // namespace lode
