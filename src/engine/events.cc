#include "engine/events.h"

#include <array>
#include <utility>
#include <vector>

namespace lode {
namespace {

constexpr std::array<std::pair<Change::Kind, std::string_view>, 5> kKinds = {{
    {Change::Kind::resource, "resource"},
    {Change::Kind::tree, "tree"},
    {Change::Kind::resource_list, "resource_list"},
    {Change::Kind::tool_list, "tool_list"},
    {Change::Kind::prompt_list, "prompt_list"},
}};

}  // namespace

bool concerns(const Change& change, const Uri& address) {
  const bool tree = change.kind == Change::Kind::tree;
  if (!tree && change.kind != Change::Kind::resource) return false;
  if (tree && change.uri.empty()) return true;
  if (tree && change.uri.ends_with("://")) return address.text().starts_with(change.uri);
  const auto changed = Uri::parse(change.uri);
  return changed && (tree ? address.within(*changed) : *changed == address);
}

std::string_view to_string(Change::Kind kind) {
  for (const auto& [known, name] : kKinds) {
    if (known == kind) return name;
  }
  return "";
}

std::optional<Change::Kind> find_change_kind(std::string_view name) {
  for (const auto& [kind, known] : kKinds) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

Events::Subscription::Subscription(Subscription&& other) noexcept
    : events_(std::exchange(other.events_, nullptr)), id_(other.id_) {}

Events::Subscription& Events::Subscription::operator=(Subscription&& other) noexcept {
  if (this != &other) {
    end();
    events_ = std::exchange(other.events_, nullptr);
    id_ = other.id_;
  }
  return *this;
}

Events::Subscription::~Subscription() { end(); }

void Events::Subscription::end() {
  if (events_ != nullptr) std::exchange(events_, nullptr)->remove(id_);
}

Events::Subscription Events::listen(Listener listener) {
  Lock lock(mutex_);
  const auto id = next_id_++;
  listeners_.emplace(id, std::make_shared<const Listener>(std::move(listener)));
  return {this, id};
}

void Events::publish(const Change& change) {
  Lock one_at_a_time(publishing_);
  std::vector<std::shared_ptr<const Listener>> listeners;
  {
    Lock lock(mutex_);
    listeners.reserve(listeners_.size());
    for (const auto& [id, listener] : listeners_) listeners.push_back(listener);
  }
  publisher_ = std::this_thread::get_id();
  for (const auto& listener : listeners) (*listener)(change);
  publisher_ = std::thread::id();
}

void Events::remove(std::uint64_t id) {
  {
    Lock lock(mutex_);
    listeners_.erase(id);
  }
  if (publisher_ != std::this_thread::get_id()) Lock delivered(publishing_);
}

}  // namespace lode
