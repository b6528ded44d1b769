// JSON-RPC 2.0 messages: what came in, and how to write what goes out.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "protocol/wire_error.h"

namespace lode {

// A message inside a JsonDocument; valid as long as the document.
struct Message {
  enum class Kind { request, notification, response };

  Kind kind = Kind::notification;
  std::string id;           // JSON text: an integer, or a string with its quotes
  std::string_view method;  // requests and notifications
  JsonView params;          // an object, or absent
  JsonView result;          // of a response
  JsonView error;           // of a response
};

// A result, or the complaint and the id to complain to (empty if unreadable).
struct MessageError {
  WireError error;
  std::string id;
};
using ReadMessage = std::variant<Message, MessageError>;

ReadMessage read_message(JsonView value);

// Whole messages, as one line of JSON. Ids, results and params are JSON text.
std::string response_text(std::string_view id, std::string_view result);
// An empty id is written as null.
std::string error_text(std::string_view id, const WireError& error);
std::string notification_text(std::string_view method, std::string_view params);
std::string request_text(std::string_view id, std::string_view method, std::string_view params);

}  // namespace lode
