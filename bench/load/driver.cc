#include "driver.h"

#include <utility>

namespace lode::bench {

Round::Round(const PhaseSpec& phase, const Request& request, const Amount& amount,
             std::uint64_t& counter)
    : began(now()),
      ended(began),
      phase_(phase),
      request_(request),
      amount_(amount),
      counter_(counter) {}

bool Round::open(Nanoseconds at) const {
  if (amount_.requests > 0) return sent_ < amount_.requests;
  return static_cast<double>(at - began) < amount_.seconds * 1e9;
}

Round::Next Round::next() {
  ++sent_;
  const std::uint64_t count = counter_++;
  return {kFirstId + 1 + count, phase_.first + count % phase_.vary};
}

void Round::take(std::string_view text, std::uint64_t id, Nanoseconds sent, Nanoseconds at) {
  ended = at;
  const Answer answer = read_answer(text);
  if (!answer.message || answer.id != id || !answer.result) {
    return fail(std::string(text.substr(0, 300)));
  }
  if (text.find(phase_.expect) == std::string_view::npos) {
    return fail("without what was expected: " + std::string(text.substr(0, 300)));
  }
  ++answers;
  bytes += text.size();
  latencies.push_back(at - sent);
}

void Round::fail(std::string why) {
  if (errors++ == 0) first_error = std::move(why);
}

}  // namespace lode::bench
