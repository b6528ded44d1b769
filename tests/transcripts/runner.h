// Plays the cases of a transcript over one transport.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "channel.h"
#include "http_channel.h"
#include "match.h"
#include "transcript.h"
#include "workspace.h"

namespace lode::transcripts {

// What went wrong, with the line (from 0) of the step.
struct Problem {
  std::size_t line = 0;
  std::string text;
};

// What {name} stands for in a transcript before anything is captured. workspace: null
// if the server is the fixture.
Names names_of(const Transcript& transcript, const Workspace* workspace);

// One case on one connection.
class CaseRun {
 public:
  // http: whether the channel is an HttpChannel. workspace: as above. updates: where the
  // lines go that shall replace expectations that were not met; null: they are problems.
  CaseRun(const Transcript& transcript, const Case& played, Channel& channel, HttpChannel* http,
          const Workspace* workspace, std::vector<Replacement>* updates);

  // Nothing: all went as written.
  std::optional<Problem> run();

 private:
  using Outcome = std::optional<std::string>;  // what went wrong

  std::optional<Problem> play_all();
  std::size_t last_line() const;
  // The step at `at`, or the group that begins there; moves at past it.
  Outcome play_at(std::size_t& at);
  Outcome play(const Step& step);
  Outcome again(std::size_t& at);
  bool answered_as(const Step& step);
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
  // Whether what has arrived was all expected.
  Outcome check_nothing();
  // The real program may tell of a page once more when it has read all files, which can be
  // after the page was first asked for.
  bool is_told_again(const Arrived& arrived) const;
  // The same when everything that the server had been asked is done.
  Outcome check_quiet();

  const Case& case_;
  Channel& channel_;
  HttpChannel* const http_;
  const Workspace* const workspace_;
  std::vector<Replacement>* const updates_;
  Names names_;
  std::set<std::string> came_;  // of what was expected
};

// Used by the sources of CaseRun.
std::string describe(const std::optional<Arrived>& arrived, bool http);
std::pair<std::string, std::string> split(const std::string& text, std::string_view at);

}  // namespace lode::transcripts
