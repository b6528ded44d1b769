#include "fixture_provider.h"

#include <algorithm>
#include <array>

#include "fixture_tools.h"

namespace lode::fixture {
namespace {

constexpr std::string_view kTemplate = "test://template/{id}/data";

struct Fixed {
  std::string_view uri;
  std::string_view name;
  std::string_view description;
  std::string_view mime;
};

// In this order: the suite reads the first one to look at its caching hints.
constexpr std::array kFixed = {
    Fixed{"test://static-text", "Static Text Resource", "A text that never changes", "text/plain"},
    Fixed{"test://static-binary", "Static Binary Resource", "An image that never changes",
          "image/png"},
    Fixed{"test://watched-resource", "Watched Resource", "A text that can be subscribed to",
          "text/plain"},
};

Entry entry_of(const Fixed& fixed) {
  Entry entry;
  entry.uri = fixed.uri;
  entry.name = fixed.name;
  entry.description = fixed.description;
  entry.mime = fixed.mime;
  return entry;
}

Outcome single(const Uri& uri, Content content) {
  content.uri = uri.text();
  Contents contents;
  contents.ttl = std::chrono::seconds(5);
  contents.scope = Scope::public_;
  contents.generated = true;
  contents.items.push_back(std::move(content));
  return contents;
}

Content json_text(std::string text) {
  Content content = Content::text(std::move(text));
  content.mime = "application/json";
  return content;
}

Result<Outcome> read_static(const Exchange&, const Address& address) {
  const Uri& uri = address.uri();
  if (uri.text() == "test://static-binary") return single(uri, png());
  const bool watched = uri.text() == "test://watched-resource";
  return single(uri, Content::text(watched ? "This is the content of the watched resource."
                                           : "This is the content of the static text resource."));
}

Result<Outcome> read_template(const Exchange&, const Address& address) {
  const std::string& id = address.value("id");
  std::string data;
  JsonWriter(data)
      .begin_object()
      .member("id", id)
      .member("templateTest", true)
      .member("data", "Data for ID: " + id)
      .end_object();
  return single(address.uri(), json_text(std::move(data)));
}

Result<Completions> complete_words(const CompletionQuery& query) {
  Completions found;
  for (const std::string_view word : {"paris", "park", "party", "rome", "1", "2"}) {
    if (word.starts_with(query.value)) found.values.emplace_back(word);
  }
  return found;
}

}  // namespace

FixtureProvider::FixtureProvider(Events& events)
    : events_(events), manifest_(std::make_shared<const Manifest>(make_manifest())) {}

Manifest FixtureProvider::make_manifest() {
  Manifest manifest;
  manifest.name = "fixture";
  manifest.families = {{"test:"}};
  manifest.routes = {{{std::string(kTemplate), "Template Resource", "", "A resource for each id",
                       "application/json"},
                      read_template},
                     {{"test://idle", "", "", "", ""},
                      [this](const Exchange&, const Address&) -> Result<Outcome> {
                        running_.wait_for_none();
                        return Contents();
                      },
                      false}};
  for (const auto& fixed : kFixed) {
    manifest.routes.push_back({{std::string(fixed.uri), "", "", "", ""}, read_static, false});
  }
  manifest.tools = fixture::tools();
  return manifest;
}

// Keys are the URIs, in the order of the table.
Result<Page<Entry>> FixtureProvider::list(const Exchange&, const ListQuery& query) {
  Page<Entry> page;
  bool begun = query.after.empty();
  for (const auto& fixed : kFixed) {
    if (begun && page.items.size() == query.limit) {
      page.next = page.items.back().uri;
      return page;
    }
    if (begun) page.items.push_back(entry_of(fixed));
    begun |= fixed.uri == query.after;
  }
  if (!begun) return invalid("the cursor names what is no longer there");
  return page;
}

Result<Outcome> FixtureProvider::call(const Exchange& exchange, std::string_view tool,
                                      const Json& arguments) {
  return running_.during([&] { return call_tool(exchange, tool, arguments, events_); });
}

Result<Completions> FixtureProvider::complete(const Exchange&, const CompletionQuery& query) {
  return complete_words(query);
}

Result<Page<Prompt>> FixturePrompts::list(const Exchange&, const ListQuery& query) {
  return page_of_prompts(fixture::prompts(), query);
}

std::optional<Prompt> FixturePrompts::find(std::string_view name) const {
  const auto all = fixture::prompts();
  const auto found = std::ranges::find(all, name, &Prompt::name);
  return found == all.end() ? std::nullopt : std::optional(*found);
}

Result<Outcome> FixturePrompts::get(const Exchange& exchange, std::string_view name,
                                    const JsonObject& arguments) {
  return running_.during([&] { return get_prompt(exchange, name, arguments); });
}

Result<Completions> FixturePrompts::complete(const Exchange&, const CompletionQuery& query) {
  return complete_words(query);
}

}  // namespace lode::fixture
