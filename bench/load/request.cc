#include "request.h"

#include <simdjson.h>

#include <boost/json.hpp>
#include <cstdio>

namespace lode::bench {
namespace {

namespace json = boost::json;

constexpr std::string_view kMeta = "io.modelcontextprotocol/";

json::object client_info() { return {{"name", "mcpbench"}, {"version", "1"}}; }

json::object envelope(Era era) {
  const std::string meta(kMeta);
  return {{meta + "protocolVersion", protocol_version(era)},
          {meta + "clientInfo", client_info()},
          {meta + "clientCapabilities", json::object()}};
}

std::string pattern_of(std::string_view method, std::string_view params, Era era) {
  auto object = json::parse(json::string_view(params.data(), params.size())).as_object();
  if (era == Era::modern) object["_meta"] = envelope(era);
  std::string out = R"({"jsonrpc":"2.0","id":{{id}},"method":)";
  out += json::serialize(json::string(method));
  if (!object.empty()) out += ",\"params\":" + json::serialize(object);
  return out + "}";
}

// What the Mcp-Name header repeats of the parameters.
std::optional<Pattern> name_of(std::string_view method, std::string_view params) {
  if (method != "resources/read") return std::nullopt;
  const auto value = json::parse(json::string_view(params.data(), params.size()));
  return Pattern(json::value_to<std::string>(value.at("uri")));
}

}  // namespace

std::string_view protocol_version(Era era) {
  return era == Era::modern ? "2026-07-28" : "2025-11-25";
}

Pattern::Pattern(std::string_view text) {
  constexpr std::string_view kId = "{{id}}";
  constexpr std::string_view kN = "{{n}}";
  while (true) {
    const auto id = text.find(kId);
    const auto n = text.find(kN);
    const auto at = std::min(id, n);
    if (at == std::string_view::npos) break;
    parts_.push_back({std::string(text.substr(0, at)), id < n ? Hole::id : Hole::n});
    text.remove_prefix(at + (id < n ? kId : kN).size());
  }
  parts_.push_back({std::string(text), Hole::none});
}

void Pattern::write(std::string& out, std::uint64_t id, std::uint64_t n) const {
  char path[48];
  for (const auto& part : parts_) {
    out += part.text;
    if (part.after == Hole::id) out += std::to_string(id);
    if (part.after != Hole::n) continue;
    std::snprintf(path, sizeof path, "%03u/%03u", static_cast<unsigned>(n / 1000),
                  static_cast<unsigned>(n % 1000));
    out += path;
  }
}

Request::Request(std::string method, std::string_view params, Era era)
    : method_(std::move(method)),
      body_(pattern_of(method_, params, era)),
      name_(name_of(method_, params)) {}

std::string Request::body(std::uint64_t id, std::uint64_t n) const {
  std::string out;
  body_.write(out, id, n);
  return out;
}

std::optional<std::string> Request::name(std::uint64_t n) const {
  if (!name_) return std::nullopt;
  std::string out;
  name_->write(out, 0, n);
  return out;
}

std::string hello(Era era) {
  if (era == Era::modern) return Request("server/discover", "{}", era).body(kFirstId, 0);
  const json::object params{{"protocolVersion", protocol_version(era)},
                            {"capabilities", json::object()},
                            {"clientInfo", client_info()}};
  return Request("initialize", json::serialize(params), era).body(kFirstId, 0);
}

std::string_view hello_method(Era era) {
  return era == Era::modern ? "server/discover" : "initialize";
}

std::string_view after_hello(Era era) {
  return era == Era::modern ? "" : R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
}

Answer read_answer(std::string_view text) {
  static simdjson::dom::parser parser;
  Answer answer;
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return answer;
  std::string_view version;
  if (root["jsonrpc"].get(version) != simdjson::SUCCESS || version != "2.0") return answer;
  answer.message = true;
  if (root["id"].get(answer.id) != simdjson::SUCCESS) answer.id = 0;
  std::string_view method;
  if (root["method"].get(method) == simdjson::SUCCESS) answer.method = method;
  answer.result = root["result"].is_object();
  return answer;
}

}  // namespace lode::bench
