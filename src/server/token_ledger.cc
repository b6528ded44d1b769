#include "server/token_ledger.h"

#include <utility>

#include "base/principal.h"

namespace lode {

TokensServed tokens_of(std::string_view method, const Contents& contents, TokenCount each,
                       std::size_t times) {
  std::size_t bytes = 0;
  for (const auto& item : contents.items) {
    if (item.form == Content::Form::text) bytes += item.bytes.size();
  }
  return {
      method, {each.tokens * times, each.estimated}, bytes * times, contents.whole_bytes * times};
}

void TokenLedger::tell(const Waiting& waiting, TokenCount each) const {
  tell_(tokens_of(waiting.method, waiting.cached->contents(), each, waiting.times));
}

void TokenLedger::take(std::list<Waiting>::iterator which, std::list<Waiting>& to) {
  bytes_ -= which->cached->size();
  by_text_.erase(which->cached.get());
  to.splice(to.end(), waiting_, which);
}

std::list<TokenLedger::Waiting> TokenLedger::note(std::string_view method,
                                                  const std::shared_ptr<const Cached>& cached) {
  std::list<Waiting> often;
  const auto [found, is_new] = by_text_.try_emplace(cached.get());
  if (is_new) {
    found->second = waiting_.insert(waiting_.end(), {method, cached});
    bytes_ += cached->size();
  } else if (++found->second->times >= limits_.often) {
    take(found->second, often);
  }
  return often;
}

std::list<TokenLedger::Waiting> TokenLedger::overflow() {
  std::list<Waiting> oldest;
  while (!waiting_.empty() && (waiting_.size() > limits_.texts || bytes_ > limits_.bytes)) {
    take(waiting_.begin(), oldest);
  }
  return oldest;
}

void TokenLedger::served(std::string_view method, const std::shared_ptr<const Cached>& cached) {
  reads_.fetch_add(1, std::memory_order_relaxed);
  if (const auto known = cached->known_tokens()) return tell({method, cached}, *known);
  if (cached->size() <= limits_.small) return tell({method, cached}, cached->tokens());
  std::list<Waiting> often;
  std::list<Waiting> oldest;
  {
    Lock lock(mutex_);
    often = note(method, cached);
    oldest = overflow();
  }
  for (const auto& each : oldest) tell(each, count_tokens(each.cached->contents(), limits_.sample));
  for (auto& each : often) {
    const bool taken =
        pool_.submit(Principal::local(), [this, each] { tell(each, each.cached->tokens()); });
    if (!taken) tell(each, count_tokens(each.cached->contents(), limits_.sample));
  }
}

void TokenLedger::tick() {
  const auto reads = reads_.load(std::memory_order_relaxed);
  if (std::exchange(reads_at_tick_, reads) != reads) return;
  {
    Lock lock(mutex_);
    if (waiting_.empty()) return;
  }
  // A pool that is too busy is asked again at the next tick.
  [[maybe_unused]] const bool taken = pool_.submit(Principal::local(), [this] { settle(); });
}

void TokenLedger::settle() {
  std::list<Waiting> all;
  {
    Lock lock(mutex_);
    all.swap(waiting_);
    by_text_.clear();
    bytes_ = 0;
  }
  for (const auto& each : all) tell(each, each.cached->tokens());
}

}  // namespace lode
