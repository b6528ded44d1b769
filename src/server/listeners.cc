#include "server/listeners.h"

#include <algorithm>
#include <utility>

namespace lode {
namespace {

bool wants(const Listeners::Lists& lists, Change::Kind kind) {
  switch (kind) {
    case Change::Kind::resource: return false;
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

Listeners::Id Listeners::add(Lists lists, Deliver deliver) {
  Lock lock(mutex_);
  const Id id = next_++;
  listeners_.emplace(id, Listener{lists, std::make_shared<const Deliver>(std::move(deliver)), {}});
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
  auto uri = Uri::parse(text);
  if (!uri) return std::move(uri).error();
  if (engine_.catalog().find(*uri) == nullptr) return not_found("no such resource");
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
  auto uri = Uri::parse(text);
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

std::vector<Listeners::Delivery> Listeners::deliveries(const Change& change) {
  std::vector<Delivery> out;
  if (change.kind != Change::Kind::resource) {
    Lock lock(mutex_);
    for (const auto& [id, listener] : listeners_) {
      if (wants(listener.lists, change.kind)) out.push_back({listener.deliver, ""});
    }
    return out;
  }
  auto uri = Uri::parse(change.uri);
  if (!uri) return out;
  Lock lock(mutex_);
  auto found = by_uri_.find(*uri);
  if (found == by_uri_.end()) return out;
  out.reserve(found->second.size());
  for (const auto& interest : found->second) {
    out.push_back({listeners_.at(interest.id).deliver, interest.uri});
  }
  return out;
}

void Listeners::publish(const Change& change) {
  for (const auto& delivery : deliveries(change)) (*delivery.deliver)(change, delivery.uri);
}

}  // namespace lode
