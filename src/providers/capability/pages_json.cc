// The pages in JSON; those in Markdown are pages.cc.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/uri.h"
#include "base/utf8.h"
#include "providers/capability/pages.h"
#include "search/snippet.h"

namespace lode {
namespace {

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

// Below its frontmatter; of YAML, all of it.
std::string_view body_of(const Element& element, std::string_view text) {
  if (!element.file.ends_with(".md") || !text.starts_with("---")) return text;
  const auto end = text.find("\n---");
  return end == text.npos ? text : text.substr(std::min(text.find('\n', end + 1), text.size()));
}

// A cursor of recent elements says when the last of its page was updated, and which it is:
// "1763424000.persona.reviewer".
std::optional<std::pair<std::chrono::sys_seconds, Element>> parse_cursor(std::string_view text) {
  const auto first = std::min(text.find('.'), text.size());
  const auto second = std::min(text.find('.', first + 1), text.size());
  if (second == text.size()) return std::nullopt;
  std::int64_t seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + first, seconds);
  const auto type = find_element_type(text.substr(first + 1, second - first - 1));
  if (read.ec != std::errc() || read.ptr != text.data() + first || !type) return std::nullopt;
  Element element;
  element.type = *type;
  element.id = text.substr(second + 1);
  return std::pair(std::chrono::sys_seconds(std::chrono::seconds(seconds)), std::move(element));
}

template <class Number>
std::int64_t number(Number value) {
  return static_cast<std::int64_t>(value);
}

}  // namespace

std::string CapabilityPages::stats(const ElementGate& gate, const ServingFacts& facts) const {
  const auto counts = collection_.counts();
  const auto index = index_.stats();
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("generated_at", iso_time(sources_.clock()));
  w.key("element_counts").begin_object();
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
  w.member("problems", number(all_problems(ElementGate::open()).size()));
  w.member("loading", collection_.loading()).key("resources").begin_object();
  for (const auto page : {kSummary, kFull, kStats, kActive, kProblems}) {
    if (gate.names(page)) w.member(page.substr(page.rfind('/') + 1), page);
  }
  w.end_object();
  w.end_object();
  return out;
}

std::string CapabilityPages::list(const ElementGate& gate, const ElementList& wanted) const {
  std::string elements;
  JsonWriter w(elements);
  w.begin_array();
  std::size_t shown = 0;
  std::size_t total = 0;
  std::string last;
  bool more = false;
  const bool counts_all = wanted.is_filtered();
  collection_.each(wanted.type, counts_all ? "" : wanted.cursor, [&](const Element& element) {
    if (!wanted.takes(element) || !gate.shows(element)) return true;
    ++total;
    if (element.id <= wanted.cursor) return true;
    if (shown == wanted.limit) return (more = true) && counts_all;
    write_element(w, element);
    w.end_object();
    last = element.id;
    ++shown;
    return true;
  });
  w.end_array();
  if (!counts_all) total = collection_.counts()[static_cast<std::size_t>(wanted.type)];
  std::string out;
  JsonWriter page(out);
  page.begin_object().member("type", to_string(wanted.type)).member("total", number(total));
  page.raw_member("elements", elements);
  if (more) {
    std::string next = fmt::format("capability-index://elements/{}?cursor={}&limit={}",
                                   to_string(wanted.type), encode_component(last), wanted.limit);
    if (!wanted.tag.empty()) next += "&tag=" + encode_component(wanted.tag);
    if (!wanted.author.empty()) next += "&author=" + encode_component(wanted.author);
    page.member("next", next);
  }
  page.end_object();
  return out;
}

