#include "engine/engine.h"

#include <algorithm>
#include <utility>

#include "base/credentials.h"
#include "engine/asking.h"

namespace lode {
namespace {

Error no_such_resource() { return not_found("no such resource"); }

bool matches_any(const std::vector<Glob>& globs, const Uri& uri) {
  return std::ranges::any_of(
      globs, [&](const Glob& glob) { return glob.matches(uri.text_without_query()); });
}

}  // namespace

Engine::Engine(const EngineParts& parts, EngineOptions options)
    : catalog_(parts.catalog),
      policy_(parts.policy),
      cache_(parts.cache),
      log_(parts.log),
      real_path_(parts.real_path),
      access_(parts.access),
      wait_followed_(parts.wait_followed),
      options_(std::move(options)),
      exposure_(std::make_shared<const Exposure>(options_.exposure)),
      subscription_(parts.events.listen([this](const Change& change) { forget(change); })) {}

void Engine::forget(const Change& change) const {
  if (change.kind == Change::Kind::resource) cache_.drop(change.uri);
  // What is made of these files and has another address (resource://file, skill://)
  // names no sources: its stamp is held against the files at each hit.
  if (change.kind == Change::Kind::tree) cache_.drop_below(change.uri);
  if (change.kind == Change::Kind::resource_list) cache_.drop(kListedPages);
}

Offer Engine::offer() const {
  Offer offer;
  const auto catalog = catalog_.current();
  for (const auto& member : catalog->members()) {
    offer.resources |= member->provider->resources() != nullptr;
    offer.tools |= !member->manifest->tools.empty();
    offer.prompts |= member->provider->prompts() != nullptr;
    offer.skills |= member->provider->skills() != nullptr;
  }
  offer.completions = offer.resources || offer.prompts;
  return offer;
}

// ---- gates ----

Admission Engine::admission() const {
  const auto exposure = [this] {
    Lock lock(mutex_);
    return exposure_;
  };
  return {catalog_.current(), policy_.current(), exposure(), real_path_};
}

void Engine::expose(Exposure exposure) {
  auto fresh = std::make_shared<const Exposure>(std::move(exposure));
  Lock lock(mutex_);
  exposure_.swap(fresh);
}

Result<Uri> Engine::admit(const Principal& who, Action action, std::string_view text) const {
  auto target = admission().admit(who, action, text);
  if (!target) return std::move(target).error();
  return std::move(target->uri);
}

// ---- reading ----

// Of what is in the cache, what the caller may have and what is still so.
std::shared_ptr<const Cached> Engine::fresh(const Admission& gate, const Principal& who,
                                            const Uri& uri) const {
  auto cached = cache_.find(uri.text(), who.audience());
  if (!cached) return nullptr;
  const Contents& contents = cached->contents();
  if (!gate.is_current(contents) || !gate.still_answers(uri, contents) || !is_as_read(contents)) {
    cache_.drop(uri.text());
    return nullptr;
  }
  return gate.may_have(who, uri, contents) ? cached : nullptr;
}

// The cache has addresses in their one spelling only, and forgets one when it ceases to
// be that: what is in it needs no provider to be asked, who might wait.
std::shared_ptr<const Cached> Engine::warm(const Exchange& exchange, std::string_view text) const {
  const auto began = std::chrono::steady_clock::now();
  const Admission gate = admission();
  const auto uri = gate.catalog().parse(text);
  if (!uri || (uri->has_query() && has_credential(uri->query()))) return nullptr;
  auto cached = fresh(gate, exchange.who, *uri);
  if (cached && access_) {
    Access access{exchange.who, Action::read, uri->text(), Access::Verdict::allowed};
    add_contents(access, cached);
    tell_warm(std::move(access), exchange, began);
  }
  return cached;
}

void Engine::tell_warm(Access access, const Exchange& exchange,
                       std::chrono::steady_clock::time_point began) const {
  access.took = std::chrono::steady_clock::now() - began;
  access.trace = exchange.trace;
  access_(access);
}

bool Engine::is_named(const Asking& asking, const Target& target) const {
  return matches_any(target.member->manifest->named_only, target.uri) &&
         (asking.gate().exposure().names(target.uri) ||
          asking.gate().policy()->names(asking.who(), target.uri));
}

Result<Outcome> Engine::ask(Asking& asking, const Target& target) const {
  const Member& member = *target.member;
  auto answer = Catalog::find_answer(member, target.uri);
  if (!answer) return no_such_resource();
  Exchange exchange = asking.exchange();
  exchange.named = is_named(asking, target);
  const Address address(target.uri, std::move(answer->match));
  const auto asked = asking.gate().asked();
  auto outcome = checked(log_, member,
                         walled(log_, member, [&] { return (*answer->read)(exchange, address); }));
  auto* contents = outcome ? std::get_if<Contents>(&*outcome) : nullptr;
  if (contents == nullptr) return outcome;
  if (contents->items.empty()) return no_such_resource();
  for (auto& item : contents->items) {
    if (item.uri.empty()) item.uri = target.uri.text();
  }
  asking.gate().note_provider(member, *contents);
  if (asking.gate().asked() != asked) contents->decided_by = asking.gate().policy();
  // Asked again of the file that was opened: a link may have been changed meanwhile.
  if (target.file) asking.gate().note_files(*target.file, *contents);
  if (!asking.gate().may_have(asking.who(), target.uri, *contents)) return no_such_resource();
  return outcome;
}

// What is not for sharing (an upstream's answer, a question) stays with the
// caller that loaded it.
Result<Reading> Engine::load(Asking& asking, const Target& target) const {
  const Exchange& exchange = asking.exchange();
  std::optional<Reading> own;
  auto loaded =
      cache_.get(target.uri.text(), exchange.who.audience(), {exchange.deadline, exchange.stop},
                 [&]() -> Result<std::optional<Cache::Loaded>> {
                   auto outcome = ask(asking, target);
                   if (!outcome) return std::move(outcome).error();
                   if (auto* verbatim = std::get_if<Verbatim>(&*outcome))
                     own = std::move(*verbatim);
                   if (auto* needs = std::get_if<NeedsInput>(&*outcome)) own = std::move(*needs);
                   if (own) return std::optional<Cache::Loaded>();
                   auto& contents = std::get<Contents>(*outcome);
                   contents.ttl = std::min(contents.ttl, options_.cache_ttl);
                   auto sources = contents.made_from;
                   return std::optional(Cache::Loaded{std::move(contents), std::move(sources)});
                 });
  if (!loaded) return std::move(loaded).error();
  if (own) return std::move(*own);
  return Reading(std::move(*loaded));
}

// A load that another caller began may be older than a change that nobody has
// announced yet.
bool Engine::is_outdated(const Reading& reading) {
  const auto* cached = std::get_if<std::shared_ptr<const Cached>>(&reading);
  return cached != nullptr && !is_as_read((*cached)->contents());
}

// What came of a dialogue is for nobody else, and not for keeping.
Result<Reading> Engine::answer_once(Asking& asking, const Target& target) const {
  auto outcome = ask(asking, target);
  if (!outcome) return std::move(outcome).error();
  if (auto* verbatim = std::get_if<Verbatim>(&*outcome)) return Reading(std::move(*verbatim));
  if (auto* needs = std::get_if<NeedsInput>(&*outcome)) return Reading(std::move(*needs));
  auto& contents = std::get<Contents>(*outcome);
  contents.ttl = std::chrono::milliseconds(0);
  contents.scope = Scope::private_;
  return Reading(std::make_shared<const Cached>(std::move(contents), Cache::Clock::time_point{},
                                                DropClock::Origin{}));
}

Result<Reading> Engine::read(const Exchange& asked, std::string_view text) const {
  Asking asking(*this, asked, Action::read, text);
  auto reading = asking.done(read(asking, text));
  if (reading) {
    if (auto* cached = std::get_if<std::shared_ptr<const Cached>>(&*reading)) asking.read(*cached);
  }
  return reading;
}

Result<Reading> Engine::read(Asking& asking, std::string_view text) const {
  auto target = asking.gate().admit(asking.who(), Action::read, text);
  if (!target) return std::move(target).error();
  asking.about(target->uri);
  const auto& answers = asking.exchange().answers;
  const bool first = answers.responses.empty() && answers.state.empty();
  if (first) {
    auto cached = fresh(asking.gate(), asking.who(), target->uri);
    if (cached) return Reading(std::move(cached));
  }
  // Who waits for another's load is counted too: it holds a worker as well.
  const ProviderCall call(*target->member, asking.who());
  if (!call.admitted()) return call.busy();
  if (!first) return answer_once(asking, *target);
  auto reading = load(asking, *target);
  if (!reading || !is_outdated(*reading)) return reading;
  cache_.drop(target->uri.text());
  return load(asking, *target);
}

Result<Skill> Engine::skill(const Exchange& asked, std::string_view text) const {
  Asking asking(*this, asked, Action::read, text);
  auto target = asking.gate().admit(asking.who(), Action::read, text);
  if (!target) return asking.done(Result<Skill>(std::move(target).error()));
  asking.about(target->uri);
  Skills* skills = target->member->provider->skills();
  if (skills == nullptr) return asking.done(Result<Skill>(not_found("no such resource")));
  auto skill = guarded(log_, *target->member, asking.who(),
                       [&] { return skills->get(asking.exchange(), target->uri); });
  if (skill) drop_hidden_files(asking, *skill);
  return asking.done(std::move(skill));
}

void Engine::drop_hidden_files(const Asking& asking, Skill& skill) {
  std::erase_if(skill.files, [&](const SkillFile& file) {
    return !asking.gate().admit(asking.who(), Action::list, file.uri) ||
           !asking.gate().admit(asking.who(), Action::read, file.uri);
  });
}

// ---- others ----

void Engine::wait_followed() const {
  if (wait_followed_) wait_followed_();
}

void Engine::watch(const Uri& uri, bool on) const {
  const auto catalog = catalog_.current();
  const Member* member = catalog->find(uri);
  Resources* resources = member == nullptr ? nullptr : member->provider->resources();
  if (resources == nullptr) return;
  auto done = walled(log_, *member, [&]() -> Status {
    resources->watch(uri, on);
    return {};
  });
  if (!done) log_.warning("watch failed", {{"uri", uri.text()}});
}

std::optional<Uri> Engine::behind_links(const Uri& uri) const {
  const auto catalog = catalog_.current();
  const Member* member = catalog->find(uri);
  Resources* resources = member == nullptr ? nullptr : member->provider->resources();
  if (resources == nullptr || !real_path_) return std::nullopt;
  const auto found = walled(log_, *member, [&]() -> Result<std::optional<FileBehind>> {
    return resources->file_behind(uri);
  });
  if (!found || !*found) return std::nullopt;
  const std::string real = real_path_((*found)->path);
  if (real == (*found)->path) return std::nullopt;
  auto address = Uri::parse(file_uri(real));
  return address ? std::optional(std::move(*address)) : std::nullopt;
}

std::optional<std::string> Engine::local_path(const Principal& who, std::string_view text) const {
  const Admission gate = admission();
  const auto target = gate.admit(who, Action::read, text);
  if (!target) return std::nullopt;
  return target->member->provider->resources()->local_path(target->uri);
}

}  // namespace lode
