#include "fixture_input.h"

#include <functional>

#include "fixture_tools.h"

namespace lode::fixture {
namespace {

constexpr std::string_view kName =
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";

Question sample(std::string words) {
  const JsonObject content{{"type", "text"}, {"text", words}};
  return {Question::Kind::sample,
          JsonObject{{"messages", JsonArray{JsonObject{{"role", "user"}, {"content", content}}}},
                     {"maxTokens", 100}}};
}

Question list_roots() { return {Question::Kind::list_roots, nullptr}; }

NeedsInput ask(std::map<std::string, Question> questions, std::string state = {}) {
  return {std::move(questions), std::move(state)};
}

// The answer's object as JSON, if there is one with that key.
const Json* find(const JsonObject* object, std::string_view key) {
  return object == nullptr ? nullptr
                           : object->if_contains(boost::json::string_view(key.data(), key.size()));
}

bool has_content(const Exchange& e, std::string_view key) {
  return find(e.answers.object(key), "content") != nullptr;
}
bool has_roots(const Exchange& e, std::string_view key) {
  return find(e.answers.object(key), "roots") != nullptr;
}

std::string sampled_text(const Exchange& e, std::string_view key) {
  const auto* content = find(e.answers.object(key), "content");
  return member_text(content == nullptr ? nullptr : content->if_object(), "text", "nothing");
}

// ---- legacy scenarios: asked in the middle of the call ----

Result<Outcome> sampling(const Exchange& e, const Json& arguments) {
  if (has_content(e, "answer")) return text("LLM response: " + sampled_text(e, "answer"));
  return ask({{"answer", sample(member_text(arguments.if_object(), "prompt", ""))}});
}

Result<Outcome> reported(const Exchange& e, std::string_view key, const std::string& before,
                         const Question& question) {
  const auto* answer = e.answers.object(key);
  if (answer == nullptr) return ask({{std::string(key), question}});
  const auto* content = find(answer, "content");
  return text(before + "action=" + member_text(answer, "action", "none") +
              ", content=" + (content == nullptr ? "{}" : to_text(*content)));
}

Result<Outcome> elicitation(const Exchange& e, const Json& arguments) {
  return reported(e, "user", "User response: ",
                  elicit(member_text(arguments.if_object(), "message", ""),
                         R"({"type":"object","properties":{
                           "username":{"type":"string","description":"Your name"},
                           "email":{"type":"string","description":"Your address"}},
                           "required":["username","email"]})"));
}

Result<Outcome> defaults(const Exchange& e, const Json&) {
  return reported(e, "form", "Elicitation completed: ",
                  elicit("Please look at the defaults.",
                         R"({"type":"object","properties":{
                           "name":{"type":"string","default":"John Doe"},
                           "age":{"type":"integer","default":30},
                           "score":{"type":"number","default":95.5},
                           "status":{"type":"string","enum":["active","inactive","pending"],
                             "default":"active"},
                           "verified":{"type":"boolean","default":true}},"required":[]})"));
}

Result<Outcome> enums(const Exchange& e, const Json&) {
  return reported(e, "form", "Elicitation completed: ",
                  elicit("Please choose.",
                         R"({"type":"object","properties":{
      "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
      "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
        {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
      "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
        "enumNames":["Option One","Option Two","Option Three"]},
      "untitledMulti":{"type":"array","items":{"type":"string",
        "enum":["option1","option2","option3"]}},
      "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
        {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},
      "required":[]})"));
}

// ---- modern scenarios: asked in the answer ----

Result<Outcome> missing_capability(const Exchange&, const Json&) {
  return ask({{"question", sample("What is missing?")}});
}

Result<Outcome> basic_elicitation(const Exchange& e, const Json&) {
  const auto* form = e.answers.accepted("user_name");
  if (find(form, "name") != nullptr) return text("Hello, " + member_text(form, "name", "?") + "!");
  return ask({{"user_name", elicit("What is your name?", kName)}});
}

Result<Outcome> basic_sampling(const Exchange& e, const Json&) {
  if (has_content(e, "capital_question")) return text(sampled_text(e, "capital_question"));
  return ask({{"capital_question", sample("What is the capital of France?")}});
}