Result<std::string> CapabilityPages::recent(const ElementGate& gate,
                                            const RecentElements& wanted) const {
  std::optional<Dated> after;
  if (!wanted.cursor.empty()) {
    auto last = parse_cursor(wanted.cursor);
    if (!last) return invalid("the cursor is none that was given out: read without it");
    after.emplace(Dated{last->first, std::move(last->second)});
  }
  const auto found = recent_elements(gate, wanted, after);
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("days", number(wanted.days)).member("total", number(found.count));
  w.key("elements").begin_array();
  for (const auto& [updated, element] : found.newest) {
    write_element(w, element);
    w.member("type", to_string(element.type)).end_object();
  }
  w.end_array();
  if (found.more) {
    const auto& [updated, element] = found.newest.back();
    const auto cursor = fmt::format("{}.{}.{}", updated.time_since_epoch().count(),
                                    to_string(element.type), element.id);
    w.member("next", fmt::format("capability-index://recent?days={}&limit={}&cursor={}",
                                 wanted.days, wanted.limit, encode_component(cursor)));
  }
  w.end_object();
  return out;
}

std::string CapabilityPages::search(const ElementGate& gate, const ElementSearch& wanted) const {
  Index::Options options;
  options.limit = wanted.limit;
  options.kinds = {std::string(Collection::kIndexKind)};
  options.scoring = Scoring::tfidf;
  const auto begin =
      fmt::format("capability-index://elements/{}", wanted.type ? to_string(*wanted.type) : "");
  options.permits = [&](std::string_view key) {
    const bool of_type =
        !wanted.type || (key.starts_with(begin) && key.substr(begin.size()).starts_with('/'));
    return of_type && gate.shows(key) && gate.permits(Action::read, key);
  };
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("query", wanted.query).key("hits").begin_array();
  for (const auto& hit : index_.search(wanted.query, options)) {
    const auto details = details_of(gate, hit.key, wanted.query);
    if (!details) continue;
    w.begin_object().member("uri", hit.key).member("type", details->type);
    w.member("name", details->name).member_if("description", details->description);
    w.member_if("snippet", details->snippet).member("score", shown_score(hit.score));
    w.end_object();
  }
  w.end_array().end_object();
  return out;
}

std::optional<CapabilityPages::HitDetails> CapabilityPages::details_of(
    const ElementGate& gate, std::string_view uri, std::string_view query) const {
  constexpr std::size_t kSnippet = 160;          // bytes
  constexpr std::size_t kSearched = 256 * 1024;  // of the text, for the snippet
  constexpr std::size_t kDescription = 1024;
  const auto element = find_element(uri);
  if (!element) return std::nullopt;
  HitDetails details{std::string(to_string(element->type)), element->name,
                     cut_text(element->description, kDescription), ""};
  if (gate.quotes(*element)) {
    const auto text = collection_.text_of(*element);
    const auto body = text ? body_of(*element, *text) : std::string_view();
    details.snippet = visible(snippet_of(first_bytes(body, kSearched), query, kSnippet));
  }
  if (details.snippet.empty()) details.snippet = snippet_of(element->description, query, kSnippet);
  return details;
}

std::string CapabilityPages::about(const ElementGate& gate, const Element& element) const {
  std::string out;
  JsonWriter w(out);
  write_element(w, element);
  w.member("type", to_string(element.type));
  w.key("relations").begin_array();
  for (const auto& relation : element.relations) {
    const auto target = collection_.resolve(relation);
    w.begin_object().member("kind", relation.kind).member("target", relation.target);
    if (target && gate.shows(*target)) w.member("uri", target->uri());
    w.end_object();
  }
  w.end_array();
  w.member("note",
           "the text itself is shown where resources.expose or a policy rule names "
           "capability-index://elements/**");
  w.end_object();
  return out;
}

std::string CapabilityPages::problems(const ElementGate& gate, std::size_t after,
                                      std::size_t limit) const {
  const auto all = all_problems(gate);
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("total", number(all.size())).key("problems").begin_array();
  for (std::size_t i = after; i < std::min(after + limit, all.size()); ++i) {
    w.begin_object().member("file", all[i].file).member("line", number(all[i].line));
    w.member("text", all[i].text).end_object();
  }
  w.end_array();
  if (after + limit < all.size()) {
    w.member("next", fmt::format("{}?after={}", kProblems, after + limit));
  }
  w.end_object();
  return out;
}

}  // namespace lode
