#include "store/change_feed.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <utility>

namespace lode {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::system_clock;

constexpr std::int64_t kPruneEvery = 256;  // changes
constexpr std::size_t kPage = 500;

std::int64_t to_integer(system_clock::time_point time) {
  return duration_cast<milliseconds>(time.time_since_epoch()).count();
}

// The process id is for people; the rest makes it unique.
std::string make_origin() {
  std::random_device random;
  return fmt::format("{}-{:08x}{:08x}{:08x}{:08x}", ::getpid(), random(), random(), random(),
                     random());
}

FeedEntry entry_of(const Row& row) {
  return {row.integer(0),
          {row.text(1), row.text(2)},
          row.text(3),
          system_clock::time_point(milliseconds(row.integer(4)))};
}

}  // namespace

ChangeFeed::ChangeFeed(Database& database, const Bell& bell, FeedOptions options)
    : database_(database), bell_(bell), options_(std::move(options)), origin_(make_origin()) {}

Status ChangeFeed::publish(const FeedChange& change) {
  return database_.transaction(
      [&](Transaction& transaction) { return publish(transaction, change); });
}

Status ChangeFeed::publish(Transaction& transaction, const FeedChange& change) {
  auto head = transaction.query(
      "UPDATE change_feed_head SET newest = newest + 1 WHERE id = 1 RETURNING newest");
  if (!head) return std::move(head).error();
  if (head->empty()) return internal("the change feed has lost its head");
  const std::int64_t sequence = head->front().integer(0);
  auto inserted = transaction.execute(
      "INSERT INTO change_feed (sequence, kind, uri, origin, changed_at) "
      "VALUES ($1, $2, $3, $4, $5)",
      {sequence, change.kind, change.uri, origin_, to_integer(options_.clock())});
  if (!inserted) return std::move(inserted).error();
  transaction.after_commit([this, change] {
    if (options_.here) options_.here(change);
    bell_.ring();
  });
  if (sequence % kPruneEvery != 0) return {};
  return prune(transaction, sequence);
}

Status ChangeFeed::prune(Transaction& transaction, std::int64_t newest) {
  // The first that is young enough ends what goes: clocks may differ between
  // writers, and only a beginning of the feed may be dropped.
  auto young = transaction.query(
      "SELECT sequence FROM change_feed WHERE changed_at >= $1 ORDER BY sequence LIMIT 1",
      {to_integer(options_.clock() - options_.keep_for)});
  if (!young) return std::move(young).error();
  const std::int64_t too_old = young->empty() ? newest : young->front().integer(0) - 1;
  const std::int64_t last = std::max(too_old, newest - options_.keep_entries);
  auto dropped = transaction.execute("DELETE FROM change_feed WHERE sequence <= $1", {last});
  if (!dropped) return std::move(dropped).error();
  if (*dropped == 0) return {};
  auto noted = transaction.execute("UPDATE change_feed_head SET pruned = $1 WHERE id = 1", {last});
  if (!noted) return std::move(noted).error();
  return {};
}

Result<ChangeFeed::Page> ChangeFeed::read_since(std::int64_t sequence, std::size_t limit) {
  Page page;
  auto done = database_.read([&](Executor& snapshot) -> Status {
    auto head = snapshot.query("SELECT newest, pruned FROM change_feed_head WHERE id = 1");
    if (!head) return std::move(head).error();
    if (head->empty()) return internal("the change feed has lost its head");
    page.newest = head->front().integer(0);
    page.gap = sequence < head->front().integer(1) || sequence > page.newest;
    if (sequence >= page.newest) return {};
    auto rows = snapshot.query(
        "SELECT sequence, kind, uri, origin, changed_at FROM change_feed "
        "WHERE sequence > $1 ORDER BY sequence LIMIT $2",
        {sequence, static_cast<std::int64_t>(limit)});
    if (!rows) return std::move(rows).error();
    for (const Row& row : *rows) page.entries.push_back(entry_of(row));
    return {};
  });
  if (!done) return std::move(done).error();
  return page;
}

Result<std::int64_t> ChangeFeed::newest() {
  auto rows = database_.query("SELECT newest FROM change_feed_head WHERE id = 1");
  if (!rows) return std::move(rows).error();
  if (rows->empty()) return internal("the change feed has lost its head");
  return rows->front().integer(0);
}

Result<std::unique_ptr<FeedListener>> FeedListener::open(ChangeFeed& feed, Handler handler,
                                                         milliseconds tick) {
  auto watch = feed.bell().watch(tick);
  if (!watch) return std::move(watch).error();
  auto position = feed.newest();
  if (!position) return std::move(position).error();
  return std::unique_ptr<FeedListener>(
      new FeedListener(feed, std::move(handler), *std::move(watch), *position));
}

Status FeedListener::drain() {
  const Lock lock(mutex_);
  watch_->silence();
  for (;;) {
    auto page = feed_.read_since(position_, kPage);
    if (!page) return std::move(page).error();
    pass_on(*page);
    if (page->gap || page->entries.size() < kPage) return {};
  }
}

void FeedListener::pass_on(const ChangeFeed::Page& page) {
  if (page.gap) {
    // Everything is forgotten, so what is in the feed now is news to nobody.
    position_ = page.newest;
    handler_.gap();
    return;
  }
  for (const FeedEntry& entry : page.entries) {
    // First: a handler that throws does not get the entry again.
    position_ = entry.sequence;
    if (entry.origin != feed_.origin()) handler_.change(entry);
  }
}

}  // namespace lode
