#include "runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

namespace lode::transcripts {
namespace {

constexpr Milliseconds kQuiet{150};

// Names that every transcript knows.
std::map<std::string, std::string, std::less<>> with_common(
    std::map<std::string, std::string, std::less<>> macros) {
  macros.emplace("meta", R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                         R"("io.modelcontextprotocol/clientCapabilities":{}})");
  macros.emplace("server", R"({"io.modelcontextprotocol/serverInfo":{"name":"lode-fixture",)"
                           R"("title":"Lode conformance fixture","version":"1.0.0"}})");
  return macros;
}

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

std::string describe(const std::optional<Arrived>& arrived, bool http) {
  if (!arrived) return "nothing came";
  return http ? fmt::format("{}\n   status {}", arrived->text, arrived->status) : arrived->text;
}

std::pair<std::string, std::string> split(const std::string& text, std::string_view at) {
  const auto found = text.find(at);
  if (found == std::string::npos) return {text, ""};
  return {text.substr(0, found), text.substr(found + at.size())};
}

std::string lower(std::string text) {
  for (auto& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return text;
}

bool has_line(const std::string& body, const std::string& line) {
  return ("\n" + body).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

CaseRun::CaseRun(const Transcript& transcript, const Case& played, Channel& channel,
                 HttpChannel* http, std::vector<Replacement>* updates)
    : transcript_(transcript),
      case_(played),
      channel_(channel),
      http_(http),
      updates_(updates),
      names_(with_common(transcript.macros)) {}

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
    auto wrong = step.kind == StepKind::expect ? expect_group(at) : play(step);
    if (wrong) return Problem{step.line, std::move(*wrong)};
    if (step.kind != StepKind::expect) ++at;
  }
  auto wrong = check_nothing(Milliseconds(0));
  if (wrong) return Problem{last_line(), "at the end: " + *wrong};
  return std::nullopt;
}

CaseRun::Outcome CaseRun::play(const Step& step) {
  switch (step.kind) {
    case StepKind::send: return send(step);
    case StepKind::nothing: return check_nothing(kQuiet);
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
    case StepKind::expect: break;
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

CaseRun::Outcome CaseRun::check_nothing(Milliseconds patience) {
  const auto arrived = next([](const Arrived&) { return true; }, patience);
  if (!arrived) return std::nullopt;
  return "expected nothing, came\n<- " + describe(arrived, http_ != nullptr);
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
      waiting.erase(found);
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
  const auto text = names_.abbreviate(to_text(kept));
  auto lines = wrapped(step.any_order ? "<-*" : "<-", text);
  const int status = http_ != nullptr ? arrived.status : status_in(step).value_or(200);
  if (status != 200 && status != 0) lines.push_back(fmt::format("   status {}", status));
  updates_->push_back({step.line, step.end, std::move(lines)});
  matches(kept, *actual, false, names_);
  return std::nullopt;
}

// ---- HTTP as it is written ----

CaseRun::Outcome CaseRun::expect_event(const Step& step) {
  const auto arrived = channel_.next([](const Arrived&) { return true; }, kPatience);
  if (!arrived || !arrived->text.empty()) {
    return "expected an event without data: " + describe(arrived, true);
  }
  for (const auto& detail : step.details) {
    const auto [name, value] = split(detail, " ");
    const auto actual = name == "id"     ? arrived->event_id
                        : arrived->retry ? std::to_string(*arrived->retry)
                                         : "";
    if (!matches_text(value, actual, names_)) {
      return fmt::format("expected {}, came {} {}", detail, name, actual);
    }
  }
  return std::nullopt;
}

CaseRun::Outcome CaseRun::request(const Step& step) {
  if (http_ == nullptr) return "this transport carries no HTTP";
  const auto [line, body] = split(step.text, "\n");
  const auto [method, path] = split(line, " ");
  Request request{method, path, {}, names_.expand(body)};
  for (const auto& detail : step.details) {
    auto [name, value] = split(detail, ":");
    value.erase(0, value.find_first_not_of(' '));
    request.headers.emplace_back(std::move(name), names_.expand(value));
  }
  auto status = http_->request(request);
  return status ? Outcome() : status.error().message;
}

CaseRun::Outcome CaseRun::response(const Step& step) {
  const auto* exchange = http_ == nullptr ? nullptr : http_->head(kPatience);
  if (exchange == nullptr) return "no response";
  if (std::to_string(exchange->status()) != step.text) {
    return fmt::format("expected status {}, came {}\n{}", step.text, exchange->status(),
                       exchange->body());
  }
  for (const auto& detail : step.details) {
    if (auto wrong = check_response(detail, *exchange)) return wrong;
  }
  return std::nullopt;
}

CaseRun::Outcome CaseRun::check_response(const std::string& detail, const HttpExchange& exchange) {
  if (detail == "empty") {
    if (exchange.body().empty()) return std::nullopt;
    return "expected no body, came\n" + exchange.body();
  }
  const auto [word, rest] = split(detail, " ");
  if (word == "no") {
    if (exchange.headers(lower(rest)).empty()) return std::nullopt;
    return "expected no header " + rest;
  }
  if (word == "line") {
    if (has_line(exchange.body(), names_.expand(rest))) return std::nullopt;
    return fmt::format("expected the line {}, came\n{}", rest, exchange.body());
  }
  const auto [name, value] = split(detail, ": ");
  const auto actual = exchange.headers(lower(name));
  if (actual.size() == 1 && matches_text(names_.expand(value), actual.front(), names_)) {
    return std::nullopt;
  }
  return fmt::format("expected the header {}, came {} times: {}", detail, actual.size(),
                     actual.empty() ? "" : actual.front());
}

}  // namespace lode::transcripts
