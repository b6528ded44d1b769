// The workspace's records: its database, and the news of what changes in it.
//
// What is committed with a change in the feed is told to the events of every
// process on the workspace: here before the writing call returns, elsewhere as
// soon as the bell rings.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/log.h"
#include "base/result.h"
#include "engine/events.h"
#include "store/change_feed.h"
#include "store/database.h"
#include "store/feed_thread.h"
#include "store/file_bell.h"
#include "store/migrations.h"

namespace lode {

class Records {
 public:
  // Opens, or makes, the database in the state directory, which exists.
  // REQUIRES: events and log outlive it.
  static Result<std::unique_ptr<Records>> open(const std::string& state_dir,
                                               std::span<const Migration> migrations,
                                               Events& events, Log& log);

  Database& database() { return *database_; }
  ChangeFeed& feed() { return feed_; }

  // From now on the changes of others are told too. before: called first each time, on a
  // thread that may wait for the database. REQUIRES: called once.
  Status listen(const std::function<void()>& before = [] {});
  // Ends that; nothing is called any more when it has returned.
  void stop() { thread_.reset(); }

 private:
  Records(std::unique_ptr<Database> database, std::string bell, Events& events, Log& log);

  Events& events_;
  Log& log_;
  std::unique_ptr<Database> database_;
  const FileBell bell_;
  ChangeFeed feed_;
  std::unique_ptr<FeedListener> listener_;
  std::unique_ptr<FeedThread> thread_;
};

}  // namespace lode
