#include "server/listeners.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace lode {
namespace {

bool wants(const Listeners::Lists& lists, Change::Kind kind) {
  switch (kind) {
    case Change::Kind::resource:
    case Change::Kind::tree: return false;
    case Change::Kind::resource_list: return lists.resources;
    case Change::Kind::tool_list: return lists.tools;
    case Change::Kind::prompt_list: return lists.prompts;
  }
  return false;
}

}  // namespace

Listeners::Listeners(Events& events, const Engine& engine)
    : engine_(engine),
      subscription_(events.listen([this](const Change& change) { publish(change); })) {}

Listeners::Id Listeners::add(Principal who, Lists lists, Deliver deliver) {
  Lock lock(mutex_);
  const Id id = next_++;
  listeners_.emplace(
      id, Listener{std::move(who), lists, std::make_shared<const Deliver>(std::move(deliver)), {}});
  return id;
}

void Listeners::remove(Id id) {
  std::vector<Uri> silent;
  std::shared_ptr<const Deliver> deliver;  // destroyed after the lock is gone
  {
    Lock lock(mutex_);
    auto found = listeners_.find(id);
    if (found == listeners_.end()) return;
    for (const auto& uri : found->second.uris) {
      if (forget(id, uri)) silent.push_back(uri);
    }
    deliver = std::move(found->second.deliver);
    listeners_.erase(found);
  }
  for (const auto& uri : silent) tell_watched(uri);
}

bool Listeners::forget(Id id, const Uri& uri) {
  auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) return false;
  std::erase_if(found->second, [&](const Interest& i) { return i.id == id; });
  if (!found->second.empty()) return false;
  by_uri_.erase(found);
  links_.erase(uri);
  return true;
}

Status Listeners::subscribe(Id id, std::string_view text, std::size_t limit) {
  const auto who = principal(id);
  if (!who) return {};
  auto uri = engine_.admit(*who, Action::subscribe, text);
  if (!uri) return std::move(uri).error();
  bool first = false;
  {
    Lock lock(mutex_);
    auto found = listeners_.find(id);
    if (found == listeners_.end()) return {};
    auto& uris = found->second.uris;
    if (std::find(uris.begin(), uris.end(), *uri) != uris.end()) return {};
    if (uris.size() >= limit) {
      return Error{Code::unavailable, "too many subscriptions; end some first", {}};
    }
    uris.push_back(*uri);
    auto& interests = by_uri_[*uri];
    first = interests.empty();
    interests.push_back({id, std::string(text)});
  }
  if (first) {
    tell_watched(*uri);
    note_link(*uri);
  }
  engine_.wait_followed();
  return {};
}

// By the spelling that was subscribed to, or another of the same address. Nobody is asked whether
// he may: who lost the right to listen may stop.
void Listeners::unsubscribe(Id id, std::string_view text) {
  const auto parsed = engine_.admission().canonical(text);
  std::optional<Uri> ended;
  bool last = false;
  {
    Lock lock(mutex_);
    auto found = listeners_.find(id);
    if (found == listeners_.end()) return;
    auto& uris = found->second.uris;
    const auto mine = [&](const Interest& each) { return each.id == id && each.uri == text; };
    auto at = uris.begin();
    while (at != uris.end() && parsed != *at && std::ranges::none_of(by_uri_[*at], mine)) ++at;
    if (at == uris.end()) return;
    ended = *at;
    uris.erase(at);
    last = forget(id, *ended);
  }
  if (last) tell_watched(*ended);
}

void Listeners::note_link(const Uri& uri) {
  auto target = engine_.behind_links(uri);
  const Lock lock(mutex_);
  if (!target || !by_uri_.contains(uri)) {
    links_.erase(uri);
  } else {
    links_.insert_or_assign(uri, std::move(*target));
  }
}

// What has this name may be a link now, or lead elsewhere.
void Listeners::note_links_at(const Change& change) {
  std::vector<Uri> renamed;
  {
    const Lock lock(mutex_);
    for (const auto& [uri, target] : links_) {
      if (concerns(change, uri)) renamed.push_back(uri);
    }
    const auto uri = Uri::parse(change.uri);
    if (uri && by_uri_.contains(*uri) && !links_.contains(*uri)) renamed.push_back(*uri);
  }
  for (const auto& uri : renamed) note_link(uri);
}

