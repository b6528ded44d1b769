#include "fixture_tools.h"

#include <chrono>
#include <functional>
#include <map>
#include <thread>

#include "base/base64.h"
#include "fixture_input.h"

namespace lode::fixture {
namespace {

constexpr std::string_view kNoArguments = R"({"type":"object"})";
constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg"
    "==";
constexpr std::string_view kWav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

constexpr std::string_view kSchema2020 = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}},
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false})";

// These tools take time because that is what they show: messages that come one by one, a
// stream that ends before its answer, work that can be cancelled.
void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

Outcome many(std::vector<Content> items) {
  Contents contents;
  contents.items = std::move(items);
  return contents;
}

Content sound() { return Content::binary("audio/wav", *base64_decode(kWav)); }

using Run = std::function<Result<Outcome>(const Exchange&, const Json&, Events&)>;

struct Fixture {
  std::string_view name;
  std::string_view description;
  std::string_view schema;
  Run run;
};

Result<Outcome> with_progress(const Exchange& exchange) {
  exchange.progress.report(0, 100, "begun");
  pause();
  exchange.progress.report(50, 100, "half");
  pause();
  exchange.progress.report(100, 100, "done");
  return text("Progress was reported three times.");
}

Result<Outcome> with_logging(const Exchange& exchange) {
  for (const char* words :
       {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    exchange.progress.log(Severity::info, "fixture", words);
    pause();
  }
  return text("Three messages were logged.");
}

Result<Outcome> reconnecting(const Exchange& exchange) {
  exchange.progress.release();
  pause();
  pause();
  return text("Reconnection test completed successfully.");
}

Result<Outcome> failing() {
  Contents contents;
  contents.items.push_back(Content::text("This tool intentionally returns an error for testing"));
  contents.failed = true;
  return contents;
}

Result<Outcome> publishing(Events& events, const Change& change) {
  events.publish(change);
  return text("The change was published.");
}

// test_simple_text stays first: the suite calls the first tool with {}.
// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<Fixture>& fixtures() {
  using E = const Exchange&;
  using A = const Json&;
  static const std::vector<Fixture> kFixtures = {
      {"test_simple_text", "Answers with a text.", kNoArguments,
       [](E, A, Events&) { return text("This is a simple text response for testing."); }},
      {"test_image_content", "Answers with an image.", kNoArguments,
       [](E, A, Events&) { return many({png()}); }},
      {"test_audio_content", "Answers with a sound.", kNoArguments,
       [](E, A, Events&) { return many({sound()}); }},
      {"test_embedded_resource", "Answers with an embedded resource.", kNoArguments,
       [](E, A, Events&) {
         return many({embedded("test://embedded-resource", "text/plain",
                               "This is an embedded resource content.")});
       }},
      {"test_multiple_content_types", "Answers with a text, an image and a resource.", kNoArguments,
       [](E, A, Events&) {
         return many({Content::text("Multiple content types test:"), png(),
                      embedded("test://mixed-content-resource", "application/json",
                               R"({"test":"data","value":123})")});
       }},
      {"test_error_handling", "Always fails.", kNoArguments,
       [](E, A, Events&) { return failing(); }},
      {"test_tool_with_progress", "Reports its progress.", kNoArguments,
       [](E e, A, Events&) { return with_progress(e); }},
      {"test_tool_with_logging", "Logs three messages.", kNoArguments,
       [](E e, A, Events&) { return with_logging(e); }},
      {"test_logging_tool", "Logs three messages, if asked to.", kNoArguments,
       [](E e, A, Events&) { return with_logging(e); }},
      {"test_reconnection", "Lets the client go and come back.", kNoArguments,
       [](E e, A, Events&) { return reconnecting(e); }},
      {"json_schema_2020_12_tool", "Has a schema with the words of 2020-12.", kSchema2020,
       [](E, A a, Events&) { return text("Arguments: " + to_text(a)); }},
      {"test_x_mcp_header", "Has an argument that a header repeats.",
       R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},
           "level":{"type":"integer"}}})",
       [](E, A a, Events&) {
         return text("region=" + member_text(a.if_object(), "region", "none"));
       }},
      {"test_structured", "Answers with data that has a schema.",
       R"({"type":"object","properties":{"n":{"type":"integer","minimum":0}},"required":["n"]})",
       [](E, A a, Events&) -> Result<Outcome> {
         Contents contents;
         contents.structured = JsonObject{{"double", a.at("n").as_int64() * 2}};
         return contents;
       }},
      {"test_streaming_elicitation", "Answers at once.", kNoArguments,
       [](E, A, Events&) { return text("There was nothing to ask."); }},
      {"test_trigger_tool_change", "Announces that the list of tools changed.", kNoArguments,
       [](E, A, Events& v) {
         return publishing(v, {Change::Kind::tool_list, ""});
       }},
      {"test_trigger_prompt_change", "Announces that the list of prompts changed.", kNoArguments,
       [](E, A, Events& v) {
         return publishing(v, {Change::Kind::prompt_list, ""});
       }},
      {"test_trigger_resource_change", "Announces that the watched resource changed.", kNoArguments,
       [](E, A, Events& v) {
         return publishing(v, {Change::Kind::resource, "test://watched-resource"});
       }},
      {"test_slow", "Takes ten seconds, unless cancelled.", kNoArguments,
       [](E e, A, Events&) -> Result<Outcome> {
         for (int i = 0; i < 200 && !e.stop.stop_requested(); ++i) pause();
         return text("Ten seconds have passed.");
       }},
      {"test_throw", "Throws where it should answer.", kNoArguments,
       [](E, A, Events&) -> Result<Outcome> { throw std::runtime_error("secret of the tool"); }},
  };
  return kFixtures;
}

}  // namespace

Outcome text(std::string words) { return many({Content::text(std::move(words))}); }

Content png() { return Content::binary("image/png", *base64_decode(kPng)); }

Content embedded(std::string uri, std::string mime, std::string words) {
  Content content = Content::text(std::move(words));
  content.uri = std::move(uri);
  content.mime = std::move(mime);
  return content;
}

Question elicit(std::string message, std::string_view schema) {
  return {
      Question::Kind::elicit_form,
      JsonObject{{"mode", "form"}, {"message", message}, {"requestedSchema", *parse_json(schema)}}};
}

std::string member_text(const JsonObject* object, std::string_view key,
                        std::string_view otherwise) {
  const auto* value = object == nullptr
                          ? nullptr
                          : object->if_contains(boost::json::string_view(key.data(), key.size()));
  if (value == nullptr || !value->is_string()) return std::string(otherwise);
  return {value->get_string().data(), value->get_string().size()};
}

std::vector<Tool> tools() {
  std::vector<Tool> out;
  for (const auto& fixture : fixtures()) {
    Tool tool;
    tool.name = fixture.name;
    tool.description = fixture.description;
    tool.input_schema = *parse_json(fixture.schema);
    if (tool.name == "test_structured") {
      tool.output_schema = *parse_json(
          R"({"type":"object","properties":{"double":{"type":"integer"}},"required":["double"]})");
    }
    out.push_back(std::move(tool));
  }
  for (auto& tool : input_tools()) out.push_back(std::move(tool));
  return out;
}

Result<Outcome> call_tool(const Exchange& exchange, std::string_view name, const Json& arguments,
                          Events& events) {
  for (const auto& fixture : fixtures()) {
    if (fixture.name == name) return fixture.run(exchange, arguments, events);
  }
  return call_input_tool(exchange, name, arguments);
}

}  // namespace lode::fixture
