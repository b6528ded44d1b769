#include "runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>
#include <utility>

namespace lode::transcripts {
namespace {

// How long @again waits to ask again.
constexpr Milliseconds kBetweenQuestions{20};
constexpr std::string_view kUpdated = R"("method":"notifications/resources/updated")";

// The `_meta` of a modern request, and of the results of both servers.
constexpr const char* kMeta = R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                              R"("io.modelcontextprotocol/clientCapabilities":{}})";
constexpr const char* kFixture = R"({"io.modelcontextprotocol/serverInfo":{"name":"lode-fixture",)"
                                 R"("title":"Lode conformance fixture","version":"1.0.0"}})";
constexpr const char* kProgram =
    R"({"io.modelcontextprotocol/serverInfo":{"name":"lode","title":"Lode","version":")" LODE_VERSION
    R"("}})";

// The number after "status " among the details.
std::optional<int> status_in(const Step& step) {
  for (const auto& detail : step.details) {
    if (!detail.starts_with("status ")) continue;
    int status = 0;
    std::from_chars(detail.data() + 7, detail.data() + detail.size(), status);
    return status;
  }
  return std::nullopt;
}

}  // namespace

std::string describe(const std::optional<Arrived>& arrived, bool http) {
  if (!arrived) return "nothing came";
  return http ? fmt::format("{}\n   status {}", arrived->text, arrived->status) : arrived->text;
}

std::pair<std::string, std::string> split(const std::string& text, std::string_view at) {
  const auto found = text.find(at);
  if (found == std::string::npos) return {text, ""};
  return {text.substr(0, found), text.substr(found + at.size())};
}

Names names_of(const Transcript& transcript, const Workspace* workspace) {
  Names names(transcript.macros);
  names.set("meta", kMeta);
  names.set("server", workspace == nullptr ? kFixture : kProgram);
  if (workspace != nullptr) workspace->name_in(names);
  return names;
}

CaseRun::CaseRun(const Transcript& transcript, const Case& played, Channel& channel,
                 HttpChannel* http, const Workspace* workspace, std::vector<Replacement>* updates)
    : case_(played),
      channel_(channel),
      http_(http),
      workspace_(workspace),
      updates_(updates),
      names_(names_of(transcript, workspace)) {}

std::optional<Problem> CaseRun::run() {
  auto problem = play_all();
  const auto goodbye = channel_.finish();  // also after a problem: the next case starts afresh
  if (problem || goodbye) return problem;
  return Problem{last_line(), goodbye.error().message};
}

std::size_t CaseRun::last_line() const {
  return case_.steps.empty() ? case_.line : case_.steps.back().line;
}

std::optional<Problem> CaseRun::play_all() {
  std::size_t at = 0;
  while (at < case_.steps.size()) {
    const auto& step = case_.steps[at];
    if (auto wrong = play_at(at)) return Problem{step.line, std::move(*wrong)};
  }
  auto wrong = check_nothing();
  if (wrong) return Problem{last_line(), "at the end: " + *wrong};
  return std::nullopt;
}

CaseRun::Outcome CaseRun::play_at(std::size_t& at) {
  const auto kind = case_.steps[at].kind;
  if (kind == StepKind::expect) return expect_group(at);
  if (kind == StepKind::again) return again(at);
  return play(case_.steps[at++]);
}

CaseRun::Outcome CaseRun::play(const Step& step) {
  if (changes_files(step.kind)) {
    auto changed = workspace_->change(step, names_);
    return changed ? Outcome() : changed.error().message;
  }
  switch (step.kind) {
    case StepKind::send: return send(step);
    case StepKind::nothing: return check_quiet();
    case StepKind::event: return expect_event(step);
    case StepKind::initialize: return initialize(step);
    case StepKind::bytes: return bytes(step);
    case StepKind::request: return request(step);
    case StepKind::response: return response(step);
    case StepKind::end_input: {
      auto status = channel_.end_input();
      return status ? Outcome() : status.error().message;
    }
    case StepKind::hang_up:
      if (http_ != nullptr) http_->hang_up();
      return std::nullopt;
    case StepKind::leave:
      if (http_ != nullptr) http_->leave();
      return std::nullopt;
    case StepKind::end:
      if (http_ != nullptr && http_->ended(kPatience)) return std::nullopt;
      return "the response goes on";
    default: break;
  }
  return "no such step";
}

CaseRun::Outcome CaseRun::send(const Step& step) {
  const auto acknowledged = channel_.send(names_.expand(step.text));
  if (!acknowledged) return std::nullopt;
  const int expected = status_in(step).value_or(202);
  if (*acknowledged == expected) return std::nullopt;
  return fmt::format("expected status {}, came {}", expected, *acknowledged);
}

CaseRun::Outcome CaseRun::initialize(const Step& step) {
  const auto [revision, capabilities] = split(step.text, " ");
  channel_.send(fmt::format(
      R"({{"jsonrpc":"2.0","id":"handshake","method":"initialize","params":{{"protocolVersion":"{}",)"
      R"("capabilities":{},"clientInfo":{{"name":"transcript","version":"1"}}}}}})",
      revision, capabilities.empty() ? "{}" : capabilities));
  const auto arrived = channel_.next([](const Arrived&) { return true; }, kPatience);
  const auto wanted = fmt::format(R"("protocolVersion":"{}")", revision);
  if (!arrived || arrived->text.find(wanted) == std::string::npos) {
    return "the handshake failed: " + describe(arrived, http_ != nullptr);
  }
  channel_.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  return std::nullopt;
}

CaseRun::Outcome CaseRun::bytes(const Step& step) {
  const auto text = parse_json(step.text);
  if (!text || !text->is_string()) return "@bytes takes a JSON string";
  const auto raw = names_.expand({text->get_string().data(), text->get_string().size()});
  auto status = channel_.bytes(raw);
  return status ? Outcome() : status.error().message;
}

