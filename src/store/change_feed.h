// What changed, told to every Lode process on the workspace.
//
// A change is a row, written in the transaction that makes it. After the commit
// this process hears of it at once (FeedOptions::here), and the bell is rung.
// Each process has one FeedListener: woken by the bell (or its tick) it reads
// the rows it has not seen and passes on those of others.
//
// Invariants:
//  (1) A change and its row are committed together, or neither is.
//  (2) Sequences have no gaps and are in the order of the commits: each is
//      taken from the one row of change_feed_head, which stays locked until the
//      commit. Whoever sees n will never see a smaller one appear.
//  (3) change_feed holds exactly the sequences above `pruned` up to `newest`.
//      Who stands below `pruned` has missed some and is told so.
//  (4) A listener silences the bell before it reads, so that what is committed
//      after its reading wakes it again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/bell.h"
#include "store/database.h"

namespace lode {

struct FeedChange {
  std::string kind;  // a word of the caller's; those that it does not know, a listener ignores
  std::string uri;
};

struct FeedEntry {
  std::int64_t sequence = 0;
  FeedChange change;
  std::string origin;  // the process: ChangeFeed::origin()
  std::chrono::system_clock::time_point time;
};

struct FeedOptions {
  using Clock = std::function<std::chrono::system_clock::time_point()>;

  // What is beyond either is dropped, a little later.
  std::int64_t keep_entries = 100'000;
  std::chrono::hours keep_for{7 * 24};
  Clock clock = [] { return std::chrono::system_clock::now(); };

  // Told of each change of this process, after the commit and before the call
  // that made it returns. Must not fail and must not use the database.
  std::function<void(const FeedChange&)> here{};
};

// Any thread. The database must be migrated; the bell wakes those who share it, and
// both outlive the feed.
class ChangeFeed {
 public:
  ChangeFeed(Database& database, const Bell& bell, FeedOptions options = {});

  // This process, among all that ever wrote to the feed.
  const std::string& origin() const { return origin_; }
  const Bell& bell() const { return bell_; }

  // Within the caller's transaction; the others hear of it after the commit.
  Status publish(Transaction& transaction, const FeedChange& change);
  // Alone.
  Status publish(const FeedChange& change);

  struct Page {
    std::vector<FeedEntry> entries;  // the oldest first, of every origin
    std::int64_t newest = 0;         // of the feed
    bool gap = false;                // some after the asked sequence were dropped, or never were
  };
  Result<Page> read_since(std::int64_t sequence, std::size_t limit);

  Result<std::int64_t> newest();

 private:
  Status prune(Transaction& transaction, std::int64_t newest);

  Database& database_;
  const Bell& bell_;
  const FeedOptions options_;
  const std::string origin_;
};

// Passes on what other processes change, in order, each change once, and never
// what this process published. It begins with what is committed after open():
// open it before anything is read that should stay fresh.
class FeedListener {
 public:
  struct Handler {
    std::function<void(const FeedEntry&)> change;
    std::function<void()> gap;  // changes were missed: forget everything derived from the store
  };
  static constexpr std::chrono::milliseconds kTick{1000};

  // The feed must outlive the listener.
  static Result<std::unique_ptr<FeedListener>> open(ChangeFeed& feed, Handler handler,
                                                    std::chrono::milliseconds tick = kTick);

  // Readable when there may be something to drain. Wait for it, have a worker
  // drain(), then wait again.
  int descriptor() const { return watch_->descriptor(); }

  // Calls the handler for everything new; blocks on the database. After an
  // error the next call goes on where this one stopped. Any thread; one call
  // at a time gets through. The handler must not call drain().
  Status drain() LODE_EXCLUDES(mutex_);

 private:
  FeedListener(ChangeFeed& feed, Handler handler, std::unique_ptr<BellWatch> watch,
               std::int64_t position)
      : feed_(feed), handler_(std::move(handler)), watch_(std::move(watch)), position_(position) {}

  void pass_on(const ChangeFeed::Page& page) LODE_REQUIRES(mutex_);

  ChangeFeed& feed_;
  const Handler handler_;
  Mutex mutex_;
  const std::unique_ptr<BellWatch> watch_;  // its descriptor is constant; silence() under mutex_
  std::int64_t position_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
