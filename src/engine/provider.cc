#include "engine/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace lode {
namespace {

constexpr std::chrono::milliseconds kBusyRetry{1000};

Result<Uri> named(std::string_view kind, std::string_view name) {
  return Uri::parse("lode://" + std::string(kind) + "/" + encode_component(name));
}

}  // namespace

Result<Uri> tool_uri(std::string_view name) { return named("tools", name); }
Result<Uri> prompt_uri(std::string_view name) { return named("prompts", name); }

std::string name_of(const Uri& uri) {
  auto segments = uri.segments();
  return segments.empty() ? std::string() : std::move(segments.back());
}

Result<Outcome> Provider::invoke(const Exchange&, const Uri& uri, const Json&) {
  return not_found("nothing to call at " + std::string(uri.text()));
}

// Keys are names: the manifest is constant.
Result<Page<Prompt>> Provider::prompts(const Exchange&, const ListQuery& query) {
  const auto& all = manifest().prompts;
  const auto last =
      std::find_if(all.begin(), all.end(), [&](const Prompt& p) { return p.name == query.after; });
  if (last == all.end() && !query.after.empty()) return invalid("no such prompt any more");
  const auto begin = query.after.empty() ? all.begin() : std::next(last);
  const auto count =
      std::min<std::size_t>(query.limit, static_cast<std::size_t>(all.end() - begin));
  Page<Prompt> page{{begin, begin + static_cast<std::ptrdiff_t>(count)}, ""};
  if (begin + static_cast<std::ptrdiff_t>(count) != all.end()) page.next = page.items.back().name;
  return page;
}

std::optional<Prompt> Provider::find_prompt(std::string_view name) const {
  for (const auto& prompt : manifest().prompts) {
    if (prompt.name == name) return prompt;
  }
  return std::nullopt;
}

std::optional<Uri> Provider::file_behind(const Uri&) const { return std::nullopt; }

Result<Page<Skill>> Provider::skills(const Exchange&, const ListQuery&) { return Page<Skill>{}; }

Result<Skill> Provider::skill(const Exchange&, const Uri&) { return not_found("no such skill"); }

Result<Page<Entry>> Provider::children(const Exchange&, const Uri&, const ListQuery&) {
  return invalid("not a directory");
}

Result<Completions> Provider::complete(const Exchange&, const CompletionQuery&) {
  return Completions{};
}

std::uint64_t Provider::stamp(const Uri&) const { return 0; }

std::optional<std::string> Provider::local_path(const Uri&) const { return std::nullopt; }

void Provider::watch(const Uri&, bool) {}

ProviderCall::ProviderCall(Provider& provider, const Principal& who)
    : provider_(provider), guest_(who.guest()), admitted_(count()) {}

ProviderCall::~ProviderCall() {
  --provider_.calls_;
  if (guest_) --provider_.guest_calls_;
}

bool ProviderCall::count() const {
  const std::size_t limit = provider_.manifest().calls_at_once;
  const bool crowded = guest_ && ++provider_.guest_calls_ > limit - limit / 4;
  return (++provider_.calls_ <= limit && !crowded) || limit == 0;
}

Error ProviderCall::busy() const {
  return {Code::unavailable,
          fmt::format("the provider {} is busy with {} calls; try again later",
                      provider_.manifest().name, provider_.manifest().calls_at_once),
          kBusyRetry};
}

}  // namespace lode
