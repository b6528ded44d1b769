#include "providers/capability/pages.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/tokens.h"
#include "base/uri.h"

namespace lode {
namespace {

using std::chrono::system_clock;

constexpr std::size_t kSummaryKeywords = 20;
constexpr std::size_t kFullKeywords = 100;
constexpr std::size_t kKeywordsInRow = 5;
constexpr std::size_t kRecent = 10;
constexpr int kRecentDays = 7;
constexpr std::size_t kShortText = 100;  // characters of a description, about
constexpr std::size_t kLongText = 500;

constexpr std::string_view kSummary = "capability-index://summary";
constexpr std::string_view kFull = "capability-index://full";
constexpr std::string_view kStats = "capability-index://stats";

std::size_t tokens_in(std::string_view text) { return Tokenizer::o200k().count(text); }

// One line of at most so many bytes, cut between characters.
std::string line_of(std::string_view text, std::size_t most) {
  std::string out;
  for (const char c : text) out += c == '\n' || c == '\r' ? ' ' : c;
  if (out.size() <= most) return out;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;
  out.resize(end);
  return out + "…";
}

std::size_t sum(const Collection::Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

void write_element(JsonWriter& w, const Element& element) {
  w.begin_object().member("uri", element.uri()).member("id", element.id);
  w.member("name", element.name).member_if("description", element.description);
  w.member("version", element.version).member_if("author", element.author);
  w.member("created", element.created).member("updated", element.updated);
  if (!element.tags.empty()) {
    w.key("tags").begin_array();
    for (const auto& tag : element.tags) w.value(tag);
    w.end_array();
  }
}

std::string details(const Element& element) {
  std::string out = fmt::format("#### {}\n", line_of(element.name, kShortText));
  if (!element.description.empty()) {
    out += fmt::format("**Description:** {}\n", line_of(element.description, kLongText));
  }
  out += fmt::format("- **ID:** {}\n- **Version:** {}\n- **Created:** {}\n- **Updated:** {}\n",
                     element.id, element.version, element.created, element.updated);
  if (!element.tags.empty()) out += fmt::format("- **Tags:** {}\n", joined(element.tags));
  return out + "\n";
}

}  // namespace

CapabilityPages::CapabilityPages(const Collection& collection, const Index& index, Clock clock,
                                 Active active)
    : collection_(collection),
      index_(index),
      clock_(std::move(clock)),
      active_(std::move(active)) {}

std::vector<Element> CapabilityPages::recent_elements(int days, std::size_t limit) const {
  const auto since = iso_time(clock_() - std::chrono::hours(24) * days);
  std::vector<Element> found;
  collection_.each([&](const Element& element) {
    if (element.updated >= since) found.push_back(element);
    return true;
  });
  const auto newer = [](const Element& a, const Element& b) {
    return std::pair(b.updated, a.id) < std::pair(a.updated, b.id);
  };
  std::sort(found.begin(), found.end(), newer);
  if (found.size() > limit) found.resize(limit);
  return found;
}

void CapabilityPages::write_index(std::string& out) const {
  const auto stats = index_.stats();
  out += fmt::format(
      "## Index Statistics\n\n- **Indexed Documents:** {}\n- **Vocabulary Size:** {} unique terms\n"
      "- **Average Document Length:** {:.0f} terms\n- **Index Memory Usage:** {} KB\n\n",
      stats.documents, stats.vocabulary, stats.average_length, stats.bytes / 1024);
}

void CapabilityPages::write_problems(std::string& out, std::size_t most) const {
  const auto problems = collection_.problems(most + 1);
  if (problems.empty()) return;
  out += "## Problems\n\n";
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i) {
    out += fmt::format("- {}\n", line_of(problems[i].sentence(), kLongText));
  }
  if (problems.size() > most) out += "- … and more\n";
  out += "\n";
}

std::string CapabilityPages::summary() const {
  const auto counts = collection_.counts();
  std::string out =
      fmt::format("# Capability Index - Summary\n\n**Generated:** {}\n\n", iso_time(clock_()));
  if (collection_.loading()) out += "*The elements are still being read; there may be more.*\n\n";
  out += fmt::format("## Element Counts\n\n- **Total Elements:** {}\n", sum(counts));
  for (const auto type : kElementTypes) {
    out += fmt::format("- **{}:** {}\n", to_string(type), counts[static_cast<std::size_t>(type)]);
  }
  out += "\n";
  if (const auto active = active_(); !active.empty()) {
    out += "## Active Elements\n\n";
    for (std::size_t i = 0; i < std::min(active.size(), kRecent); ++i) {
      out += fmt::format("- **[{}]** {}\n", to_string(active[i].type),
                         line_of(active[i].name, kShortText));
    }
    if (active.size() > kRecent) out += fmt::format("- … and {} more\n", active.size() - kRecent);
    out += "\n";
  }
  write_index(out);
  out += "## Top Keywords\n\n";
  std::size_t place = 0;
  for (const auto& keyword : index_.top_terms(kSummaryKeywords)) {
    out += fmt::format("{}. **{}** ({:.2f})\n", ++place, line_of(keyword.text, 40), keyword.weight);
  }
  out += "\n## Recent Elements (Last 7 Days)\n\n";
  const auto recent = recent_elements(kRecentDays, kRecent);
  for (const auto& element : recent) {
    out += fmt::format("- **[{}]** {} - {}\n", to_string(element.type),
                       line_of(element.name, kShortText), line_of(element.description, kShortText));
  }
  if (recent.empty()) out += "*No recent elements*\n";
  out += "\n";
  write_problems(out, 3);
  out += fmt::format(
      "## Available Resources\n\n- `{}`: every element with its metadata, keywords, relations\n"
      "- `{}`: the numbers, as JSON\n- `capability-index://elements/{{type}}`: one type's "
      "elements\n"
      "- `capability-index://elements/{{type}}/{{id}}`: one element\n"
      "- `capability-index://recent?days=N`, `capability-index://search?q=WORDS`\n",
      kFull, kStats);
  return out;
}

// How many tokens were written.
std::size_t CapabilityPages::write_type(std::string& out, ElementType type, std::size_t count,
                                        std::size_t budget) const {
  const auto name = to_string(type);
  out += fmt::format("### {} ({})\n\n", name, count);
  std::size_t used = 0;
  std::size_t shown = 0;
  std::string last;
  collection_.each(type, "", [&](const Element& element) {
    const auto text = details(element);
    const auto cost = tokens_in(text);
    if (used + cost > budget) return false;
    used += cost;
    out += text;
    last = element.id;
    ++shown;
    return true;
  });
  if (shown < count) {
    out += fmt::format(
        "*{} more are left out here; they go on at "
        "`capability-index://elements/{}?cursor={}`*\n\n",
        count - shown, name, encode_component(last));
  }
  return used;
}

void CapabilityPages::write_relations(std::string& out, std::size_t budget) const {
  out += "## Relationship Graph\n\n";
  std::vector<Element> related;  // each() holds the collection's lock, and resolve() needs it
  bool more = false;
  constexpr std::size_t kMost = 1000;
  collection_.each([&](const Element& element) {
    if (element.relations.empty() && element.goals.empty() && element.actions.empty()) return true;
    if (related.size() == kMost) return !(more = true);
    related.push_back(element);
    return true;
  });
  std::size_t used = 0;
  for (const auto& element : related) {
    std::string text =
        fmt::format("### {} ({})\n", line_of(element.name, kShortText), to_string(element.type));
    if (!element.goals.empty()) {
      text += fmt::format("- **Goals:** {}\n", line_of(joined(element.goals), kLongText));
    }
    if (!element.actions.empty()) {
      text += fmt::format("- **Actions:** {}\n", line_of(joined(element.actions), kLongText));
    }
    for (const auto& relation : element.relations) {
      const auto target = collection_.resolve(relation);
      text += target ? fmt::format("- {} **{}:{}**\n", relation.kind, to_string(target->type),
                                   target->id)
                     : fmt::format("- {} {} (not there)\n", relation.kind, relation.target);
    }
    text += "\n";
    used += tokens_in(text);
    if (used > budget) {
      more = true;
      break;
    }
    out += text;
  }
  if (related.empty()) out += "*No elements with relationships defined*\n";
  if (more) out += "*There are more; each element's relations stand at its own address.*\n";
}

std::string CapabilityPages::full() const {
  const auto counts = collection_.counts();
  std::string out =
      fmt::format("# Capability Index - Full Details\n\n**Generated:** {}\n\n", iso_time(clock_()));
  if (collection_.loading()) out += "*The elements are still being read; there may be more.*\n\n";
  write_index(out);
  out += fmt::format("## Element Distribution\n\n- **Total:** {}\n\n", sum(counts));
  // What one type leaves of its share goes to those after it.
  std::size_t left = kFullTokens * 8 / 10;
  std::size_t types = static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end(), [](std::size_t n) { return n > 0; }));
  for (const auto type : kElementTypes) {
    const auto count = counts[static_cast<std::size_t>(type)];
    if (count == 0) continue;
    left -= write_type(out, type, count, left / types--);
  }
  out += "## Vocabulary Breakdown\n\nTop 100 most significant terms:\n\n";
  std::size_t place = 0;
  for (const auto& keyword : index_.top_terms(kFullKeywords)) {
    out += line_of(keyword.text, 40);
    out += ++place % kKeywordsInRow == 0 ? "\n" : ", ";
  }
  out += "\n\n";
  write_relations(out, kFullTokens / 10);
  out += "\n";
  write_problems(out, 20);
  return out;
}

