// A stream of a legacy HTTP session that survives its connection.
//
// Every message gets an id and is kept for a while; a client that lost its
// connection, or was let go, comes back with the id of the last message it saw
// and gets the rest. Any thread.
//
// Invariants:
//  (1) Ids grow by one within a stream and name the stream: "3-17".
//  (2) A message is sent on one connection at most once.
//  (3) A request that is answered before anything was streamed is answered as
//      plain JSON and leaves nothing behind.
//  (4) What is kept is bounded in bytes, for each stream and in the memory budget;
//      the oldest goes first.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/memory_budget.h"
#include "base/mutex.h"
#include "transport/reply.h"

namespace lode {

struct StreamOptions {
  bool primes = false;  // the client understands an event without data (2025-11-25)
  std::chrono::milliseconds retry{500};  // when a client let go shall come back
  std::size_t history_bytes = 1024 * 1024;
  MemoryShare* memory = nullptr;  // counts what is kept; null: nobody counts
};

class Stream final : public Outlet,
                     public Forgettable,
                     public std::enable_shared_from_this<Stream> {
 public:
  Stream(std::uint64_t number, StreamOptions options) : number_(number), options_(options) {}

  // Sends everything after the message with that sequence number, then what
  // comes; the connection used before is ended.
  void attach(const std::shared_ptr<Outlet>& connection, std::uint64_t after) LODE_EXCLUDES(mutex_);
  bool attached() LODE_EXCLUDES(mutex_);
  // Opens the connection's body at once, so that the client knows it is there.
  void open() LODE_EXCLUDES(mutex_);
  // Finished, and nothing in it that a client could come back for.
  bool spent() LODE_EXCLUDES(mutex_);
  std::uint64_t number() const { return number_; }

  void send(Event event) override LODE_EXCLUDES(mutex_);
  void finish(Answer answer) override LODE_EXCLUDES(mutex_);
  void end() override LODE_EXCLUDES(mutex_);
  // A legacy client that goes away has not cancelled: never runs.
  void on_close(std::function<void()>) override {}
  bool streams() const override { return true; }
  void release() override LODE_EXCLUDES(mutex_);

  // Nobody can come back for what was sent before.
  void forget() override LODE_EXCLUDES(mutex_);

  // The number of the stream and of the message in an id; nothing if it is none.
  struct Place {
    std::uint64_t stream = 0;
    std::uint64_t message = 0;
  };
  static std::optional<Place> parse_id(std::string_view id);

 private:
  struct Kept {
    std::uint64_t sequence;
    std::string data;
    MemoryCharge charge;
  };

  std::string id_of(std::uint64_t sequence) const;
  void prime() LODE_REQUIRES(mutex_);
  void keep(std::string data) LODE_REQUIRES(mutex_);
  // Tells the budget that something is kept. Takes other streams' locks.
  void register_kept() LODE_EXCLUDES(mutex_);
  void lost(const Outlet* connection) LODE_EXCLUDES(mutex_);

  const std::uint64_t number_;
  const StreamOptions options_;
  Mutex mutex_;
  std::shared_ptr<Outlet> connection_ LODE_GUARDED_BY(mutex_);
  bool streaming_ LODE_GUARDED_BY(mutex_) = false;  // the connection has got an event
  bool finished_ LODE_GUARDED_BY(mutex_) = false;
  std::uint64_t sequence_ LODE_GUARDED_BY(mutex_) = 0;
  std::deque<Kept> history_ LODE_GUARDED_BY(mutex_);
  std::size_t history_bytes_ LODE_GUARDED_BY(mutex_) = 0;
  bool registered_ LODE_GUARDED_BY(mutex_) = false;
};

}  // namespace lode