Result<Outcome> basic_roots(const Exchange& e, const Json&) {
  if (has_roots(e, "client_roots")) {
    return text("Roots: " + to_text(*find(e.answers.object("client_roots"), "roots")));
  }
  return ask({{"client_roots", list_roots()}});
}

constexpr std::string_view kConfirm =
    R"({"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]})";

Result<Outcome> request_state(const Exchange& e, const Json&) {
  if (e.answers.state == "waiting" && e.answers.accepted("confirm") != nullptr) {
    return text("state-ok");
  }
  return ask({{"confirm", elicit("Please confirm.", kConfirm)}}, "waiting");
}

Result<Outcome> multiple_inputs(const Exchange& e, const Json&) {
  const auto* form = e.answers.accepted("user_name");
  if (form != nullptr && has_content(e, "greeting") && has_roots(e, "client_roots")) {
    return text(sampled_text(e, "greeting") + ", " + member_text(form, "name", "?") + "!");
  }
  return ask({{"user_name", elicit("What is your name?", kName)},
              {"greeting", sample("Greet somebody.")},
              {"client_roots", list_roots()}},
             "several");
}

Result<Outcome> multi_round(const Exchange& e, const Json&) {
  constexpr std::string_view kColor =
      R"({"type":"object","properties":{"color":{"type":"string"}},"required":["color"]})";
  if (e.answers.state.starts_with("step2:")) {
    if (const auto* form = e.answers.accepted("step2")) {
      return text(e.answers.state.substr(6) + " likes " + member_text(form, "color", "?") + ".");
    }
  }
  if (const auto* form = e.answers.accepted("step1")) {
    return ask({{"step2", elicit("Which colour do you like?", kColor)}},
               "step2:" + member_text(form, "name", "?"));
  }
  return ask({{"step1", elicit("What is your name?", kName)}}, "step1");
}

Result<Outcome> declared_kinds(const Exchange& e, const Json&) {
  if (!e.answers.responses.empty()) return text("Thank you.");
  NeedsInput needs;
  if (e.client.elicit_form) needs.questions["form"] = elicit("What is your name?", kName);
  if (e.client.sample) needs.questions["sample"] = sample("Say something.");
  if (e.client.list_roots) needs.questions["roots"] = list_roots();
  return needs;
}

struct InputTool {
  std::string_view name;
  std::string_view description;
  std::string_view schema;
  Result<Outcome> (*run)(const Exchange&, const Json&);
};

constexpr std::string_view kNone = R"({"type":"object"})";

constexpr InputTool kTools[] = {
    {"test_sampling", "Asks the client's model.",
     R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})",
     sampling},
    {"test_elicitation", "Asks the user.",
     R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})",
     elicitation},
    {"test_elicitation_sep1034_defaults", "Asks the user, with defaults.", kNone, defaults},
    {"test_elicitation_sep1330_enums", "Asks the user to choose.", kNone, enums},
    {"test_missing_capability", "Needs a client that samples.", kNone, missing_capability},
    {"test_input_required_result_elicitation", "Asks for a name.", kNone, basic_elicitation},
    {"test_input_required_result_sampling", "Asks the client's model.", kNone, basic_sampling},
    {"test_input_required_result_list_roots", "Asks for the roots.", kNone, basic_roots},
    {"test_input_required_result_request_state", "Keeps a state.", kNone, request_state},
    {"test_input_required_result_multiple_inputs", "Asks three things.", kNone, multiple_inputs},
    {"test_input_required_result_multi_round", "Asks twice.", kNone, multi_round},
    {"test_input_required_result_tampered_state", "Keeps a state that must not be altered.", kNone,
     request_state},
    {"test_input_required_result_capabilities", "Asks what the client can answer.", kNone,
     declared_kinds},
};

}  // namespace

std::vector<Tool> input_tools() {
  std::vector<Tool> out;
  for (const auto& fixture : kTools) {
    Tool tool;
    tool.name = fixture.name;
    tool.description = fixture.description;
    tool.input_schema = *parse_json(fixture.schema);
    out.push_back(std::move(tool));
  }
  return out;
}

Result<Outcome> call_input_tool(const Exchange& exchange, std::string_view name,
                                const Json& arguments) {
  for (const auto& fixture : kTools) {
    if (fixture.name == name) return fixture.run(exchange, arguments);
  }
  return not_found("no such tool");
}

}  // namespace lode::fixture