std::string CapabilityPages::stats(const ServingFacts& facts) const {
  const auto counts = collection_.counts();
  const auto index = index_.stats();
  const auto number = [](auto value) { return static_cast<std::int64_t>(value); };
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("generated_at", iso_time(clock_())).key("element_counts").begin_object();
  for (const auto type : kElementTypes) {
    w.member(to_string(type), number(counts[static_cast<std::size_t>(type)]));
  }
  w.end_object().key("index_statistics").begin_object();
  w.member("document_count", number(index.documents));
  w.member("vocabulary_size", number(index.vocabulary));
  w.member("avg_document_length", number(index.average_length + 0.5));
  w.member("memory_usage_kb", number(index.bytes / 1024)).end_object();
  w.key("cache_statistics").begin_object().member("entries", number(facts.cache_entries));
  w.member("ttl_seconds", number(facts.cache_ttl.count()));
  w.member("hits", number(facts.cache_hits)).member("misses", number(facts.cache_misses));
  w.end_object().member("tokens_served", number(facts.tokens_served));
  w.member("problems", number(collection_.problems(1000).size()));
  w.member("loading", collection_.loading()).key("resources").begin_object();
  w.member("summary", kSummary).member("full", kFull).member("stats", kStats).end_object();
  w.end_object();
  return out;
}

