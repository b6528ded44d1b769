// The last hour of the server, minute by minute, for people who watch: how much was asked, how
// long it took, what came from the cache, what it cost the clients' models.
//
// It is fed by what the metrics are fed by, and is in memory alone. A minute begins when tick()
// or json() sees that it has begun. Times are kept in classes that are an eighth wide, so that
// what is told of them is within a sixteenth.
//
// "tokens_saved" is an estimate, and says what it would have cost more to read files instead of
// answers that show a part of them: the bytes of the file (Contents::whole_bytes), by the tokens
// that a byte of the texts served so far has cost (a quarter, before there are any), without the
// tokens of the answer. An answer that costs more than its file counts against it.
//
// Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "base/json.h"
#include "base/mutex.h"
#include "server/server.h"

namespace lode {

class Activity {
 public:
  static constexpr std::size_t kMinutes = 60;
  using Clock = std::chrono::system_clock;

  // Of the cache, since the program began.
  struct CacheCounts {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };

  // Both functions: cheap, any thread.
  explicit Activity(std::function<CacheCounts()> cache,
                    std::function<Clock::time_point()> now = &Clock::now);

  void observe(const Served& served) LODE_EXCLUDES(mutex_);
  void observe(const TokensServed& tokens) LODE_EXCLUDES(mutex_);
  // Called about once a second.
  void tick() LODE_EXCLUDES(mutex_);

  // {"minutes":[{"at","requests","errors","p50_ms",…}],"since"}: the oldest minute first, the
  // running one last. Requests that last (streams) are counted and not timed.
  std::string json() LODE_EXCLUDES(mutex_);
  // Another number whenever json() may tell something else.
  std::uint64_t revision() const LODE_EXCLUDES(mutex_);

 private:
  // By length, each an eighth longer than the one before; the first is a microsecond.
  static constexpr std::size_t kClasses = 160;
  using Times = std::array<std::uint32_t, kClasses>;

  struct Minute {
    Clock::time_point at;
    std::uint64_t requests = 0;
    std::uint64_t errors = 0;
    Times times{};
    CacheCounts before{};  // when it began
    CacheCounts cache{};   // in it
    std::uint64_t tokens = 0;
    double saved = 0;
  };

  static std::size_t class_of(std::chrono::steady_clock::duration took);
  static double quantile_ms(const Times& times, double part);
  static void write(JsonWriter& writer, const Minute& minute);
  void roll(Clock::time_point now, const CacheCounts& cache) LODE_REQUIRES(mutex_);

  const std::function<CacheCounts()> cache_;
  const std::function<Clock::time_point()> now_;
  const Clock::time_point since_;
  mutable Mutex mutex_;
  std::deque<Minute> minutes_ LODE_GUARDED_BY(mutex_);  // never empty
  std::uint64_t tokens_ LODE_GUARDED_BY(mutex_) = 0;    // of all texts so far
  std::uint64_t bytes_ LODE_GUARDED_BY(mutex_) = 0;
  std::uint64_t revision_ LODE_GUARDED_BY(mutex_) = 1;
};

}  // namespace lode
