#include "providers/mirror/provider.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8.h"
#include "base/whole_number.h"
#include "search/snippet.h"

namespace lode {
namespace {

constexpr std::string_view kSearch = "lode://search";
constexpr std::string_view kTemplate = "lode://search{?q,kinds,limit}";
constexpr std::size_t kMostHits = 100;
constexpr std::size_t kMostListed = 1000;  // addresses looked at for a prefix

Tool read_tool() {
  Tool tool;
  tool.name = "resource_read";
  tool.description =
      "Read a resource by its URI. Directories answer with the URIs of their entries.";
  tool.input_schema =
      JsonObject{{"type", "object"},
                 {"properties", JsonObject{{"uri", JsonObject{{"type", "string"}}}}},
                 {"required", JsonArray{"uri"}}};
  tool.hints = ToolHints{true, false, true, false};
  return tool;
}

// kinds: those that there are.
Tool find_tool(const JsonArray& kinds) {
  Tool tool;
  tool.name = "resource_find";
  tool.description =
      "Find tasks, elements and symbols by words (query), or all listed URIs that begin with "
      "prefix.";
  const JsonObject text{{"type", "string"}};
  const JsonObject kind{{"type", "string"}, {"enum", kinds}};
  tool.input_schema = JsonObject{
      {"type", "object"},
      {"properties", JsonObject{{"query", text},
                                {"prefix", text},
                                {"kinds", JsonObject{{"type", "array"}, {"items", kind}}},
                                {"limit", JsonObject{{"type", "integer"}, {"minimum", 1}}}}}};
  tool.hints = ToolHints{true, false, true, false};
  return tool;
}

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (end > 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

struct Found {
  const MirrorProvider::Searched* by;
  Index::Hit hit;
};

std::vector<Found> search_in(const MirrorProvider::Searched& searched, const std::string& query,
                             const Index::Options& options) {
  std::vector<Found> found;
  if (!options.kinds.empty() &&
      std::ranges::find(options.kinds, searched.kind) == options.kinds.end()) {
    return found;
  }
  auto hits =
      searched.search ? searched.search(query, options) : searched.index.search(query, options);
  for (auto& hit : hits) found.push_back({&searched, std::move(hit)});
  return found;
}

// The first of each, then the second of each, and so on.
std::vector<Found> by_rank(std::vector<std::vector<Found>> found, std::size_t limit) {
  std::vector<Found> hits;
  bool more = true;
  for (std::size_t rank = 0; more && hits.size() < limit; ++rank) {
    more = false;
    for (auto& list : found) {
      if (rank >= list.size() || hits.size() == limit) continue;
      more = true;
      hits.push_back(std::move(list[rank]));
    }
  }
  return hits;
}

Outcome json_outcome(std::string text) {
  Contents contents;
  contents.items.push_back(Content::text(std::move(text)));
  contents.items.back().mime = "application/json";
  return contents;
}

}  // namespace

MirrorProvider::MirrorProvider(const Engine& engine, std::vector<Searched> searched)
    : engine_(engine),
      searched_(std::move(searched)),
      manifest_(std::make_shared<const Manifest>(make_manifest())) {}

Manifest MirrorProvider::make_manifest() {
  Manifest manifest;
  manifest.name = "mirror";
  manifest.families = {{std::string(kSearch)}};
  manifest.routes = {{{std::string(kTemplate), "search", "",
                       "Tasks, elements and symbols that have these words", "application/json"},
                      [this](const Exchange& exchange, const Address& address) {
                        return answer_search(exchange, address);
                      }}};
  JsonArray kinds;
  for (const auto& searched : searched_) kinds.emplace_back(searched.kind);
  manifest.tools = {read_tool(), find_tool(kinds)};
  manifest.calls_at_once = 0;  // the providers that it reads from have limits of their own
  return manifest;
}

Result<Page<Entry>> MirrorProvider::list(const Exchange&, const ListQuery&) {
  return Page<Entry>{{}, "", Freshness{}};
}

// ---- searching ----

Status MirrorProvider::check_kinds(const std::vector<std::string>& kinds) const {
  std::vector<std::string_view> known;
  known.reserve(searched_.size());
  for (const auto& searched : searched_) known.push_back(searched.kind);
  for (const auto& kind : kinds) {
    if (std::ranges::find(known, kind) != known.end()) continue;
    return invalid(
        fmt::format("kinds: \"{}\" is none of {}; the tool find_files searches the text of "
                    "files",
                    visible(kind), fmt::join(known, ", ")));
  }
  return {};
}

std::string MirrorProvider::search(const Exchange& exchange, const Wanted& wanted) const {
  Index::Options options;
  options.limit = std::min(wanted.limit, kMostHits);
  options.kinds = wanted.kinds;
  options.permits = [&](std::string_view key) {
    const auto uri = exchange.gate->parse(key);
    return uri && exchange.offers(Action::list, *uri) && exchange.may(Action::read, *uri);
  };
  std::vector<std::vector<Found>> found;
  std::string incomplete;
  for (const auto& searched : searched_) {
    found.push_back(search_in(searched, wanted.query, options));
    if (searched.incomplete && incomplete.empty()) incomplete = searched.incomplete();
  }
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("query", wanted.query).key("hits").begin_array();
  for (const auto& [by, hit] : by_rank(std::move(found), options.limit)) {
    w.begin_object().member("uri", hit.key).member("kind", hit.kind).member("title", hit.title);
    if (by->details) {
      const auto details = by->details(exchange, hit.key, wanted.query);
      w.member_if("type", details.type).member_if("description", details.description);
      w.member_if("snippet", details.snippet);
    }
    w.member("score", shown_score(hit.score)).end_object();
  }
  w.end_array().member_if("incomplete", incomplete).end_object();
  return out;
}

Result<MirrorProvider::Wanted> MirrorProvider::wanted_at(const Address& address) const {
  Wanted wanted;
  const auto* query = address.find("q");
  if (query == nullptr) return invalid("say what to search for: lode://search?q=WORDS");
  wanted.query = *query;
  wanted.kinds = split(address.value("kinds"));
  if (auto known = check_kinds(wanted.kinds); !known) return std::move(known).error();
  if (const auto* limit = address.find("limit")) {
    const auto* const end = limit->data() + limit->size();
    const auto read = std::from_chars(limit->data(), end, wanted.limit);
    if (read.ec != std::errc() || read.ptr != end || wanted.limit == 0) {
      return invalid("\"limit\" is a whole number from 1 on");
    }
  }
  return wanted;
}

Result<MirrorProvider::Wanted> MirrorProvider::wanted_at(const Uri& uri) const {
  static const auto kParsed = UriTemplate::parse(kTemplate).value();
  auto match = kParsed.match(uri.text());
  if (!match) return not_found("no such resource");
  return wanted_at(Address(uri, std::move(*match)));
}

// Who may see what changes with the policy, and the index with every word that
// is written: nothing is kept.
Result<Outcome> MirrorProvider::answer_search(const Exchange& exchange,
                                              const Address& address) const {
  auto wanted = wanted_at(address);
  if (!wanted) return std::move(wanted).error();
  auto outcome = json_outcome(search(exchange, *wanted));
  auto& contents = std::get<Contents>(outcome);
  contents.items.front().origin = kOfWorkspace;
  contents.ttl = std::chrono::milliseconds(0);
  return outcome;
}

// ---- changes ----

Status MirrorProvider::watchable(const Uri& uri) const {
  auto wanted = wanted_at(uri);
  return wanted ? Status() : std::move(wanted).error();
}

void MirrorProvider::publish(std::string_view kind, const std::vector<Cause>& because,
                             Events& events) const {
  for (const auto& uri : watched_.all()) {
    const auto wanted = wanted_at(uri);
    const bool asks = wanted && (wanted->kinds.empty() ||
                                 std::ranges::find(wanted->kinds, kind) != wanted->kinds.end());
    if (asks) events.publish({Change::Kind::resource, std::string(uri.text()), {}, because});
  }
}

// ---- the tools ----

Result<Outcome> MirrorProvider::call(const Exchange& exchange, std::string_view tool,
                                     const Json& arguments) {
  if (tool == "resource_find") return find(exchange, arguments.as_object());
  return read_resource(exchange, view(arguments.at("uri").as_string()));
}

Result<Outcome> MirrorProvider::read_resource(const Exchange& exchange,
                                              std::string_view uri) const {
  auto reading = engine_.read(exchange, uri);
  if (!reading) return std::move(reading).error();
  if (auto* needs = std::get_if<NeedsInput>(&*reading)) return std::move(*needs);
  Contents contents;
  if (auto* verbatim = std::get_if<Verbatim>(&*reading)) {
    contents.items.push_back(Content::text(std::move(verbatim->json)));
    return contents;
  }
  const auto& cached = *std::get<std::shared_ptr<const Cached>>(*reading);
  contents.items = cached.contents().items;
  contents.tokens = cached.tokens();
  contents.whole_bytes = cached.contents().whole_bytes;
  return contents;
}

Result<Outcome> MirrorProvider::find(const Exchange& exchange, const JsonObject& arguments) const {
  Wanted wanted;
  if (const auto* limit = arguments.if_contains("limit")) {
    auto count = whole_number(*limit, "limit", 1);
    if (!count) return std::move(count).error();
    wanted.limit = *count;
  }
  if (const auto* prefix = arguments.if_contains("prefix")) {
    return list_prefix(exchange, view(prefix->as_string()), wanted.limit);
  }
  const auto* query = arguments.if_contains("query");
  if (query == nullptr) {
    return invalid(R"(give "query" or "prefix": {"query":"code review"} or {"prefix":"skill://"})");
  }
  wanted.query = view(query->as_string());
  if (const auto* kinds = arguments.if_contains("kinds")) {
    for (const auto& kind : kinds->as_array()) wanted.kinds.emplace_back(view(kind.as_string()));
  }
  return json_outcome(search(exchange, wanted));
}

Result<Outcome> MirrorProvider::list_prefix(const Exchange& exchange, std::string_view prefix,
                                            std::size_t limit) const {
  std::string lines;
  std::string cursor;
  std::size_t found = 0;
  std::size_t seen = 0;
  do {
    auto page = engine_.resources(exchange, cursor);
    if (!page) return std::move(page).error();
    for (const auto& entry : page->items) {
      ++seen;
      if (!entry.uri.starts_with(prefix) || found == limit) continue;
      ++found;
      lines += fmt::format("{} {}\n", entry.uri, visible(entry.name));
    }
    cursor = page->next;
  } while (!cursor.empty() && found < limit && seen < kMostListed);
  Contents contents;
  contents.items.push_back(
      Content::text(found == 0 ? "no listed resource begins so\n" : std::move(lines)));
  return contents;
}

}  // namespace lode
