// HTTP as it is written: >>, <<, <event>.
#include <fmt/format.h>

#include <utility>

#include "runner.h"

namespace lode::transcripts {
namespace {

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
