// What reads cost the clients' models, counted when there is time for it.
//
// Counting a text takes longer than serving it, so contents that were served wait here
// until a second passes without a read; whoever asks for the sum has them counted first
// (settle()). What is read again and again is counted soon. When more waits than there is
// room for, the oldest is estimated from samples.
//
// Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "base/tokens.h"
#include "base/worker_pool.h"
#include "engine/cached.h"

namespace lode {

// What answers cost.
struct TokensServed {
  std::string_view method;  // that they answered
  TokenCount count;
  std::size_t bytes = 0;        // of their texts
  std::size_t whole_bytes = 0;  // Contents::whole_bytes
};

// What contents cost that were sent so many times; each: what they cost once.
TokensServed tokens_of(std::string_view method, const Contents& contents, TokenCount each,
                       std::size_t times = 1);

class TokenLedger {
 public:
  using Tell = std::function<void(const TokensServed&)>;

  struct Limits {
    std::size_t texts = 1024;
    std::size_t bytes = 4 << 20;
    std::size_t small = 1536;   // bytes; counted at once, which takes no longer than to wait
    std::size_t often = 8;      // reads of one text until it is counted on a worker
    std::size_t sample = 2048;  // bytes of a text that an estimate looks at
  };

  // REQUIRES: the pool ends before the ledger.
  TokenLedger(Tell tell, WorkerPool& pool) : TokenLedger(std::move(tell), pool, Limits()) {}
  TokenLedger(Tell tell, WorkerPool& pool, Limits limits)
      : tell_(std::move(tell)), pool_(pool), limits_(limits) {}

  // The contents were sent in answer to the method, whose name is kept as a view.
  void served(std::string_view method, const std::shared_ptr<const Cached>& cached)
      LODE_EXCLUDES(mutex_);
  // Called about once a second: what waits is counted on a worker, if nothing was served
  // since the last call.
  void tick();
  // Counts what waits, here.
  void settle() LODE_EXCLUDES(mutex_);

 private:
  struct Waiting {
    std::string_view method;
    std::shared_ptr<const Cached> cached;
    std::size_t times = 1;
  };

  void tell(const Waiting& waiting, TokenCount each) const;
  // What waits of the text, taken out: it was read often enough.
  std::list<Waiting> note(std::string_view method, const std::shared_ptr<const Cached>& cached)
      LODE_REQUIRES(mutex_);
  // What there is no room for.
  std::list<Waiting> overflow() LODE_REQUIRES(mutex_);
  void take(std::list<Waiting>::iterator which, std::list<Waiting>& to) LODE_REQUIRES(mutex_);

  const Tell tell_;
  WorkerPool& pool_;
  const Limits limits_;
  std::atomic<std::uint64_t> reads_{0};
  std::uint64_t reads_at_tick_ = 0;  // tick() alone

  Mutex mutex_;
  std::list<Waiting> waiting_ LODE_GUARDED_BY(mutex_);  // the oldest first
  std::unordered_map<const Cached*, std::list<Waiting>::iterator> by_text_ LODE_GUARDED_BY(mutex_);
  std::size_t bytes_ LODE_GUARDED_BY(mutex_) = 0;
};

}  // namespace lode
