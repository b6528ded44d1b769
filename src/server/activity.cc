#include "server/activity.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lode {
namespace {

constexpr double kWider = 1.125;
constexpr double kUsualTokensOfAByte = 0.25;

// Told when the stream ends: it says how long somebody listened.
constexpr std::string_view kLasts = "subscriptions/listen";

std::chrono::system_clock::time_point minute_of(std::chrono::system_clock::time_point time) {
  return std::chrono::floor<std::chrono::minutes>(time);
}

std::string shown(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::int64_t whole(std::uint64_t number) { return static_cast<std::int64_t>(number); }

}  // namespace

Activity::Activity(std::function<CacheCounts()> cache, std::function<Clock::time_point()> now)
    : cache_(std::move(cache)), now_(std::move(now)), since_(now_()) {
  minutes_.emplace_back().at = minute_of(since_);
}

std::size_t Activity::class_of(std::chrono::steady_clock::duration took) {
  const double us = std::chrono::duration<double, std::micro>(took).count();
  if (us <= 1) return 0;
  return std::min(static_cast<std::size_t>(std::ceil(std::log(us) / std::log(kWider))),
                  kClasses - 1);
}

// The middle of the class that the one behind `part` of all is in.
double Activity::quantile_ms(const Times& times, double part) {
  const auto all = std::accumulate(times.begin(), times.end(), std::uint64_t{0});
  if (all == 0) return 0;
  const auto wanted = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(all))));
  std::uint64_t seen = 0;
  std::size_t at = 0;
  while ((seen += times[at]) < wanted) ++at;
  const double ms = std::pow(kWider, static_cast<double>(at) - 0.5) / 1000;
  return std::round(ms * 1000) / 1000;
}

void Activity::observe(const Served& served) {
  const auto length = class_of(served.took);
  const Lock lock(mutex_);
  auto& minute = minutes_.back();
  ++minute.requests;
  if (served.error_code != 0) ++minute.errors;
  if (served.method != kLasts) ++minute.times[length];
  ++revision_;
}

void Activity::observe(const TokensServed& tokens) {
  const Lock lock(mutex_);
  auto& minute = minutes_.back();
  minute.tokens += tokens.count.tokens;
  if (tokens.whole_bytes > 0) {
    const double of_a_byte = bytes_ == 0
                                 ? kUsualTokensOfAByte
                                 : static_cast<double>(tokens_) / static_cast<double>(bytes_);
    minute.saved += static_cast<double>(tokens.whole_bytes) * of_a_byte -
                    static_cast<double>(tokens.count.tokens);
  }
  tokens_ += tokens.count.tokens;
  bytes_ += tokens.bytes;
  ++revision_;
}

void Activity::tick() {
  const auto cache = cache_();
  const auto now = now_();
  const Lock lock(mutex_);
  roll(now, cache);
}

// A clock that was set back goes on in the minute that runs.
void Activity::roll(Clock::time_point now, const CacheCounts& cache) {
  const auto minute = minute_of(now);
  auto& running = minutes_.back();
  running.cache = {cache.hits - running.before.hits, cache.misses - running.before.misses};
  if (minute <= running.at) return;
  // What is over an hour ago need not be gone through.
  auto at =
      std::max(running.at + std::chrono::minutes(1), minute - std::chrono::minutes(kMinutes - 1));
  for (; at <= minute; at += std::chrono::minutes(1)) {
    auto& next = minutes_.emplace_back();
    next.at = at;
    next.before = cache;
  }
  while (minutes_.front().at <= minute - std::chrono::minutes(kMinutes)) minutes_.pop_front();
  ++revision_;
}

void Activity::write(JsonWriter& writer, const Minute& minute) {
  writer.begin_object()
      .member("at", shown(minute.at))
      .member("requests", whole(minute.requests))
      .member("errors", whole(minute.errors))
      .member("p50_ms", quantile_ms(minute.times, 0.5))
      .member("p95_ms", quantile_ms(minute.times, 0.95))
      .member("cache_hits", whole(minute.cache.hits))
      .member("cache_misses", whole(minute.cache.misses))
      .member("tokens_served", whole(minute.tokens))
      .member("tokens_saved", static_cast<std::int64_t>(std::llround(minute.saved)))
      .end_object();
}

std::string Activity::json() {
  tick();
  std::string out;
  JsonWriter writer(out);
  writer.begin_object().key("minutes").begin_array();
  {
    const Lock lock(mutex_);
    for (const auto& minute : minutes_) write(writer, minute);
  }
  writer.end_array().member("since", shown(since_)).end_object();
  return out;
}

std::uint64_t Activity::revision() const {
  const Lock lock(mutex_);
  return revision_;
}

}  // namespace lode
