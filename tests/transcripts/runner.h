// Plays the cases of a transcript over one transport.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "channel.h"
#include "http_channel.h"
#include "match.h"
#include "transcript.h"

namespace lode::transcripts {

// What went wrong, with the line (from 0) of the step.
struct Problem {
  std::size_t line = 0;
  std::string text;
};

// One case on one connection.
class CaseRun {
 public:
  // http: whether the channel is an HttpChannel. updates: where the lines go
  // that shall replace expectations that were not met; null: they are problems.
  CaseRun(const Transcript& transcript, const Case& played, Channel& channel, HttpChannel* http,
          std::vector<Replacement>* updates);

  // Nothing: all went as written.
  std::optional<Problem> run();

 private:
  using Outcome = std::optional<std::string>;  // what went wrong

  std::optional<Problem> play_all();
  std::size_t last_line() const;
  Outcome play(const Step& step);
  Outcome send(const Step& step);
  Outcome initialize(const Step& step);
  Outcome bytes(const Step& step);
  Outcome expect_event(const Step& step);
  Outcome request(const Step& step);
  Outcome response(const Step& step);
  Outcome check_response(const std::string& detail, const HttpExchange& exchange);

  // Every neighbour that may come in any order with the step at `at`; moves at
  // past them.
  Outcome expect_group(std::size_t& at);
  bool fits(const Step& step, const Arrived& arrived, Names& names) const;
  Outcome update(const Step& step, const Arrived& arrived);
  std::optional<Arrived> next(const Channel::Wanted& wanted, Milliseconds patience);
  Outcome check_nothing(Milliseconds patience);

  const Transcript& transcript_;
  const Case& case_;
  Channel& channel_;
  HttpChannel* const http_;
  std::vector<Replacement>* const updates_;
  Names names_;
};

}  // namespace lode::transcripts
