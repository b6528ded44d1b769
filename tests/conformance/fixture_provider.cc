#include "fixture_provider.h"

#include <array>

#include "base/uri_template.h"
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

Manifest make_manifest() {
  Manifest manifest;
  manifest.name = "fixture";
  manifest.roots = {"test:"};
  manifest.templates = {{std::string(kTemplate), "Template Resource", "", "A resource for each id",
                         "application/json"}};
  manifest.tools = tools();
  manifest.prompts = prompts();
  return manifest;
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

}  // namespace

FixtureProvider::FixtureProvider(Events& events) : events_(events), manifest_(make_manifest()) {}

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

Result<Outcome> FixtureProvider::read(const Exchange&, const Uri& uri) {
  if (uri.text() == "test://static-text") {
    return single(uri, Content::text("This is the content of the static text resource."));
  }
  if (uri.text() == "test://static-binary") return single(uri, png());
  if (uri.text() == "test://watched-resource") {
    return single(uri, Content::text("This is the content of the watched resource."));
  }
  const auto matched = UriTemplate::parse(kTemplate)->match(uri.text());
  if (!matched) return not_found("no such resource");
  const std::string& id = *matched->find("id");
  std::string data;
  JsonWriter(data)
      .begin_object()
      .member("id", id)
      .member("templateTest", true)
      .member("data", "Data for ID: " + id)
      .end_object();
  return single(uri, json_text(std::move(data)));
}

Result<Outcome> FixtureProvider::invoke(const Exchange& exchange, const Uri& uri,
                                        const Json& arguments) {
  if (uri.authority() == "prompts") {
    return get_prompt(exchange, name_of(uri), arguments.as_object());
  }
  return call_tool(exchange, name_of(uri), arguments, events_);
}

Result<Completions> FixtureProvider::complete(const Exchange&, const CompletionQuery& query) {
  Completions found;
  for (const std::string_view word : {"paris", "park", "party", "rome", "1", "2"}) {
    if (word.starts_with(query.value)) found.values.emplace_back(word);
  }
  return found;
}

}  // namespace lode::fixture