// Who listens to a link to what changed. Of a directory that is shown as something else than its
// list of names, all that is in it counts, each by its own name.
std::vector<Listeners::Candidate> Listeners::linked(const Change& change) const {
  std::vector<Candidate> out;
  const auto changed = Uri::parse(change.uri);
  if (!changed || changed->scheme() != "file") return out;
  const Lock lock(mutex_);
  for (const auto& [uri, target] : links_) {
    const bool as_file = uri.scheme() == "file";
    if (as_file ? !concerns(change, target)
                : !change.by_name || !(changed->within(target) || concerns(change, target))) {
      continue;
    }
    if (const auto found = by_uri_.find(uri); found != by_uri_.end()) add(*found, out);
  }
  return out;
}

// Whether anybody listens now, not when the caller looked: as one client leaves, another may
// come, and what the provider hears last must be so.
void Listeners::tell_watched(const Uri& uri) {
  const Lock one_at_a_time(watching_);
  const bool wanted = [&] {
    const Lock lock(mutex_);
    return by_uri_.contains(uri);
  }();
  engine_.watch(uri, wanted);
}

std::size_t Listeners::count() const {
  Lock lock(mutex_);
  return listeners_.size();
}

// Who might hear of it, without asking whether they may.
std::vector<Listeners::Candidate> Listeners::candidates(const Catalog& catalog,
                                                        const Change& change) const {
  std::vector<Candidate> out;
  const bool of_list = change.kind != Change::Kind::resource && change.kind != Change::Kind::tree;
  const bool everything = change.kind == Change::Kind::tree && change.uri.empty();
  const bool scheme = change.kind == Change::Kind::tree && change.uri.ends_with("://");
  const auto uri = catalog.parse(change.uri);
  if (!of_list && !uri && !everything && !scheme) return out;
  const Lock lock(mutex_);
  if (of_list) {
    for (const auto& [id, listener] : listeners_) {
      if (wants(listener.lists, change.kind)) out.push_back({listener.who, {}, {listener.deliver}});
    }
    return out;
  }
  if (change.kind == Change::Kind::resource) {
    if (const auto found = by_uri_.find(*uri); found != by_uri_.end()) add(*found, out);
    return out;
  }
  for (const auto& entry : by_uri_) {
    const bool below = scheme ? entry.first.text().starts_with(change.uri)
                              : everything || entry.first.within(*uri);
    if (below) add(entry, out);
  }
  return out;
}

void Listeners::add(const Interests& entry, std::vector<Candidate>& out) const {
  const auto uri = std::make_shared<const Uri>(entry.first);
  out.reserve(out.size() + entry.second.size());
  for (const auto& interest : entry.second) {
    const auto& listener = listeners_.at(interest.id);
    out.push_back({listener.who, uri, {listener.deliver, interest.uri}});
  }
}

// Asked without a lock, since providers may wait. Many listen to one address, and few are
// they who listen: each is asked for once.
std::vector<Listeners::Delivery> Listeners::permitted(const Admission& gate, const Change& change,
                                                      std::vector<Candidate> candidates) const {
  std::vector<Delivery> out;
  std::map<std::pair<const Uri*, std::string>, bool> known;
  std::map<std::string, bool> hearing;
  const auto may_hear = [&](const Principal& who) {
    const auto [at, fresh] = hearing.try_emplace(who.audience(), false);
    if (fresh) at->second = gate.may_hear(who, change);
    return at->second;
  };
  for (auto& candidate : candidates) {
    const Uri* uri = candidate.uri.get();
    const auto [at, fresh] = known.try_emplace({uri, candidate.who.audience()}, false);
    if (fresh) {
      at->second = may_hear(candidate.who) &&
                   (uri == nullptr || gate.may_hear_at(candidate.who, change, *uri));
    }
    if (at->second) out.push_back(std::move(candidate.delivery));
  }
  return out;
}

std::optional<Principal> Listeners::principal(Id id) const {
  Lock lock(mutex_);
  auto found = listeners_.find(id);
  if (found == listeners_.end()) return std::nullopt;
  return found->second.who;
}

void Listeners::publish(const Change& change) {
  const Admission gate = engine_.admission();
  const auto deliver = [&](const Change& told, std::vector<Candidate> to) {
    for (const auto& each : permitted(gate, told, std::move(to))) (*each.deliver)(told, each.uri);
  };
  deliver(change, candidates(gate.catalog(), change));
  if (!change.uri.starts_with("file:")) return;
  // Where the link leads decides who hears of that.
  Change behind = change;
  behind.by_name = false;
  deliver(behind, linked(change));
  note_links_at(change);
}

}  // namespace lode
