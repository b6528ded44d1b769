// Who wants to hear of what: the open subscriptions of all clients, in both
// eras.
//
// One listener on the engine's Events; a change finds its subscribers by one
// look-up, whatever their number. Whether a subscriber still may hear is asked
// of the policy at each event: of the address, and of what made the change. Any thread. A
// subscriber's function must not block; it may remove itself.
//
// Changes of files are told by the names that the files really have. Who listens to an address
// that leads through a link hears of what the link leads to as well.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/uri.h"
#include "engine/engine.h"
#include "engine/events.h"

namespace lode {

class Listeners {
 public:
  using Id = std::uint64_t;
  // uri: as the subscriber spelled it; empty for changes of lists.
  using Deliver = std::function<void(const Change& change, std::string_view uri)>;

  struct Lists {
    bool tools = false;
    bool prompts = false;
    bool resources = false;
  };

  // REQUIRES: both outlive this object.
  Listeners(Events& events, const Engine& engine);

  Id add(Principal who, Lists lists, Deliver deliver) LODE_EXCLUDES(mutex_);
  void remove(Id id) LODE_EXCLUDES(watching_, mutex_);

  // As Engine::admit. Code::unavailable: the listener has `limit` addresses
  // already.
  Status subscribe(Id id, std::string_view uri, std::size_t limit) LODE_EXCLUDES(watching_, mutex_);
  // Unknown addresses are ignored.
  void unsubscribe(Id id, std::string_view uri) LODE_EXCLUDES(watching_, mutex_);

  std::size_t count() const LODE_EXCLUDES(mutex_);

 private:
  struct Listener {
    Principal who;
    Lists lists;
    std::shared_ptr<const Deliver> deliver;
    std::vector<Uri> uris;
  };
  struct Interest {
    Id id;
    std::string uri;  // as spelled
  };
  struct Delivery {
    std::shared_ptr<const Deliver> deliver;
    std::string uri{};
  };
  struct Candidate {
    Principal who;
    std::shared_ptr<const Uri> uri;  // null: it is a list that changed
    Delivery delivery;
  };
  using Interests = std::pair<const Uri, std::vector<Interest>>;

  void publish(const Change& change) LODE_EXCLUDES(mutex_);
  std::vector<Candidate> candidates(const Catalog& catalog, const Change& change) const
      LODE_EXCLUDES(mutex_);
  void add(const Interests& entry, std::vector<Candidate>& out) const LODE_REQUIRES(mutex_);
  std::vector<Delivery> permitted(const Admission& gate, const Change& change,
                                  std::vector<Candidate> candidates) const;
  std::optional<Principal> principal(Id id) const LODE_EXCLUDES(mutex_);
  // True if nobody is left who listens to it.
  bool forget(Id id, const Uri& uri) LODE_REQUIRES(mutex_);
  void tell_watched(const Uri& uri) LODE_EXCLUDES(watching_, mutex_);
  // Finds out where an address leads that somebody listens to.
  void note_link(const Uri& uri) LODE_EXCLUDES(mutex_);
  void note_links_at(const Change& change) LODE_EXCLUDES(mutex_);
  std::vector<Candidate> linked(const Change& change) const LODE_EXCLUDES(mutex_);

  const Engine& engine_;
  Mutex watching_;  // while a provider is told what is listened to; taken before mutex_
  mutable Mutex mutex_;
  std::unordered_map<Id, Listener> listeners_ LODE_GUARDED_BY(mutex_);
  std::unordered_map<Uri, std::vector<Interest>> by_uri_ LODE_GUARDED_BY(mutex_);
  // Of those the ones that lead through links, and the file that each leads to.
  std::unordered_map<Uri, Uri> links_ LODE_GUARDED_BY(mutex_);
  Id next_ LODE_GUARDED_BY(mutex_) = 1;
  Events::Subscription subscription_;  // last: ends before the rest goes
};

}  // namespace lode
