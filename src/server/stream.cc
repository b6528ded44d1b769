#include "server/stream.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace lode {

std::string Stream::id_of(std::uint64_t sequence) const {
  return fmt::format("{}-{}", number_, sequence);
}

std::optional<Stream::Place> Stream::parse_id(std::string_view id) {
  Place place;
  const char* const end = id.data() + id.size();
  auto [dash, first] = std::from_chars(id.data(), end, place.stream);
  if (first != std::errc() || dash == end || *dash != '-') return std::nullopt;
  auto [rest, second] = std::from_chars(dash + 1, end, place.message);
  if (second != std::errc() || rest != end) return std::nullopt;
  return place;
}

void Stream::prime() {
  if (streaming_) return;
  streaming_ = true;
  if (options_.primes) connection_->send({"", id_of(sequence_), options_.retry});
}

void Stream::keep(std::string data) {
  MemoryCharge charge;
  if (options_.memory != nullptr) charge = MemoryCharge(*options_.memory, data.size());
  charge.keep();
  history_bytes_ += data.size();
  history_.push_back({++sequence_, std::move(data), std::move(charge)});
  while (history_bytes_ > options_.history_bytes && history_.size() > 1) {
    history_bytes_ -= history_.front().data.size();
    history_.pop_front();
  }
}

void Stream::attach(const std::shared_ptr<Outlet>& connection, std::uint64_t after) {
  std::shared_ptr<Outlet> before;
  {
    Lock lock(mutex_);
    before = std::exchange(connection_, connection);
    streaming_ = false;
    for (const auto& kept : history_) {
      if (kept.sequence <= after) continue;
      streaming_ = true;
      connection->send({kept.data, id_of(kept.sequence), {}});
    }
    if (finished_) std::exchange(connection_, nullptr)->end();
  }
  if (before) before->end();
  connection->on_close([weak = weak_from_this(), raw = connection.get()] {
    if (auto stream = weak.lock()) stream->lost(raw);
  });
}

bool Stream::attached() {
  Lock lock(mutex_);
  return connection_ != nullptr;
}

bool Stream::spent() {
  Lock lock(mutex_);
  return finished_ && history_.empty();
}

void Stream::lost(const Outlet* connection) {
  Lock lock(mutex_);
  if (connection_.get() == connection) connection_ = nullptr;
}

void Stream::open() {
  Lock lock(mutex_);
  if (connection_) prime();
}

void Stream::send(Event event) {
  {
    Lock lock(mutex_);
    if (finished_) return;
    const bool live = connection_ && connection_->streams();
    if (live) prime();
    keep(std::move(event.data));
    if (live) connection_->send({history_.back().data, id_of(sequence_), {}});
  }
  register_kept();
}

void Stream::finish(Answer answer) {
  {
    Lock lock(mutex_);
    if (std::exchange(finished_, true)) return;
    auto connection = std::exchange(connection_, nullptr);
    const bool plain = connection && !streaming_ && (history_.empty() || !connection->streams());
    if (plain) {
      history_.clear();
      return connection->finish(std::move(answer));
    }
    keep(std::move(answer.body).flat());
    answer.body.charge.release();
    if (connection) {
      connection->send({history_.back().data, id_of(sequence_), {}});
      connection->end();
    }
  }
  register_kept();
}

void Stream::register_kept() {
  if (options_.memory == nullptr) return;
  {
    Lock lock(mutex_);
    if (history_.empty() || std::exchange(registered_, true)) return;
  }
  options_.memory->keep(std::static_pointer_cast<Forgettable>(shared_from_this()));
}

void Stream::forget() {
  Lock lock(mutex_);
  history_.clear();
  history_bytes_ = 0;
  registered_ = false;
}

void Stream::end() {
  Lock lock(mutex_);
  finished_ = true;
  if (auto connection = std::exchange(connection_, nullptr)) connection->end();
}

void Stream::release() {
  Lock lock(mutex_);
  if (!connection_ || !options_.primes || !connection_->streams()) return;
  prime();
  std::exchange(connection_, nullptr)->end();
}

}  // namespace lode
