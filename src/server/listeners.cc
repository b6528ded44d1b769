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
  for (const auto& uri : silent) engine_.watch(uri, false);
}

bool Listeners::forget(Id id, const Uri& uri) {
  auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) return false;
  std::erase_if(found->second, [&](const Interest& i) { return i.id == id; });
  if (!found->second.empty()) return false;
  by_uri_.erase(found);
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
  if (first) engine_.watch(*uri, true);
  return {};
}

void Listeners::unsubscribe(Id id, std::string_view text) {
  const auto who = principal(id);
  if (!who) return;
  auto uri = engine_.admit(*who, Action::subscribe, text);
  if (!uri) return;
  bool last = false;
  {
    Lock lock(mutex_);
    auto found = listeners_.find(id);
    if (found == listeners_.end() || std::erase(found->second.uris, *uri) == 0) return;
    last = forget(id, *uri);
  }
  if (last) engine_.watch(*uri, false);
}

std::size_t Listeners::count() const {
  Lock lock(mutex_);
  return listeners_.size();
}

// Whoever may see something of what changed in the list.
std::vector<Listeners::Delivery> Listeners::list_deliveries(const Admission& gate,
                                                            const Change& change) {
  std::vector<std::pair<Principal, std::shared_ptr<const Deliver>>> wanting;
  {
    Lock lock(mutex_);
    for (const auto& [id, listener] : listeners_) {
      if (wants(listener.lists, change.kind)) wanting.emplace_back(listener.who, listener.deliver);
    }
  }
  std::map<std::string, bool, std::less<>> sees;  // by who they are to the policy
  std::vector<Delivery> out;
  for (auto& [who, deliver] : wanting) {
    const auto [at, fresh] = sees.try_emplace(std::string(who.audience()), change.listed.empty());
    if (fresh && !at->second) {
      at->second = std::ranges::any_of(change.listed, [&, &seer = who](const auto& address) {
        return gate.sees(seer, address);
      });
    }
    if (at->second) out.push_back({std::move(deliver), ""});
  }
  return out;
}

std::vector<Listeners::Delivery> Listeners::deliveries(const Change& change) {
  const Admission gate = engine_.admission();
  if (change.kind != Change::Kind::resource && change.kind != Change::Kind::tree) {
    return list_deliveries(gate, change);
  }
  std::vector<Delivery> out;
  const bool everything = change.kind == Change::Kind::tree && change.uri.empty();
  const auto uri = gate.catalog().parse(change.uri);
  if (!uri && !everything) return out;
  Lock lock(mutex_);
  if (change.kind == Change::Kind::resource) {
    add_deliveries(gate, *uri, out);
    return out;
  }
  for (const auto& [address, interests] : by_uri_) {
    if (everything || address.within(*uri)) add_deliveries(gate, address, out);
  }
  return out;
}

// Many listen to one address, and few are they who listen: each is asked for once.
void Listeners::add_deliveries(const Admission& gate, const Uri& uri, std::vector<Delivery>& out) {
  auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) return;
  out.reserve(out.size() + found->second.size());
  std::map<std::string_view, bool> permitted;
  for (const auto& interest : found->second) {
    const auto& listener = listeners_.at(interest.id);
    const auto [at, fresh] = permitted.try_emplace(listener.who.audience(), false);
    if (fresh) {
      at->second = gate.exposes(uri) && gate.may(listener.who, Action::subscribe, uri);
    }
    if (at->second) out.push_back({listener.deliver, interest.uri});
  }
}

std::optional<Principal> Listeners::principal(Id id) const {
  Lock lock(mutex_);
  auto found = listeners_.find(id);
  if (found == listeners_.end()) return std::nullopt;
  return found->second.who;
}

void Listeners::publish(const Change& change) {
  for (const auto& delivery : deliveries(change)) (*delivery.deliver)(change, delivery.uri);
}

}  // namespace lode
