#include "providers/capability/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "base/nearest.h"

namespace lode {
namespace {

constexpr std::string_view kBase = "capability-index://";
constexpr std::string_view kListTemplate =
    "capability-index://elements/{type}{?tag,author,limit,cursor}";
constexpr std::string_view kElementTemplate = "capability-index://elements/{type}/{id}";
constexpr std::size_t kMostHits = 100;
constexpr int kMostDays = 36'500;
constexpr int kMostAfter = 1'000'000;
constexpr std::chrono::milliseconds kPatience{250};
constexpr std::chrono::milliseconds kStatsTime{1000};  // numbers that move by themselves

struct FixedPage {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view mime;
};
constexpr std::array kPages = {
    FixedPage{"summary", "Capability Index Summary",
              "Personas, skills, templates, agents, ensembles and memories at a glance",
              "text/markdown"},
    FixedPage{"full", "Capability Index Full Details", "Every element with its metadata",
              "text/markdown"},
    FixedPage{"stats", "Capability Index Statistics", "The numbers", "application/json"},
};

Manifest make_manifest() {
  Manifest manifest;
  manifest.name = "capability";
  manifest.roots = {"capability-index:", "dollhouse://capability-index",
                    "capability://nexs-mcp/index", "skill:"};
  manifest.templates = {
      {std::string(kListTemplate), "elements", "", "Elements of a type", "application/json"},
      {std::string(kElementTemplate), "element", "", "One element", ""},
      {"capability-index://recent{?days}", "recent", "", "What changed lately", "application/json"},
      {"capability-index://search{?q,type,limit}", "search", "", "Elements by relevance",
       "application/json"},
      {std::string(SkillShelf::kTemplate), "skill", "", "A file of an agent skill", ""},
  };
  manifest.skills = true;
  manifest.named_only.push_back(*Glob::parse("capability-index://elements/*/*"));
  manifest.more_prompts = true;
  return manifest;
}

bool is_skill(const Uri& uri) { return uri.scheme() == "skill"; }

Error no_such() { return not_found("no such resource"); }

// A number in the query; nothing: it is wrong.
std::optional<int> number_in(const Uri& uri, std::string_view name, int fallback, int most) {
  const auto text = uri.query_value(name);
  if (!text) return fallback;
  int value = 0;
  const auto end = text->data() + text->size();
  const auto read = std::from_chars(text->data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < 1) return std::nullopt;
  return std::min(value, most);
}

Error wrong_number(std::string_view name) {
  return invalid(fmt::format("\"{}\" is a whole number from 1 on", name));
}

Error unknown_type(std::string_view word) {
  std::array<std::string_view, kElementTypeCount> names;
  std::transform(kElementTypes.begin(), kElementTypes.end(), names.begin(),
                 [](ElementType type) { return to_string(type); });
  return not_found(
      fmt::format("there is no type \"{}\" of elements{}", word, did_you_mean(word, names)));
}

Content json_content(std::string text) {
  Content content = Content::text(std::move(text));
  content.mime = "application/json";
  return content;
}

}  // namespace

CapabilityProvider::CapabilityProvider(Collection& collection, const Index& index,
                                       const ActiveElements* active, Facts facts, Permits permits)
    : collection_(collection),
      shelf_(collection),
      pages_(collection, index,
             {[] { return std::chrono::system_clock::now(); },
              [&collection, active] { return active_elements(collection, active); },
              [this] { return shelf_.problems(Collection::kMostProblems); }}),
      facts_(std::move(facts)),
      permits_(std::move(permits)),
      manifest_(make_manifest()) {}

ElementGate CapabilityProvider::gate_of(const Exchange& exchange) const {
  return ElementGate([this, &who = exchange.who](Action action, const Uri& address) {
    return permits_(who, action, address);
  });
}

void CapabilityProvider::settle() const {
  if (collection_.loading()) collection_.wait_loaded(std::chrono::steady_clock::now() + kPatience);
}

Uri CapabilityProvider::canonical(const Uri& uri) const {
  if (is_skill(uri)) return shelf_.canonical(uri);
  std::string_view rest;
  const auto text = uri.text();
  for (const std::string_view alias :
       {"dollhouse://capability-index/", "capability://nexs-mcp/index/"}) {
    if (text.starts_with(alias)) rest = text.substr(alias.size());
  }
  if (!rest.empty()) {
    auto other = Uri::parse(std::string(kBase).append(rest));
    return other ? *other : uri;
  }
  // Of a type in the plural, and an element by its name.
  const auto segments = uri.segments();
  if (uri.authority() != "elements" || segments.empty()) return uri;
  const auto type = find_element_type(segments[0]);
  if (!type || segments.size() > 2) return uri;
  std::string one = fmt::format("{}elements/{}", kBase, to_string(*type));
  if (segments.size() == 2) {
    const auto element = collection_.find(*type, segments[1]);
    one += "/" + encode_component(element ? element->id : segments[1]);
  }
  if (uri.has_query()) one.append("?").append(uri.query());
  auto parsed = Uri::parse(one);
  return parsed ? *parsed : uri;
}

// ---- resources ----

// Keys: the name of a page, or an address of a skill without its name.
Result<Page<Entry>> CapabilityProvider::list(const Exchange&, const ListQuery& query) {
  settle();
  constexpr std::string_view kSkills = "skill:";
  Page<Entry> page;
  const auto add_skills = [&](std::string_view name) {
    auto skills = shelf_.entries({std::string(name), query.limit - page.items.size()});
    std::move(skills.items.begin(), skills.items.end(), std::back_inserter(page.items));
    if (!skills.next.empty()) page.next = std::string(kSkills) + skills.next;
  };
  if (query.after.starts_with(kSkills)) {
    add_skills(std::string_view(query.after).substr(kSkills.size()));
    return page;
  }
  const auto after = std::find_if(kPages.begin(), kPages.end(),
                                  [&](const FixedPage& p) { return p.name == query.after; });
  for (auto at = query.after.empty() ? kPages.begin() : std::next(after); at != kPages.end();
       ++at) {
    if (page.items.size() == query.limit) {
      page.next = std::prev(at)->name;
      break;
    }
    Entry entry;
    entry.uri = std::string(kBase).append(at->name);
    entry.name = at->title;
    entry.description = at->description;
    entry.mime = at->mime;
    page.items.push_back(std::move(entry));
  }
  if (!page.next.empty()) return page;
  if (page.items.size() < query.limit) {
    add_skills("");
  } else {
    page.next = kSkills;
  }
  return page;
}

Result<Content> CapabilityProvider::elements(const Exchange& exchange, const Uri& uri) const {
  const auto segments = uri.segments();
  if (segments.empty() || segments.size() > 2) return no_such();
  const auto type = find_element_type(segments[0]);
  if (!type) return unknown_type(segments[0]);
  if (segments.size() == 1) {
    CapabilityPages::ListFilter filter;
    filter.type = *type;
    filter.tag = uri.query_value("tag").value_or("");
    filter.author = uri.query_value("author").value_or("");
    filter.cursor = uri.query_value("cursor").value_or("");
    const auto limit = number_in(uri, "limit", CapabilityPages::kListLimit, kMostHits * 10);
    if (!limit) return wrong_number("limit");
    filter.limit = static_cast<std::size_t>(*limit);
    return json_content(pages_.list(gate_of(exchange), filter));
  }
  auto element = collection_.find(*type, segments[1]);
  if (!element && collection_.loading() && collection_.wait_loaded(exchange.deadline)) {
    element = collection_.find(*type, segments[1]);
  }
  if (!element) return no_such();
  if (!exchange.named) return json_content(pages_.about(gate_of(exchange), *element));
  auto text = collection_.text_of(*element);
  if (!text) return std::move(text).error();
  Content content = Content::text(std::move(*text));
  content.mime = element->file.ends_with(".md") ? "text/markdown" : "application/yaml";
  return content;
}

Result<Content> CapabilityProvider::page(const Exchange& exchange, const Uri& uri,
                                         Contents& contents) const {
  const auto name = uri.authority();
  const auto markdown = [](std::string text) {
    Content content = Content::text(std::move(text));
    content.mime = "text/markdown";
    return content;
  };
  if (name == "elements") return elements(exchange, uri);
  if (!uri.segments().empty()) return no_such();
  const auto gate = gate_of(exchange);
  if (name == "summary") return markdown(pages_.summary(gate));
  if (name == "full") return markdown(pages_.full(gate));
  if (name == "stats") {
    contents.ttl = kStatsTime;
    return json_content(pages_.stats(facts_()));
  }
  if (name == "problems") {
    const auto after = number_in(uri, "after", 0, kMostAfter);
    if (!after) return wrong_number("after");
    return json_content(pages_.problems(gate, static_cast<std::size_t>(*after)));
  }
  if (name == "recent") {
    const auto days = number_in(uri, "days", 7, kMostDays);
    if (!days) return wrong_number("days");
    return json_content(pages_.recent(gate, *days));
  }
  if (name != "search") return no_such();
  const auto query = uri.query_value("q");
  if (!query) return invalid("say what to search for: capability-index://search?q=WORDS");
  const auto word = uri.query_value("type");
  const auto type = word ? find_element_type(*word) : std::nullopt;
  if (word && !type) return unknown_type(*word);
  const auto limit = number_in(uri, "limit", 10, kMostHits);
  if (!limit) return wrong_number("limit");
  return json_content(pages_.search(gate, *query, type, static_cast<std::size_t>(*limit)));
}

Result<Outcome> CapabilityProvider::read(const Exchange& exchange, const Uri& uri) {
  if (uri.text() != CapabilityPages::kStats) settle();
  if (is_skill(uri)) {
    const auto gate = gate_of(exchange);
    auto file = shelf_.read(uri, [&](std::string_view address) { return gate.shows(address); });
    if (!file) return std::move(file).error();
    return Outcome(std::move(*file));
  }
  Contents contents;
  contents.generated = true;
  auto content = page(exchange, uri, contents);
  if (!content) return std::move(content).error();
  content->uri = uri.text();
  content->version = content_hash(content->bytes);
  // What is made of all elements changes when any of them does.
  if (uri.text() != CapabilityPages::kFull) {
    contents.made_from.emplace_back(CapabilityPages::kFull);
  }
  contents.items.push_back(std::move(*content));
  return contents;
}

// ---- skills ----

Result<Page<Skill>> CapabilityProvider::skills(const Exchange& exchange, const ListQuery& query) {
  settle();
  return shelf_.list(query, exchange.stop);
}

Result<Skill> CapabilityProvider::skill(const Exchange& exchange, const Uri& uri) {
  settle();
  return shelf_.get(uri, exchange.stop);
}

Result<Page<Entry>> CapabilityProvider::children(const Exchange&, const Uri& uri,
                                                 const ListQuery& query) {
  if (!is_skill(uri)) return invalid("not a directory");
  return shelf_.children(uri, query);
}

std::uint64_t CapabilityProvider::stamp(const Uri& uri) const {
  return is_skill(uri) ? shelf_.stamp(uri) : 0;
}

std::optional<std::string> CapabilityProvider::local_path(const Uri& uri) const {
  return is_skill(uri) ? shelf_.local_path(uri) : std::nullopt;
}

std::vector<Element> active_elements(const Collection& collection, const ActiveElements* active) {
  std::vector<Element> out;
  auto marks = active == nullptr ? Result<std::vector<ActiveElements::Active>>(internal(""))
                                 : active->list();
  if (!marks) return out;
  for (const auto& mark : *marks) {
    if (auto element = collection.find(mark.type, mark.id)) out.push_back(std::move(*element));
  }
  return out;
}

}  // namespace lode
