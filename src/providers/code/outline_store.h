// What parsing gave, kept by the content that was parsed: a file that comes back (by
// a revert, on another branch, in another work tree), and equal files, are not parsed
// again, here or in any workspace of the same user.
//
// What is put is found at once, and written in batches; what was not written when the
// program ends is parsed again some day, and so is what is dropped for being old. Any
// thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "base/result.h"
#include "store/database.h"
#include "store/migrations.h"

namespace lode {

class OutlineStore {
 public:
  struct Limits {
    std::size_t batch = 512;       // outlines that are written together
    std::size_t kept = 200'000;    // in the database; of more the oldest are dropped
    std::size_t harmful = 10'000;  // texts; likewise
  };

  // REQUIRES: the database outlives it, and has had outline_migrations().
  explicit OutlineStore(Database& database);
  OutlineStore(Database& database, const Limits& limits);
  ~OutlineStore();
  OutlineStore(const OutlineStore&) = delete;
  OutlineStore& operator=(const OutlineStore&) = delete;

  // The bytes that were put under the key; nothing: none, or they cannot be read.
  std::optional<std::string> find(const std::string& key) const LODE_EXCLUDES(mutex_);
  void put(const std::string& key, std::string outline) LODE_EXCLUDES(mutex_);
  // Writes what is not written yet if there is a batch of it, or in any case. May
  // block on the disk.
  void write_batch() LODE_EXCLUDES(mutex_, writing_);
  void flush() LODE_EXCLUDES(mutex_, writing_);

  // Texts that no worker survives (syntax/isolated_syntax.h), and what each does. What
  // cannot be written is learnt again.
  std::unordered_map<std::string, std::string> harmful() const;
  void add_harmful(const std::string& key, const std::string& problem);

 private:
  using Outlines = std::unordered_map<std::string, std::string>;

  void write(const Outlines& outlines) LODE_REQUIRES(writing_);

  Database& database_;
  const Limits limits_;
  Mutex writing_;  // taken before mutex_
  mutable Mutex mutex_;
  Outlines unwritten_ LODE_GUARDED_BY(mutex_);
  std::shared_ptr<const Outlines> being_written_ LODE_GUARDED_BY(mutex_);
};

std::vector<Migration> outline_migrations();

}  // namespace lode
