// JSON-RPC framing. Input: what a client writes to the pipe.
//
//  - The lines are the same however the bytes are cut into pieces.
//  - JSON that is read is written, on one line, as JSON that reads alike.
//  - A message that is read is written as a message that reads alike; a complaint
//    about one that is not is itself a message.
#include "protocol/jsonrpc.h"

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "fuzz.h"
#include "transport/line_reader.h"

namespace lode::fuzz {
namespace {

constexpr std::size_t kLineBytes = 1024;

using Lines = std::vector<std::optional<std::string>>;  // none: too long

Lines lines_of(std::string_view input, Pieces pieces) {
  Lines lines;
  LineReader reader(kLineBytes);
  const auto line = [&](std::string_view text) { lines.emplace_back(text); };
  const auto too_long = [&](const std::string& id) {
    check(id.empty() || JsonDocument::parse(id).ok(), "an id that is believed is JSON");
    lines.emplace_back();
  };
  in_pieces(input, pieces, [&](std::string_view piece) { reader.take(piece, line, too_long); });
  reader.end(line, too_long);
  return lines;
}

JsonDocument parse_ours(const std::string& text) {
  check(text.find_first_of("\r\n") == std::string::npos, "what is written is one line");
  auto document = JsonDocument::parse(text);
  check(document.ok(), "what is written can be read");
  return std::move(*document);
}

void check_json(JsonView value) {
  const auto text = value.text();
  check(parse_ours(text).root().text() == text, "a value's text reads as that value");
  const auto copied = to_text(value.copy());
  check(to_text(parse_ours(copied).root().copy()) == copied, "so does its copy's");
}

std::string written(const Message& message) {
  switch (message.kind) {
    case Message::Kind::request:
      return request_text(message.id, message.method, message.params.text());
    case Message::Kind::notification:
      return notification_text(message.method, message.params.text());
    case Message::Kind::response:
      if (message.result) return response_text(message.id, message.result.text());
      return error_text(message.id, {.code = -1, .message = message.error.text()});
  }
  return {};
}

void check_message(const Message& message) {
  const auto document = parse_ours(written(message));
  const auto read = read_message(document.root());
  const auto* again = std::get_if<Message>(&read);
  check(again != nullptr, "a message that is written is a message");
  check(again->kind == message.kind && again->id == message.id, "of the same kind and id");
  check(again->method == message.method, "with the same method");
  check(again->params.text() == message.params.text(), "the same parameters");
  check(again->result.text() == message.result.text(), "and the same result");
  check(again->error.present() == message.error.present(), "or an error like it");
}

void check_complaint(const MessageError& complaint) {
  const auto document = parse_ours(error_text(complaint.id, complaint.error));
  const auto id = document.root()["id"];
  check(complaint.id.empty() ? id.is_null() : id.text() == complaint.id, "it goes to its id");
  check(document.root()["error"]["code"].integer().has_value(), "it has a code");
}

void check_read(JsonView value) {
  const auto read = read_message(value);
  if (const auto* message = std::get_if<Message>(&read)) {
    check_message(*message);
  } else {
    check_complaint(std::get<MessageError>(read));
  }
}

void check_line(std::string_view line) {
  const auto document = JsonDocument::parse(line);
  if (!document) {
    check(document.error().code == Code::invalid, "what is no JSON is the client's fault");
    return;
  }
  check_json(document->root());
  check_read(document->root());
  document->root().each(check_read);
}

}  // namespace

void run(std::string_view input) {
  const auto lines = lines_of(input, Pieces::whole);
  check(lines == lines_of(input, Pieces::single_bytes), "lines are the same byte by byte");
  check(lines == lines_of(input, Pieces::drawn), "lines are the same piece by piece");
  for (const auto& line : lines) {
    if (line) check_line(*line);
  }
}

}  // namespace lode::fuzz
