#include "fixture_tools.h"

namespace lode::fixture {
namespace {

Outcome messages(std::vector<Content> items) {
  Contents contents;
  contents.items = std::move(items);
  return contents;
}

Result<Outcome> with_input(const Exchange& exchange) {
  if (const auto* form = exchange.answers.accepted("user_context")) {
    return messages({Content::text("The context is: " + member_text(form, "context", "unknown"))});
  }
  return NeedsInput{
      {{"user_context", elicit("What is the context?",
                               R"({"type":"object","properties":{"context":{"type":"string"}},
                                 "required":["context"]})")}},
      ""};
}

}  // namespace

std::vector<Prompt> prompts() {
  return {
      {"test_simple_prompt", "", "A prompt without arguments.", {}},
      {"test_prompt_with_arguments",
       "",
       "A prompt with two arguments.",
       {{"arg1", "The first argument", true}, {"arg2", "The second argument", true}}},
      {"test_prompt_with_embedded_resource",
       "",
       "A prompt that embeds a resource.",
       {{"resourceUri", "The address of the resource", true}}},
      {"test_prompt_with_image", "", "A prompt with an image.", {}},
      {"test_input_required_result_prompt", "", "A prompt that asks first.", {}},
  };
}

Result<Outcome> get_prompt(const Exchange& exchange, std::string_view name,
                           const JsonObject& arguments) {
  const auto argument = [&](std::string_view key) { return member_text(&arguments, key, ""); };
  if (name == "test_simple_prompt") {
    return messages({Content::text("This is a simple prompt for testing.")});
  }
  if (name == "test_prompt_with_arguments") {
    return messages({Content::text("Prompt with arguments: arg1='" + argument("arg1") +
                                   "', arg2='" + argument("arg2") + "'")});
  }
  if (name == "test_prompt_with_embedded_resource") {
    return messages(
        {embedded(argument("resourceUri"), "text/plain", "Embedded resource content for testing."),
         Content::text("Please process the embedded resource above.")});
  }
  if (name == "test_prompt_with_image") {
    return messages({png(), Content::text("Please analyze the image above.")});
  }
  return with_input(exchange);
}

}  // namespace lode::fixture
