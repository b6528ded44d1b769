#include "protocol/jsonrpc.h"

namespace lode {
namespace {

constexpr std::size_t kMaxIdBytes = 1024;
constexpr std::size_t kMaxMethodBytes = 256;

// The id as JSON text; empty if it is none that JSON-RPC allows here.
std::string id_text(JsonView id) {
  if (!id.integer() && !id.string()) return {};
  auto text = id.text();
  return text.size() > kMaxIdBytes ? std::string() : text;
}

ReadMessage complain(std::string message, std::string id = {}) {
  return MessageError{invalid_request(std::move(message)), std::move(id)};
}

ReadMessage read_response(JsonView value, Message message) {
  message.kind = Message::Kind::response;
  message.result = value["result"];
  message.error = value["error"];
  if (message.result.present() == message.error.present()) {
    return complain("a response has either a result or an error");
  }
  return message;
}

}  // namespace

ReadMessage read_message(JsonView value) {
  if (!value.is_object()) return complain("a JSON-RPC message is an object");
  Message message;
  const JsonView id = value["id"];
  message.id = id_text(id);
  if (value["jsonrpc"].string() != "2.0") return complain("\"jsonrpc\" is not \"2.0\"", message.id);
  if (id && message.id.empty()) return complain("\"id\" is not a string or an integer");
  if (!value["method"]) {
    if (!id) return complain("neither a request, a notification nor a response");
    return read_response(value, std::move(message));
  }
  const auto method = value["method"].string();
  if (!method || method->empty() || method->size() > kMaxMethodBytes) {
    return complain("\"method\" is not a string", message.id);
  }
  message.method = *method;
  message.params = value["params"];
  if (message.params && !message.params.is_object()) {
    return complain("\"params\" is not an object", message.id);
  }
  message.kind = id ? Message::Kind::request : Message::Kind::notification;
  return message;
}

std::string response_text(std::string_view id, std::string_view result) {
  std::string out;
  out.reserve(result.size() + id.size() + 40);
  out.append(R"({"jsonrpc":"2.0","id":)").append(id).append(R"(,"result":)").append(result);
  out += '}';
  return out;
}

std::string error_text(std::string_view id, const WireError& error) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("jsonrpc", "2.0").raw_member("id", id.empty() ? "null" : id);
  w.key("error").begin_object().member("code", error.code).member("message", error.message);
  if (!error.data.empty()) w.raw_member("data", error.data);
  w.end_object().end_object();
  return out;
}

std::string notification_text(std::string_view method, std::string_view params) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("jsonrpc", "2.0").member("method", method);
  if (!params.empty()) w.raw_member("params", params);
  w.end_object();
  return out;
}

std::string request_text(std::string_view id, std::string_view method, std::string_view params) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("jsonrpc", "2.0").raw_member("id", id).member("method", method);
  if (!params.empty()) w.raw_member("params", params);
  w.end_object();
  return out;
}

}  // namespace lode
