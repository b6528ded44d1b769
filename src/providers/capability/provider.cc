#include "providers/capability/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "base/nearest.h"
#include "providers/capability/settle.h"

namespace lode {
namespace {

constexpr std::string_view kBase = "capability-index://";
constexpr std::string_view kListTemplate =
    "capability-index://elements/{type}{?tag,author,limit,cursor}";
constexpr std::string_view kElementTemplate = "capability-index://elements/{type}/{id}";
constexpr std::array<std::string_view, 2> kAliases{"dollhouse://capability-index",
                                                   "capability://nexs-mcp/index"};
constexpr std::size_t kMostHits = 100;
constexpr std::size_t kMostCompletions = 101;  // one more than is shown tells that there are more
constexpr int kMostDays = 36'500;
constexpr int kMostAfter = 1'000'000;
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

bool is_skill(const Uri& uri) { return uri.scheme() == "skill"; }

Error no_such() { return not_found("no such resource"); }

// A number in the query; nothing: it is wrong.
std::optional<int> number_in(const Address& address, std::string_view name, int fallback,
                             int most) {
  const auto* text = address.find(name);
  if (text == nullptr) return fallback;
  int value = 0;
  const auto* const end = text->data() + text->size();
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

Content content_of(std::string text, std::string_view mime) {
  Content content = Content::text(std::move(text));
  content.mime = mime;
  return content;
}
Content json_content(std::string text) { return content_of(std::move(text), "application/json"); }
Content markdown(std::string text) { return content_of(std::move(text), "text/markdown"); }

// What an address of elements names.
struct ElementAddress {
  std::string type;
  std::optional<std::string> id;
};
std::optional<ElementAddress> parse_element_address(const Uri& uri) {
  static const auto kList = UriTemplate::parse("capability-index://elements/{type}").value();
  static const auto kOne = UriTemplate::parse(kElementTemplate).value();
  const auto plain = uri.without_query();
  if (auto match = kOne.match(plain.text())) {
    return ElementAddress{match->values["type"], match->values["id"]};
  }
  auto match = kList.match(plain.text());
  if (!match) return std::nullopt;
  return ElementAddress{match->values["type"], std::nullopt};
}

}  // namespace

CapabilityProvider::CapabilityProvider(Collection& collection, const Index& index,
                                       const ActiveElements* active, Facts facts)
    : collection_(collection),
      shelf_(collection),
      pages_(collection, index,
             {[] { return std::chrono::system_clock::now(); },
              [&collection, active] { return active_elements(collection, active); },
              [this] { return shelf_.problems(Collection::kMostProblems); }}),
      facts_(std::move(facts)),
      prompts_(collection),
      skills_(collection, shelf_),
      manifest_(std::make_shared<const Manifest>(make_manifest())) {}

Route CapabilityProvider::route(TemplateEntry entry, Answer page, bool listed) {
  return {std::move(entry),
          [this, page](const Exchange& exchange, const Address& address) {
            return answer(exchange, address, page);
          },
          listed};
}

Manifest CapabilityProvider::make_manifest() {
  using Self = CapabilityProvider;
  const auto unlisted = [](std::string_view address) {
    return TemplateEntry{std::string(address), "", "", "", ""};
  };
  const auto skill = [this](const Exchange& exchange, const Address& address) {
    return skill_file(exchange, address);
  };
  Manifest manifest;
  manifest.name = "capability";
  manifest.families = {
      {"capability-index:"}, {std::string(kAliases[0])}, {std::string(kAliases[1])}, {"skill:"}};
  manifest.routes = {
      route({std::string(kListTemplate), "elements", "", "Elements of a type", "application/json"},
            &Self::elements),
      route({std::string(kElementTemplate), "element", "", "One element", ""}, &Self::element),
      route({"capability-index://recent{?days}", "recent", "", "What changed lately",
             "application/json"},
            &Self::recent),
      route({"capability-index://search{?q,type,limit}", "search", "", "Elements by relevance",
             "application/json"},
            &Self::search),
      {{std::string(SkillShelf::kTemplate), "skill", "", "A file of an agent skill", ""}, skill},
      {unlisted("skill://{name}"), skill, false},
      route(unlisted(CapabilityPages::kSummary), &Self::summary, false),
      route(unlisted(CapabilityPages::kFull), &Self::full, false),
      route(unlisted(CapabilityPages::kStats), &Self::stats, false),
      route(unlisted("capability-index://problems{?after}"), &Self::problems, false),
  };
  manifest.named_only.push_back(*Glob::parse("capability-index://elements/*/*"));
  return manifest;
}

ElementGate CapabilityProvider::gate_of(const Exchange& exchange) const {
  return {exchange, collection_, ElementGate::Of::resources};
}

// An alias stands for one of the addresses below; of these a type may be in the plural,
// and an element be called by its name.
Uri CapabilityProvider::canonical(const Uri& uri) const {
  if (is_skill(uri)) return shelf_.canonical(uri);
  for (const auto alias : kAliases) {
    if (!uri.text().starts_with(alias)) continue;
    auto rest = uri.text().substr(alias.size());
    while (rest.starts_with('/')) rest.remove_prefix(1);
    const auto other = Uri::parse(std::string(kBase).append(rest));
    return other ? canonical(*other) : uri;
  }
  if (uri.path() == "/") {  // summary/ is summary
    const auto text = uri.text();
    const auto slash = text.find('/', kBase.size());
    auto one = Uri::parse(std::string(text.substr(0, slash)).append(text.substr(slash + 1)));
    return one ? *one : uri;
  }
  const auto address = parse_element_address(uri);
  const auto type = address ? find_element_type(address->type) : std::nullopt;
  if (!type) return uri;
  std::string one = fmt::format("{}elements/{}", kBase, to_string(*type));
  if (address->id) {
    const auto element = collection_.find(*type, *address->id);
    one += "/" + encode_component(element ? element->id : *address->id);
  }
  if (uri.has_query()) one.append("?").append(uri.query());
  auto parsed = Uri::parse(one);
  return parsed ? *parsed : uri;
}

std::optional<Element> CapabilityProvider::find_element(const Uri& uri) const {
  const auto address = parse_element_address(uri);
  const auto type = address ? find_element_type(address->type) : std::nullopt;
  return type && address->id ? collection_.find(*type, *address->id) : std::nullopt;
}

std::optional<FileBehind> CapabilityProvider::file_behind(const Uri& uri) const {
  if (is_skill(uri)) return shelf_.file_behind(uri);
  if (const auto element = find_element(uri)) {
    return FileBehind{collection_.path_of(*element), false, true};
  }
  // One that is not there has the file that it would have, so that a rule about files
  // does not tell which are.
  const auto address = parse_element_address(uri);
  const auto type = address ? find_element_type(address->type) : std::nullopt;
  if (!type || !address->id) return std::nullopt;
  Element meant;
  meant.file = fmt::format("{}/{}.md", to_string(*type), *address->id);
  meant.of_workspace = !collection_.folders().workspace.empty();
  return FileBehind{collection_.path_of(meant), false, true};
}

// ---- resources ----

// Keys: the name of a page, or an address of a skill without its name.
Result<Page<Entry>> CapabilityProvider::list(const Exchange& exchange, const ListQuery& query) {
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
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
  const bool first = query.after.empty();
  if (!first && after == kPages.end()) return invalid("there is no such page; start again");
  for (auto at = first ? kPages.begin() : std::next(after); at != kPages.end(); ++at) {
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

Result<Outcome> CapabilityProvider::answer(const Exchange& exchange, const Address& address,
                                           Answer page) const {
  const bool stats = page == &CapabilityProvider::stats;
  if (!stats) settle(collection_);
  auto content = (this->*page)(exchange, address);
  if (!content) return std::move(content).error();
  const auto uri = address.uri().text();
  content->uri = uri;
  content->version = content_hash(content->bytes);
  if (content->origin.empty()) content->origin = kOfWorkspace;  // of the user's and of its own
  Contents contents;
  contents.generated = true;
  if (stats) contents.ttl = kStatsTime;
  // What is made of all elements changes when any of them does.
  if (uri != CapabilityPages::kFull) contents.made_from.emplace_back(CapabilityPages::kFull);
  contents.items.push_back(std::move(*content));
  return contents;
}

Result<Content> CapabilityProvider::summary(const Exchange& exchange, const Address&) const {
  return markdown(pages_.summary(gate_of(exchange)));
}

Result<Content> CapabilityProvider::full(const Exchange& exchange, const Address&) const {
  return markdown(pages_.full(gate_of(exchange)));
}

Result<Content> CapabilityProvider::stats(const Exchange&, const Address&) const {
  return json_content(pages_.stats(facts_()));
}

Result<Content> CapabilityProvider::problems(const Exchange& exchange,
                                             const Address& address) const {
  const auto after = number_in(address, "after", 0, kMostAfter);
  if (!after) return wrong_number("after");
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return json_content(pages_.problems(gate_of(exchange), static_cast<std::size_t>(*after)));
}

Result<Content> CapabilityProvider::recent(const Exchange& exchange, const Address& address) const {
  const auto days = number_in(address, "days", 7, kMostDays);
  if (!days) return wrong_number("days");
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return json_content(pages_.recent(gate_of(exchange), *days));
}

Result<Content> CapabilityProvider::search(const Exchange& exchange, const Address& address) const {
  const auto* query = address.find("q");
  if (query == nullptr) return invalid("say what to search for: capability-index://search?q=WORDS");
  const auto* word = address.find("type");
  const auto type = word != nullptr ? find_element_type(*word) : std::nullopt;
  if (word != nullptr && !type) return unknown_type(*word);
  const auto limit = number_in(address, "limit", 10, kMostHits);
  if (!limit) return wrong_number("limit");
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return json_content(
      pages_.search(gate_of(exchange), *query, type, static_cast<std::size_t>(*limit)));
}

Result<Content> CapabilityProvider::elements(const Exchange& exchange,
                                             const Address& address) const {
  const auto type = find_element_type(address.value("type"));
  if (!type) return unknown_type(address.value("type"));
  CapabilityPages::ListFilter filter;
  filter.type = *type;
  filter.tag = address.value("tag");
  filter.author = address.value("author");
  filter.cursor = address.value("cursor");
  const auto limit = number_in(address, "limit", CapabilityPages::kListLimit, kMostHits * 10);
  if (!limit) return wrong_number("limit");
  filter.limit = static_cast<std::size_t>(*limit);
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return json_content(pages_.list(gate_of(exchange), filter));
}

Result<Content> CapabilityProvider::element(const Exchange& exchange,
                                            const Address& address) const {
  const auto type = find_element_type(address.value("type"));
  if (!type) return unknown_type(address.value("type"));
  const auto& id = address.value("id");
  auto element = collection_.find(*type, id);
  if (!element && collection_.loading() && collection_.wait_loaded(exchange.deadline)) {
    element = collection_.find(*type, id);
  }
  // It may have come since the address was admitted.
  if (!element || !gate_of(exchange).admit(Action::read, *element)) return no_such();
  const auto from = element->of_workspace ? kOfWorkspace : kOfUser;
  if (!exchange.named) {
    auto content = json_content(pages_.about(gate_of(exchange), *element));
    content.origin = from;
    return content;
  }
  auto text = collection_.text_of(*element);
  if (!text) return std::move(text).error();
  auto content = content_of(std::move(*text),
                            element->file.ends_with(".md") ? "text/markdown" : "application/yaml");
  content.origin = from;
  return content;
}

Result<Outcome> CapabilityProvider::skill_file(const Exchange& exchange,
                                               const Address& address) const {
  settle(collection_);
  const auto gate = gate_of(exchange);
  auto file = shelf_.read(address.uri(), [&](std::string_view entry) { return gate.shows(entry); });
  if (!file) return std::move(file).error();
  return Outcome(std::move(*file));
}

// ---- skills ----

Result<Page<Skill>> CapabilityProvider::SkillList::list(const Exchange& exchange,
                                                        const ListQuery& query) {
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return shelf_.list(query, exchange.stop);
}

Result<Skill> CapabilityProvider::SkillList::get(const Exchange& exchange, const Uri& uri) {
  settle(collection_);
  return shelf_.get(uri, exchange.stop);
}

Result<Page<Entry>> CapabilityProvider::children(const Exchange&, const Uri& uri,
                                                 const ListQuery& query) {
  if (!is_skill(uri)) return invalid("not a directory");
  return shelf_.children(uri, query);
}

std::optional<std::string> CapabilityProvider::local_path(const Uri& uri) const {
  return is_skill(uri) ? shelf_.local_path(uri) : std::nullopt;
}

Result<Completions> CapabilityProvider::complete(const Exchange& exchange,
                                                 const CompletionQuery& query) {
  Completions found;
  if (query.name == SkillShelf::kTemplate) {
    // Before it cuts, and where there is no path yet: the engine asks too late, or cannot.
    return shelf_.complete(query, [&](std::string_view address) {
      const auto uri = Uri::parse(address);
      return uri && exchange.offers(Action::complete, *uri);
    });
  }
  if (query.argument == "type") {
    for (const auto type : kElementTypes) {
      if (to_string(type).starts_with(query.value)) found.values.emplace_back(to_string(type));
    }
  }
  const auto* chosen = query.context.if_contains("type");
  const auto type = chosen != nullptr && chosen->is_string()
                        ? find_element_type(std::string(chosen->get_string()))
                        : std::nullopt;
  if (query.argument == "id" && type) {
    collection_.each(*type, "", [&](const Element& element) {
      if (!element.id.starts_with(query.value)) return true;
      const auto uri = Uri::parse(element.uri());
      const FileBehind file{collection_.path_of(element), false};
      if (uri && exchange.offers(Action::complete, *uri, file)) found.values.push_back(element.id);
      return found.values.size() < kMostCompletions;
    });
  }
  return found;
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
