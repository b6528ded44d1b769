// The pages in Markdown; those in JSON are pages_json.cc.
#include "providers/capability/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/tokens.h"
#include "base/uri.h"
#include "base/utf8.h"
#include "providers/capability/element_text.h"
#include "search/snippet.h"

namespace lode {
namespace {

constexpr std::size_t kSummaryKeywords = 20;
constexpr std::size_t kFullKeywords = 100;
constexpr std::size_t kKeywordsInRow = 5;
constexpr std::size_t kRecent = 10;
constexpr std::size_t kRecentDays = RecentElements::kDays;
constexpr std::size_t kRelations = 20;  // shown of one element

// Of one line, in tokens.
constexpr std::size_t kWord = 12;
constexpr std::size_t kShortText = 32;
constexpr std::size_t kLongText = 150;

std::size_t tokens_in(std::string_view text) { return Tokenizer::o200k().count(text); }

// One line of at most so many tokens, cut between characters.
std::string line_of(std::string_view text, std::size_t most) {
  constexpr std::size_t kBytesInToken = 16;  // more than most have
  const auto begin = first_bytes(text, most * kBytesInToken);
  std::string line(begin);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  line = visible(line);
  if (begin.size() < text.size()) line += "…";
  std::size_t bytes = line.size();
  std::string out = line;
  for (auto tokens = tokens_in(out); tokens > most && bytes > 0; tokens = tokens_in(out)) {
    bytes = std::min(bytes - 1, bytes * most / tokens);
    out = cut_text(line, bytes);
  }
  return out;
}

std::size_t sum(const Collection::Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Where the rest is; nothing, if the address is not for the caller.
std::string at(const ElementGate& gate, std::string_view address) {
  return gate.names(address) ? fmt::format(": `{}`", address) : "";
}

constexpr std::string_view kList = "capability-index://elements/{type}";

bool offers_a_list(const ElementGate& gate) {
  return std::ranges::any_of(kElementTypes, [&](ElementType type) {
    return gate.names(fmt::format("capability-index://elements/{}", to_string(type)));
  });
}

std::string details(const Element& element) {
  std::string out = fmt::format("#### {}\n", line_of(element.name, kShortText));
  if (!element.description.empty()) {
    out += fmt::format("**Description:** {}\n", line_of(element.description, kLongText));
  }
  out += fmt::format("- **ID:** {}\n- **Version:** {}\n- **Created:** {}\n- **Updated:** {}\n",
                     line_of(element.id, kLongText), line_of(element.version, kShortText),
                     line_of(element.created, kShortText), line_of(element.updated, kShortText));
  if (!element.tags.empty()) {
    out += fmt::format("- **Tags:** {}\n", line_of(joined(element.tags), kLongText));
  }
  return out + "\n";
}

}  // namespace

CapabilityPages::CapabilityPages(const Collection& collection, const Index& index, Sources sources)
    : collection_(collection), index_(index), sources_(std::move(sources)) {}

bool CapabilityPages::Dated::newer(const Dated& a, const Dated& b) {
  return std::tie(b.updated, a.element.type, a.element.id) <
         std::tie(a.updated, b.element.type, b.element.id);
}

CapabilityPages::Recent CapabilityPages::recent_elements(const ElementGate& gate,
                                                         const RecentElements& wanted,
                                                         const std::optional<Dated>& after) const {
  // In seconds: nanoseconds do not reach the year 9999, which a file may name.
  const auto since = std::chrono::floor<std::chrono::seconds>(sources_.clock()) -
                     std::chrono::days(static_cast<int>(wanted.days));
  // A heap whose top is the oldest: few are ever copied, of however many.
  Recent recent;
  auto& found = recent.newest;
  const auto put = [&](Dated dated) {
    if (after && !Dated::newer(*after, dated)) return;
    const bool full = found.size() == wanted.limit;
    recent.more |= full;
    if (full && !Dated::newer(dated, found.front())) return;
    if (full) {
      std::pop_heap(found.begin(), found.end(), Dated::newer);
      found.pop_back();
    }
    found.push_back(std::move(dated));
    std::push_heap(found.begin(), found.end(), Dated::newer);
  };
  collection_.each([&](const Element& element) {
    auto updated = parse_time(element.updated);
    if (!updated) updated = parse_time(element.created);
    if (!updated || *updated < since || !gate.shows(element)) return true;
    ++recent.count;
    put({*updated, element});
    return true;
  });
  std::sort_heap(found.begin(), found.end(), Dated::newer);
  return recent;
}

std::vector<Problem> CapabilityPages::all_problems(const ElementGate& gate) const {
  auto problems = collection_.problems(Collection::kMostProblems);
  auto others = sources_.problems();
  std::move(others.begin(), others.end(), std::back_inserter(problems));
  std::erase_if(problems, [&](const Problem& problem) { return !gate.shows(problem); });
  return problems;
}

// Where something is hidden, no word is shown as a hidden element writes it: each as the
// element does that says it most.
std::vector<Keyword> CapabilityPages::keywords(const ElementGate& gate, std::size_t count) const {
  std::vector<std::string> shown;
  std::size_t all = 0;
  collection_.each([&](const Element& element) {
    ++all;
    if (gate.shows(element)) shown.push_back(element.uri());
    return true;
  });
  if (shown.size() == all) return index_.top_terms(count);
  auto keywords = index_.top_terms(count, shown);
  for (auto& keyword : keywords) {
    const auto element = find_element(keyword.key);
    keyword.text = element ? surface_in(words_of(*element), keyword.term) : "";
  }
  std::erase_if(keywords, [](const Keyword& keyword) { return keyword.text.empty(); });
  return keywords;
}

std::optional<Element> CapabilityPages::find_element(std::string_view uri) const {
  const auto parsed = Uri::parse(uri);
  const auto address = parsed ? parse_element_address(*parsed) : std::nullopt;
  const auto type = address ? find_element_type(address->type) : std::nullopt;
  return type && address->id ? collection_.find(*type, *address->id) : std::nullopt;
}

// All that is indexed of it, and what else is in its file.
std::string CapabilityPages::words_of(const Element& element) const {
  auto words =
      fmt::format("{}\n{}\n{}\n", element.name, fmt::join(element.tags, "\n"), element.description);
  if (const auto text = collection_.text_of(element)) words += *text;
  return words;
}

// ---- sections ----

void CapabilityPages::write_index(std::string& out) const {
  const auto stats = index_.stats();
  out += fmt::format(
      "## Index Statistics\n\n- **Indexed Documents:** {}\n- **Vocabulary Size:** {} unique terms\n"
      "- **Average Document Length:** {:.0f} terms\n- **Index Memory Usage:** {} KB\n\n",
      stats.documents, stats.vocabulary, stats.average_length, stats.bytes / 1024);
}

void CapabilityPages::write_active(const ElementGate& gate, std::string& out,
                                   std::size_t most) const {
  auto active = sources_.active();
  std::erase_if(active, [&](const Element& element) { return !gate.shows(element); });
  if (active.empty()) return;
  out += "## Active Elements\n\n";
  for (std::size_t i = 0; i < std::min(active.size(), most); ++i) {
    out += fmt::format("- **[{}]** {}\n", to_string(active[i].type),
                       line_of(active[i].name, kShortText));
  }
  if (active.size() > most) {
    out += fmt::format("- … and {} more{}\n", active.size() - most, at(gate, kFull));
  }
  out += "\n";
}

void CapabilityPages::write_recent(const ElementGate& gate, std::string& out) const {
  out += fmt::format("## Recent Elements (Last {} Days)\n\n", kRecentDays);
  const auto recent = recent_elements(gate, {.days = kRecentDays, .limit = kRecent});
  for (const auto& [updated, element] : recent.newest) {
    out += fmt::format("- **[{}]** {} - {}\n", to_string(element.type),
                       line_of(element.name, kShortText), line_of(element.description, kShortText));
  }
  if (recent.newest.empty()) out += "*No recent elements*\n";
  if (recent.count > recent.newest.size()) {
    out += fmt::format("- … and {} more{}\n", recent.count - recent.newest.size(),
                       at(gate, fmt::format("capability-index://recent?days={}", kRecentDays)));
  }
  out += "\n";
}

void CapabilityPages::write_problems(const ElementGate& gate, std::string& out,
                                     std::size_t most) const {
  const auto problems = all_problems(gate);
  if (problems.empty()) return;
  out += "## Problems\n\n";
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i) {
    out += fmt::format("- {}\n", line_of(problems[i].sentence(), kLongText));
  }
  if (problems.size() > most) {
    out += fmt::format("- … and {} more{}\n", problems.size() - most, at(gate, kProblems));
  }
  out += "\n";
}

std::size_t CapabilityPages::write_type(const ElementGate& gate, std::string& out, ElementType type,
                                        std::size_t budget) const {
  const auto name = to_string(type);
  const auto count = collection_.counts()[static_cast<std::size_t>(type)];
  out += fmt::format("### {} ({})\n\n", name, count);
  std::size_t used = 0;
  std::size_t left_out = 0;
  std::string last;
  collection_.each(type, "", [&](const Element& element) {
    if (!gate.shows(element)) return true;
    if (left_out > 0) return ++left_out > 0;
    const auto text = details(element);
    const auto cost = tokens_in(text);
    if (used + cost > budget) return ++left_out > 0;
    used += cost;
    out += text;
    last = element.id;
    return true;
  });
  if (left_out > 0) {
    const auto cursor = last.empty() ? "" : "?cursor=" + encode_component(last);
    const auto rest = fmt::format("capability-index://elements/{}{}", name, cursor);
    const auto where = gate.names(rest) ? fmt::format("; they go on at `{}`", rest) : "";
    out += fmt::format("*{} more are left out here{}*\n\n", left_out, where);
  }
  return used;
}

std::string CapabilityPages::relations_of(const ElementGate& gate, const Element& element) const {
  std::string text =
      fmt::format("### {} ({})\n", line_of(element.name, kShortText), to_string(element.type));
  if (!element.goals.empty()) {
    text += fmt::format("- **Goals:** {}\n", line_of(joined(element.goals), kLongText));
  }
  if (!element.actions.empty()) {
    text += fmt::format("- **Actions:** {}\n", line_of(joined(element.actions), kLongText));
  }
  const auto& relations = element.relations;
  for (std::size_t i = 0; i < std::min(kRelations, relations.size()); ++i) {
    const auto target = collection_.resolve(relations[i]);
    const bool there = target && gate.shows(*target);
    const auto name = there ? fmt::format("**{}:{}**", to_string(target->type), target->id)
                            : fmt::format("{} (not there)", relations[i].target);
    text += fmt::format("- {} {}\n", relations[i].kind, line_of(name, kShortText));
  }
  if (relations.size() > kRelations) {
    text +=
        fmt::format("- … and {} more{}\n", relations.size() - kRelations, at(gate, element.uri()));
  }
  return text + "\n";
}

void CapabilityPages::write_relations(const ElementGate& gate, std::string& out,
                                      std::size_t budget) const {
  out += "## Relationship Graph\n\n";
  std::vector<Element> related;  // each() holds the collection's lock, and resolve() needs it
  bool more = false;
  constexpr std::size_t kMost = 1000;
  collection_.each([&](const Element& element) {
    if (element.relations.empty() && element.goals.empty() && element.actions.empty()) return true;
    if (!gate.shows(element)) return true;
    if (related.size() == kMost) return !(more = true);
    related.push_back(element);
    return true;
  });
  std::size_t used = 0;
  for (const auto& element : related) {
    const auto text = relations_of(gate, element);
    used += tokens_in(text);
    more |= used > budget;
    if (used > budget) break;
    out += text;
  }
  if (related.empty()) out += "*No elements with relationships defined*\n";
  if (more) {
    constexpr std::string_view kOne = "capability-index://elements/{type}/{id}";
    out += gate.offers(kOne)
               ? fmt::format("*There are more; an element's relations stand at `{}`.*\n", kOne)
               : "*There are more.*\n";
  }
  out += "\n";
}

// What else can be read; of that, what is offered to the caller.
void CapabilityPages::write_addresses(const ElementGate& gate, std::string& out) {
  struct Line {
    std::string_view uri_template;
    std::string_view shown;
    std::string_view what;
  };
  constexpr std::array kLines{
      Line{kFull, kFull, "every element with its metadata, keywords, relations"},
      Line{kActive, kActive, "what the active elements say"},
      Line{kStats, kStats, "the numbers, as JSON"},
      Line{kList, kList, "one type's elements"},
      Line{"capability-index://elements/{type}/{id}", "capability-index://elements/{type}/{id}",
           "one element"},
      Line{kRecentTemplate, "capability-index://recent?days=N", "what changed lately"},
      Line{"capability-index://search{?q}", "capability-index://search?q=WORDS",
           "elements by relevance"},
  };
  out += "## Available Resources\n\n";
  for (const auto& line : kLines) {
    // What is offered of the elements need not be a list of them.
    const bool offered =
        line.uri_template == kList ? offers_a_list(gate) : gate.offers(line.uri_template);
    if (offered) out += fmt::format("- `{}`: {}\n", line.shown, line.what);
  }
}

// ---- pages ----

std::string CapabilityPages::summary(const ElementGate& gate) const {
  const auto counts = collection_.counts();
  std::string out = fmt::format("# Capability Index - Summary\n\n**Generated:** {}\n\n",
                                iso_time(sources_.clock()));
  if (collection_.loading()) out += "*The elements are still being read; there may be more.*\n\n";
  out += fmt::format("## Element Counts\n\n- **Total Elements:** {}\n", sum(counts));
  for (const auto type : kElementTypes) {
    out += fmt::format("- **{}:** {}\n", to_string(type), counts[static_cast<std::size_t>(type)]);
  }
  out += "\n";
  write_active(gate, out, kRecent);
  write_index(out);
  out += "## Top Keywords\n\n";
  std::size_t place = 0;
  for (const auto& keyword : keywords(gate, kSummaryKeywords)) {
    out +=
        fmt::format("{}. **{}** ({:.2f})\n", ++place, line_of(keyword.text, kWord), keyword.weight);
  }
  if (place == 0) out += "*No words yet*\n";
  out += "\n";
  write_recent(gate, out);
  write_problems(gate, out, 3);
  write_addresses(gate, out);
  return out;
}

std::string CapabilityPages::full(const ElementGate& gate) const {
  const auto counts = collection_.counts();
  std::string out = fmt::format("# Capability Index - Full Details\n\n**Generated:** {}\n\n",
                                iso_time(sources_.clock()));
  if (collection_.loading()) out += "*The elements are still being read; there may be more.*\n\n";
  write_index(out);
  constexpr std::size_t kAllActive = 256;  // that there can be
  std::string active;
  write_active(gate, active, kAllActive);
  out += active;
  out += fmt::format("## Element Distribution\n\n- **Total:** {}\n\n", sum(counts));
  // What one type leaves of its share goes to those after it.
  std::size_t left = kFullTokens * 8 / 10 - std::min(kFullTokens / 4, tokens_in(active));
  std::size_t types = static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end(), [](std::size_t n) { return n > 0; }));
  for (const auto type : kElementTypes) {
    if (counts[static_cast<std::size_t>(type)] == 0) continue;
    left -= write_type(gate, out, type, left / types--);
  }
  out += "## Vocabulary Breakdown\n\nTop 100 most significant terms:\n\n";
  std::size_t place = 0;
  for (const auto& keyword : keywords(gate, kFullKeywords)) {
    out += line_of(keyword.text, kWord);
    out += ++place % kKeywordsInRow == 0 ? "\n" : ", ";
  }
  out += "\n\n";
  write_relations(gate, out, kFullTokens / 10);
  write_problems(gate, out, 10);
  return out;
}

std::string CapabilityPages::active(const ElementGate& gate, bool with_text) const {
  constexpr std::size_t kHeading = 100;  // tokens
  auto active = sources_.active();
  std::erase_if(active, [&](const Element& element) { return !gate.shows(element); });
  std::string out = "# Active Elements\n\n";
  if (active.empty()) return out + "*None is active.*\n";
  if (with_text) {
    return out + ElementTexts(collection_).together(gate, active, kActiveTokens - kHeading);
  }
  std::string names;
  write_active(gate, names, kRecent);
  return names +
         "*What they say is shown to the owner, and where resources.expose or a policy "
         "rule names this address.*\n";
}

}  // namespace lode
