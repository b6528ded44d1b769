// The pages in JSON; those in Markdown are pages.cc.
#include <fmt/format.h>

#include <algorithm>

#include "base/uri.h"
#include "providers/capability/pages.h"

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

template <class Number>
std::int64_t number(Number value) {
  return static_cast<std::int64_t>(value);
}

}  // namespace

std::string CapabilityPages::stats(const ServingFacts& facts) const {
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
  w.member("summary", kSummary).member("full", kFull).member("stats", kStats);
  w.member("problems", kProblems).end_object();
  w.end_object();
  return out;
}

std::string CapabilityPages::list(const ElementGate& gate, const ListFilter& filter) const {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("type", to_string(filter.type));
  w.member("total", number(collection_.counts()[static_cast<std::size_t>(filter.type)]));
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
    if (!gate.shows(element)) return true;
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

std::string CapabilityPages::recent(const ElementGate& gate, int days, std::size_t limit) const {
  const auto found = recent_elements(gate, days, limit);
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("days", std::int64_t{days}).member("total", number(found.count));
  w.key("elements").begin_array();
  for (const auto& element : found.newest) {
    write_element(w, element);
    w.member("type", to_string(element.type)).end_object();
  }
  w.end_array().end_object();
  return out;
}

std::string CapabilityPages::search(const ElementGate& gate, std::string_view query,
                                    std::optional<ElementType> type, std::size_t limit) const {
  Index::Options options;
  options.limit = limit;
  options.kinds = {std::string(Collection::kIndexKind)};
  options.scoring = Scoring::tfidf;
  const auto begin = fmt::format("capability-index://elements/{}", type ? to_string(*type) : "");
  options.permits = [&](std::string_view key) {
    const bool of_type = !type || (key.starts_with(begin) && key.substr(begin.size())[0] == '/');
    return of_type && gate.shows(key) && gate.permits(Action::read, key);
  };
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
