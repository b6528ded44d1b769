// Connections, lent to one thread at a time.
//
// Invariants:
//  (1) A connection is either idle or in one Lease.
//  (2) At most `most` exist; a thread that finds all of them lent waits.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/sqlite_connection.h"

namespace lode {

class ConnectionPool {
 public:
  using TimePoint = SqliteConnection::TimePoint;
  using Open = std::function<Result<std::unique_ptr<SqliteConnection>>(TimePoint deadline)>;

  // Gives the connection back when destroyed, any open transaction undone.
  class Lease {
   public:
    Lease(ConnectionPool& pool, std::unique_ptr<SqliteConnection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    SqliteConnection& operator*() const { return *connection_; }
    SqliteConnection* operator->() const { return connection_.get(); }

   private:
    ConnectionPool* pool_;
    std::unique_ptr<SqliteConnection> connection_;
  };

  ConnectionPool(std::size_t most, Open open) : most_(most), open_(std::move(open)) {}

  // The connection's statements wait until the deadline too.
  // Code::unavailable: none came back in time.
  Result<Lease> borrow(TimePoint deadline) LODE_EXCLUDES(mutex_);

 private:
  std::unique_ptr<SqliteConnection> take_idle(TimePoint deadline, bool& may_open)
      LODE_EXCLUDES(mutex_);
  void give_back(std::unique_ptr<SqliteConnection> connection) LODE_EXCLUDES(mutex_);

  const std::size_t most_;
  const Open open_;
  Mutex mutex_;
  Condition returned_;
  std::vector<std::unique_ptr<SqliteConnection>> idle_ LODE_GUARDED_BY(mutex_);
  std::size_t existing_ LODE_GUARDED_BY(mutex_) = 0;
};

}  // namespace lode
