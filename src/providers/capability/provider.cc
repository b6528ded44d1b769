#include "providers/capability/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/nearest.h"
#include "providers/capability/addresses.h"
#include "providers/capability/alias.h"
#include "providers/capability/manage_arguments.h"
#include "providers/capability/settle.h"

namespace lode {
namespace {

constexpr std::size_t kMostCompletions = 101;  // one more than is shown tells that there are more
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
    FixedPage{"active", "Active Elements", "What the active elements say, with what they depend on",
              "text/markdown"},
    FixedPage{"stats", "Capability Index Statistics", "The numbers", "application/json"},
};

bool is_skill(const Uri& uri) { return uri.scheme() == "skill"; }

Error no_such() { return not_found("no such resource"); }

// Upper and lower case aside, of ASCII.
bool begins_with(std::string_view text, std::string_view begin) {
  const auto same = [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c; };
    return lower(a) == lower(b);
  };
  return text.size() >= begin.size() &&
         std::ranges::equal(text.substr(0, begin.size()), begin, same);
}

Content content_of(std::string text, std::string_view mime) {
  Content content = Content::text(std::move(text));
  content.mime = mime;
  return content;
}
Content json_content(std::string text) { return content_of(std::move(text), "application/json"); }
Content markdown(std::string text) { return content_of(std::move(text), "text/markdown"); }

// What the argument of an address may be.
struct Completed {
  std::string_view argument;
  std::optional<ElementType> type;
  std::function<bool(std::string_view value)> fits;
  std::function<bool(const Element& element)> shows;
};

// In order, each once.
std::set<std::string> values_of(const Collection& collection, const Completed& completed) {
  std::set<std::string> values;
  const auto visit = [&](const Element& element) {
    const auto add = [&](const std::string& value) {
      const bool fresh = !value.empty() && completed.fits(value) && !values.contains(value);
      if (fresh && completed.shows(element)) values.insert(value);
    };
    if (completed.argument == "id") add(element.id);
    if (completed.argument == "author") add(element.author);
    if (completed.argument == "tag") std::ranges::for_each(element.tags, add);
    return values.size() < kMostCompletions;
  };
  if (completed.type) {
    collection.each(*completed.type, "", visit);
  } else if (completed.argument != "id") {
    collection.each(visit);
  }
  return values;
}

}  // namespace

CapabilityProvider::CapabilityProvider(Collection& collection, const Index& index,
                                       const ActiveElements* active, Facts facts, ElementNews* news)
    : collection_(collection),
      news_(news),
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
  manifest.families = {{"capability-index:"},
                       {std::string(kIndexAliases[0])},
                       {std::string(kIndexAliases[1])},
                       {"skill:"}};
  manifest.routes = {
      route({std::string(kListTemplate), "elements", "", "Elements of a type", "application/json"},
            &Self::elements),
      route({std::string(kElementTemplate), "element", "", "One element", ""}, &Self::element),
      route({std::string(kRecentTemplate), "recent", "", "What changed lately", "application/json"},
            &Self::recent),
      route(
          {std::string(kSearchTemplate), "search", "", "Elements by relevance", "application/json"},
          &Self::search),
      {{std::string(SkillShelf::kTemplate), "skill", "", "A file of an agent skill", ""}, skill},
      {unlisted("skill://{name}"), skill, false},
      route(unlisted(CapabilityPages::kSummary), &Self::summary, false),
      route(unlisted(CapabilityPages::kFull), &Self::full, false),
      route(unlisted(CapabilityPages::kStats), &Self::stats, false),
      route(unlisted(CapabilityPages::kActive), &Self::active, false),
      route(unlisted(kProblemsTemplate), &Self::problems, false),
  };
  manifest.named_only.push_back(*Glob::parse("capability-index://elements/*/*"));
  manifest.named_only.push_back(*Glob::parse(CapabilityPages::kActive));
  return manifest;
}

ElementGate CapabilityProvider::gate_of(const Exchange& exchange) const {
  return {exchange, collection_, ElementGate::Of::resources};
}

// An alias stands for one of the addresses below; of these a type may be in the plural,
// and an element be called by its name.
Uri CapabilityProvider::canonical(const Uri& uri) const {
  if (is_skill(uri)) return shelf_.canonical(uri);
  if (uri.scheme() != "capability-index") {
    const auto other = Uri::parse(without_alias(uri.text()));
    return other && other->scheme() == "capability-index" ? canonical(*other) : uri;
  }
  if (uri.path() == "/") {  // summary/ is summary
    const auto text = uri.text();
    const auto slash = text.find('/', kIndexBase.size());
    auto one = Uri::parse(std::string(text.substr(0, slash)).append(text.substr(slash + 1)));
    return one ? *one : uri;
  }
  const auto address = parse_element_address(uri);
  const auto type = address ? find_element_type(address->type) : std::nullopt;
  if (!type) return uri;
  std::string one = fmt::format("{}elements/{}", kIndexBase, to_string(*type));
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
    return ElementGate::file_behind(collection_, *element);
  }
  // One that is not there has the file that it would have, so that a rule about files
  // does not tell which are.
  const auto address = parse_element_address(uri);
  const auto type = address ? find_element_type(address->type) : std::nullopt;
  if (!type || !address->id) return std::nullopt;
  Element meant;
  meant.type = *type;
  meant.id = meant.name = *address->id;
  meant.file = fmt::format("{}/{}.md", to_string(*type), *address->id);
  meant.of_workspace = !collection_.folders().workspace.empty();
  return ElementGate::file_behind(collection_, meant);
}