CaseRun::Outcome CaseRun::check_nothing() {
  std::optional<Arrived> arrived;
  do {
    arrived = next([](const Arrived&) { return true; }, Milliseconds(0));
  } while (arrived && is_told_again(*arrived));
  if (!arrived) return std::nullopt;
  return "expected nothing, came\n<- " + describe(arrived, http_ != nullptr);
}

bool CaseRun::is_told_again(const Arrived& arrived) const {
  return workspace_ != nullptr && arrived.text.find(kUpdated) != std::string::npos &&
         came_.contains(arrived.text);
}

// A fence: what would come because of earlier messages comes before the answer to this
// one. The fixture answers it when no other call of its provider runs.
CaseRun::Outcome CaseRun::check_quiet() {
  constexpr std::string_view kFence = R"("id":"<fence>")";
  channel_.send(fmt::format(
      R"({{"jsonrpc":"2.0",{},"method":"resources/read","params":{{"uri":"test://idle","_meta":{}}}}})",
      kFence, kMeta));
  const auto arrived = next([](const Arrived&) { return true; }, 2 * kPatience);
  if (arrived && arrived->text.find(kFence) != std::string::npos) return check_nothing();
  return "expected nothing, came\n<- " + describe(arrived, http_ != nullptr);
}

// ---- asking again ----

bool CaseRun::answered_as(const Step& step) {
  if (step.kind == StepKind::response) return !response(step);
  const auto arrived = next([](const Arrived&) { return true; }, kPatience);
  return arrived && fits(step, *arrived, names_);
}

CaseRun::Outcome CaseRun::again(std::size_t& at) {
  if (at + 2 >= case_.steps.size()) return "@again needs a question and an answer";
  const auto& question = case_.steps[at + 1];
  const auto& answer = case_.steps[at + 2];
  const auto until = std::chrono::steady_clock::now() + 2 * kPatience;
  while (std::chrono::steady_clock::now() < until) {
    if (auto wrong = play(question)) return wrong;
    if (answered_as(answer)) {
      at += 3;
      return std::nullopt;
    }
    std::this_thread::sleep_for(kBetweenQuestions);
  }
  // Once more, for the report or the update.
  if (auto wrong = play(question)) return wrong;
  return play_at(at += 2);
}

// ---- messages ----

// Events without data may stand between messages; only <event> looks at them.
std::optional<Arrived> CaseRun::next(const Channel::Wanted& wanted, Milliseconds patience) {
  for (;;) {
    auto arrived =
        channel_.next([&](const Arrived& a) { return a.text.empty() || wanted(a); }, patience);
    if (!arrived || !arrived->text.empty()) return arrived;
  }
}

bool CaseRun::fits(const Step& step, const Arrived& arrived, Names& names) const {
  const auto expected = parse_json(names.expand(step.text));
  const auto actual = parse_json(arrived.text);
  if (!expected || !actual || arrived.text.find('\n') != std::string::npos) return false;
  const bool looks = http_ != nullptr && arrived.status != 0;
  if (looks && arrived.status != status_in(step).value_or(200)) return false;
  for (const auto& detail : step.details) {
    if (detail.starts_with("id ") && !matches_text(detail.substr(3), arrived.event_id, names)) {
      return false;
    }
  }
  return matches(*expected, *actual, step.subset, names);
}

CaseRun::Outcome CaseRun::expect_group(std::size_t& at) {
  std::vector<const Step*> waiting = {&case_.steps[at++]};
  while (waiting.front()->any_order && at < case_.steps.size() && case_.steps[at].any_order) {
    waiting.push_back(&case_.steps[at++]);
  }
  while (!waiting.empty()) {
    const auto fitting = [&](const Arrived& arrived) {
      return std::find_if(waiting.begin(), waiting.end(), [&](const Step* step) {
        Names trial = names_;
        return fits(*step, arrived, trial);
      });
    };
    const auto arrived =
        next([&](const Arrived& a) { return fitting(a) != waiting.end(); }, kPatience);
    auto found = arrived ? fitting(*arrived) : waiting.end();
    const Step& step = found == waiting.end() ? *waiting.front() : **found;
    if (found != waiting.end()) {
      fits(step, *arrived, names_);
      came_.insert(arrived->text);
      waiting.erase(found);
    } else if (arrived && is_told_again(*arrived)) {
      continue;
    } else if (arrived && updates_ != nullptr && !step.subset) {
      if (auto wrong = update(step, *arrived)) return wrong;
      waiting.erase(waiting.begin());
    } else {
      return fmt::format("expected\n{} {}\ncame\n<- {}", step.subset ? "<~" : "<-",
                         names_.expand(step.text), describe(arrived, http_ != nullptr));
    }
  }
  return std::nullopt;
}

CaseRun::Outcome CaseRun::update(const Step& step, const Arrived& arrived) {
  const auto expected = parse_json(names_.expand(step.text));
  const auto actual = parse_json(arrived.text);
  if (!actual) return "not JSON: " + arrived.text;
  const Json kept = expected ? with_placeholders(*expected, *actual) : *actual;
  auto text = names_.abbreviate(to_text(kept));
  if (workspace_ != nullptr) text = workspace_->abbreviate(std::move(text));
  auto lines = wrapped(step.any_order ? "<-*" : "<-", text);
  const int status = http_ != nullptr ? arrived.status : status_in(step).value_or(200);
  if (status != 200 && status != 0) lines.push_back(fmt::format("   status {}", status));
  updates_->push_back({step.line, step.end, std::move(lines)});
  matches(kept, *actual, false, names_);
  return std::nullopt;
}

}  // namespace lode::transcripts
