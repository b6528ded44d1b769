#include "providers/code/outline_store.h"

#include <utility>

namespace lode {

std::vector<Migration> outline_migrations() {
  return {{1,
           {"CREATE TABLE outlines (number {identity}, key TEXT NOT NULL UNIQUE, outline {blob} "
            "NOT NULL)"}},
          {2,
           {"CREATE TABLE harmful (number {identity}, key TEXT NOT NULL UNIQUE, problem TEXT "
            "NOT NULL)"}}};
}

OutlineStore::OutlineStore(Database& database) : OutlineStore(database, Limits()) {}
OutlineStore::OutlineStore(Database& database, const Limits& limits)
    : database_(database), limits_(limits) {}
OutlineStore::~OutlineStore() { flush(); }

std::optional<std::string> OutlineStore::find(const std::string& key) const {
  {
    const Lock lock(mutex_);
    if (const auto found = unwritten_.find(key); found != unwritten_.end()) return found->second;
    if (being_written_) {
      const auto found = being_written_->find(key);
      if (found != being_written_->end()) return found->second;
    }
  }
  auto rows = database_.query("SELECT outline FROM outlines WHERE key = $1", {key});
  if (!rows || rows->empty()) return std::nullopt;
  return rows->front().blob(0);
}

void OutlineStore::put(const std::string& key, std::string outline) {
  const Lock lock(mutex_);
  // Whoever only reads does not write: what comes then is kept while there is room.
  if (unwritten_.size() < 2 * limits_.batch) unwritten_.insert_or_assign(key, std::move(outline));
}

void OutlineStore::write_batch() {
  {
    const Lock lock(mutex_);
    if (unwritten_.size() < limits_.batch) return;
  }
  flush();
}

void OutlineStore::flush() {
  const Lock one(writing_);
  std::shared_ptr<const Outlines> batch;
  {
    const Lock lock(mutex_);
    if (unwritten_.empty()) return;
    batch = being_written_ = std::make_shared<const Outlines>(std::exchange(unwritten_, {}));
  }
  write(*batch);
  const Lock lock(mutex_);
  being_written_ = nullptr;
}

std::unordered_map<std::string, std::string> OutlineStore::harmful() const {
  std::unordered_map<std::string, std::string> all;
  auto rows = database_.query("SELECT key, problem FROM harmful", {});
  if (!rows) return all;
  for (const auto& row : *rows) all.emplace(row.text(0), row.text(1));
  return all;
}

void OutlineStore::add_harmful(const std::string& key, const std::string& problem) {
  auto written = database_.transaction([&](Transaction& transaction) -> Status {
    auto put = transaction.execute(
        "INSERT INTO harmful (key, problem) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING",
        {key, problem});
    if (!put) return std::move(put).error();
    auto dropped = transaction.execute(
        "DELETE FROM harmful WHERE number <= (SELECT max(number) FROM harmful) - $1",
        {static_cast<std::int64_t>(limits_.harmful)});
    if (!dropped) return std::move(dropped).error();
    return {};
  });
  static_cast<void>(written);
}

// A failure costs only that they are parsed again.
void OutlineStore::write(const Outlines& outlines) {
  auto written = database_.transaction([&](Transaction& transaction) -> Status {
    for (const auto& [key, outline] : outlines) {
      auto put = transaction.execute(
          "INSERT INTO outlines (key, outline) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE "
          "SET outline = $2",
          {key, Blob{outline}});
      if (!put) return std::move(put).error();
    }
    auto dropped = transaction.execute(
        "DELETE FROM outlines WHERE number <= (SELECT max(number) FROM outlines) - $1",
        {static_cast<std::int64_t>(limits_.kept)});
    if (!dropped) return std::move(dropped).error();
    return {};
  });
  static_cast<void>(written);
}

}  // namespace lode