// ---- resources ----

// Keys: the name of a page, or an address of a skill without its name.
Result<Page<Entry>> CapabilityProvider::list(const Exchange& exchange, const ListQuery& query) {
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  constexpr std::string_view kSkills = "skill:";
  Page<Entry> page;
  // Told when any element is another.
  page.fresh_while = Freshness{{std::string(CapabilityPages::kFull)}};
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
    entry.uri = std::string(kIndexBase).append(at->name);
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

Result<Content> CapabilityProvider::stats(const Exchange& exchange, const Address&) const {
  return json_content(pages_.stats(gate_of(exchange), facts_()));
}

// To guests the text of elements is shown only where a rule names the address.
Result<Content> CapabilityProvider::active(const Exchange& exchange, const Address&) const {
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return markdown(pages_.active(gate_of(exchange), exchange.named || !exchange.who.guest()));
}

Result<Content> CapabilityProvider::problems(const Exchange& exchange,
                                             const Address& address) const {
  auto after = parse_problems(address);
  if (!after) return std::move(after).error();
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return json_content(pages_.problems(gate_of(exchange), *after));
}

Result<Content> CapabilityProvider::recent(const Exchange& exchange, const Address& address) const {
  auto wanted = RecentElements::parse(address);
  if (!wanted) return std::move(wanted).error();
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  auto page = pages_.recent(gate_of(exchange), *wanted);
  if (!page) return std::move(page).error();
  return json_content(std::move(*page));
}

Result<Content> CapabilityProvider::search(const Exchange& exchange, const Address& address) const {
  auto wanted = ElementSearch::parse(address);
  if (!wanted) return std::move(wanted).error();
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return json_content(pages_.search(gate_of(exchange), *wanted));
}

Result<Content> CapabilityProvider::elements(const Exchange& exchange,
                                             const Address& address) const {
  auto wanted = ElementList::parse(address);
  if (!wanted) return std::move(wanted).error();
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  return json_content(pages_.list(gate_of(exchange), *wanted));
}

Result<Content> CapabilityProvider::element(const Exchange& exchange,
                                            const Address& address) const {
  auto type = parse_type(address.value("type"));
  if (!type) return std::move(type).error();
  const auto& id = address.value("id");
  auto element = collection_.find(*type, id);
  if (!element && collection_.loading() && collection_.wait_loaded(exchange.deadline)) {
    element = collection_.find(*type, id);
  }
  if (!element) {
    // A name that several have, of which the caller may see one, or is told which there are.
    const auto gate = gate_of(exchange);
    const auto shows = [&](const Element& each) { return gate.shows(each); };
    const auto ids = collection_.ids_of(*type, id, shows);
    if (ids.size() > 1) return several(*type, id, ids);
    if (!ids.empty()) element = collection_.find(*type, ids.front());
  }
  // It may have come since the address was admitted.
  if (!element || !gate_of(exchange).admit(Action::read, *element)) return no_such();
  const auto from = origin_of(*element);
  // A memory is for its user what it says.
  const bool own = element->type == ElementType::memory && !exchange.who.guest();
  if (!exchange.named && !own) {
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

// Skills are told by their files, whether or not somebody listens.
Status CapabilityProvider::watchable(const Uri& uri) const {
  return is_skill(uri) ? Status() : check_index_address(uri);
}

void CapabilityProvider::watch(const Uri& uri, bool on) {
  if (news_ != nullptr && !is_skill(uri)) news_->watch(uri, on);
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
  const auto begins = [&](std::string_view value) { return begins_with(value, query.value); };
  if (query.argument == "type") {
    for (const auto type : kElementTypes) {
      if (begins(to_string(type))) found.values.emplace_back(to_string(type));
    }
    return found;
  }
  const auto* chosen = query.context.if_contains("type");
  const auto type = chosen != nullptr && chosen->is_string()
                        ? find_element_type(std::string(chosen->get_string()))
                        : std::nullopt;
  const auto shows = [&](const Element& element) {
    const auto uri = Uri::parse(element.uri());
    return uri &&
           exchange.offers(Action::complete, *uri, ElementGate::file_behind(collection_, element));
  };
  const auto values = values_of(collection_, {query.argument, type, begins, shows});
  found.values.assign(values.begin(), values.end());
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
