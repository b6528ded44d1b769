#include "store/connection_pool.h"

#include <utility>

namespace lode {

ConnectionPool::Lease::~Lease() {
  if (!connection_) return;
  connection_->roll_back();
  pool_->give_back(std::move(connection_));
}

// Null and may_open: the caller has the right to open one. Null alone: none
// came back in time.
std::unique_ptr<SqliteConnection> ConnectionPool::take_idle(TimePoint deadline, bool& may_open) {
  const Lock lock(mutex_);
  bool in_time = true;
  while (idle_.empty() && existing_ >= most_ && in_time) {
    in_time = returned_.wait_until(mutex_, deadline);
  }
  if (idle_.empty()) {
    may_open = existing_ < most_;
    existing_ += may_open ? 1 : 0;
    return nullptr;
  }
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

Result<ConnectionPool::Lease> ConnectionPool::borrow(TimePoint deadline) {
  bool may_open = false;
  if (auto idle = take_idle(deadline, may_open)) {
    idle->wait_until(deadline);
    return Lease(*this, std::move(idle));
  }
  if (!may_open) {
    return Error{Code::unavailable, "the database is busy", std::chrono::milliseconds(100)};
  }
  auto opened = open_(deadline);
  if (opened) return Lease(*this, *std::move(opened));
  const Lock lock(mutex_);
  --existing_;
  returned_.notify_one();
  return std::move(opened).error();
}

void ConnectionPool::give_back(std::unique_ptr<SqliteConnection> connection) {
  const Lock lock(mutex_);
  idle_.push_back(std::move(connection));
  returned_.notify_one();
}

}  // namespace lode