// ---- lists ----

std::string CapabilityPages::list(const ListFilter& filter) const {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("type", to_string(filter.type));
  w.member("total",
           static_cast<std::int64_t>(collection_.counts()[static_cast<std::size_t>(filter.type)]));
  w.key("elements").begin_array();
  std::size_t shown = 0;
  std::string last;
  bool more = false;
  collection_.each(filter.type, filter.cursor, [&](const Element& element) {
    const auto& tags = element.tags;
    if (!filter.author.empty() && element.author != filter.author) return true;
    if (!filter.tag.empty() && std::find(tags.begin(), tags.end(), filter.tag) == tags.end()) {
      return true;
    }
    if (shown == filter.limit) return !(more = true);
    write_element(w, element);
    w.end_object();
    last = element.id;
    ++shown;
    return true;
  });
  w.end_array();
  if (more) {
    std::string next = fmt::format("capability-index://elements/{}?cursor={}&limit={}",
                                   to_string(filter.type), encode_component(last), filter.limit);
    if (!filter.tag.empty()) next += "&tag=" + encode_component(filter.tag);
    if (!filter.author.empty()) next += "&author=" + encode_component(filter.author);
    w.member("next", next);
  }
  w.end_object();
  return out;
}

std::string CapabilityPages::recent(int days, std::size_t limit) const {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("days", std::int64_t{days}).key("elements").begin_array();
  for (const auto& element : recent_elements(days, limit)) {
    write_element(w, element);
    w.member("type", to_string(element.type)).end_object();
  }
  w.end_array().end_object();
  return out;
}

std::string CapabilityPages::search(std::string_view query, std::optional<ElementType> type,
                                    std::size_t limit) const {
  Index::Options options;
  options.limit = limit;
  options.kinds = {std::string(Collection::kIndexKind)};
  options.scoring = Scoring::tfidf;
  if (type) {
    options.permits = [begin = fmt::format("capability-index://elements/{}/", to_string(*type))](
                          std::string_view key) { return key.starts_with(begin); };
  }
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("query", query).key("hits").begin_array();
  for (const auto& hit : index_.search(query, options)) {
    w.begin_object().member("uri", hit.key).member("name", hit.title);
    w.member("score", hit.score).end_object();
  }
  w.end_array().end_object();
  return out;
}

std::string CapabilityPages::about(const Element& element) const {
  std::string out;
  JsonWriter w(out);
  write_element(w, element);
  w.member("type", to_string(element.type));
  w.key("relations").begin_array();
  for (const auto& relation : element.relations) {
    const auto target = collection_.resolve(relation);
    w.begin_object().member("kind", relation.kind).member("target", relation.target);
    if (target) w.member("uri", target->uri());
    w.end_object();
  }
  w.end_array();
  w.member("note",
           "the text itself is shown where resources.expose or a policy rule names "
           "capability-index://elements/**");
  w.end_object();
  return out;
}

}  // namespace lode
