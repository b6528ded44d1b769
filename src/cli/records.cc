#include "cli/records.h"

#include <utility>

#include "store/sqlite.h"

namespace lode {
namespace {

void tell(Events& events, const FeedChange& change) {
  // A kind that we do not know is a newer Lode's affair.
  if (const auto kind = find_change_kind(change.kind)) events.publish({*kind, change.uri});
}

void tell_gap(Events& events) {
  events.publish({Change::Kind::tree});
  events.publish({Change::Kind::resource_list});
  events.publish({Change::Kind::tool_list});
  events.publish({Change::Kind::prompt_list});
}

FeedOptions hearing(Events& events) {
  FeedOptions options;
  options.here = [&events](const FeedChange& change) { tell(events, change); };
  return options;
}

}  // namespace

Records::Records(std::unique_ptr<Database> database, std::string bell, Events& events, Log& log)
    : events_(events),
      log_(log),
      database_(std::move(database)),
      bell_(std::move(bell)),
      feed_(*database_, bell_, hearing(events)) {}

Result<std::unique_ptr<Records>> Records::open(const std::string& state_dir,
                                               std::span<const Migration> migrations,
                                               Events& events, Log& log) {
  SqliteOptions options;
  options.path = state_dir + "/lode.db";
  auto database = open_sqlite(options);
  if (!database) return std::move(database).error();
  if (auto migrated = migrate(**database, migrations); !migrated)
    return std::move(migrated).error();
  return std::unique_ptr<Records>(
      new Records(std::move(*database), state_dir + "/bell", events, log));
}

Status Records::listen(const std::function<void()>& before) {
  auto listener = FeedListener::open(feed_, {[this, before](const FeedEntry& entry) {
                                               before();
                                               tell(events_, entry.change);
                                             },
                                             [this, before] {
                                               before();
                                               tell_gap(events_);
                                             }});
  if (!listener) return std::move(listener).error();
  listener_ = std::move(*listener);
  thread_ = std::make_unique<FeedThread>(*listener_, log_);
  return thread_->start();
}

}  // namespace lode
