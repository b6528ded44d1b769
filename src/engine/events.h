// What changed, told to those who asked.
//
// publish() may be called from any thread and runs every listener before it
// returns. A listener must not block and must not publish; it may end its own
// or another subscription. Listeners hold sinks (a queue of a transport), never
// a thread.
//
// Invariants:
//  (1) When a subscription has ended, its listener does not run and will not:
//      ending it waits for the event that is being delivered. A listener that
//      ends a subscription itself does not wait; the one it ended may still see
//      that event.
//  (2) All listeners see all events in the same order.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/uri.h"
#include "engine/gate.h"

namespace lode {

// Something that made a change. Who may see it may hear of the change.
struct Cause {
  std::string uri{};  // its address; empty: the file alone counts
  // The file behind it; of what is gone, the one that it had.
  FileBehind file{};
  bool real = false;  // there are no links in the file's path
};

struct Change {
  enum class Kind {
    resource,  // what stands at the uri
    tree,      // what stands at the uri, and anything below it; without one, everything
    resource_list,
    tool_list,
    prompt_list,
  };

  Kind kind = Kind::resource;
  std::string uri{};  // of a resource or a tree
  // Of a list: the addresses that came, went or changed in it, so that only those
  // hear of it who may see one of them. None: anybody may.
  std::vector<std::string> listed{};
  // What made the change, so that only those hear of it who may see one of these: nobody
  // learns that something changed which is hidden from him. None: anybody may.
  std::vector<Cause> because{};
  // Of a resource or a tree: what has this very name came, went or was written, and no link
  // led there. So the name alone decides who hears of it, as it does who may listen: where
  // it leads by now does not keep secret that what stood there is gone.
  bool by_name = false;
};

// Whether what stands at the address may be another after the change.
bool concerns(const Change& change, const Uri& address);

// The kinds' names, for the feed between processes: "resource", "tool_list", …
std::string_view to_string(Change::Kind kind);
std::optional<Change::Kind> find_change_kind(std::string_view name);

class Events {
 public:
  using Listener = std::function<void(const Change&)>;

  // Ends the listening when destroyed. Movable; must not outlive its Events. Whoever
  // ends it must hold no lock that a listener takes.
  class Subscription {
   public:
    Subscription() = default;
    Subscription(Subscription&& other) noexcept;
    Subscription& operator=(Subscription&& other) noexcept;
    ~Subscription();

   private:
    friend class Events;
    Subscription(Events* events, std::uint64_t id) : events_(events), id_(id) {}
    void end();

    Events* events_ = nullptr;
    std::uint64_t id_ = 0;
  };

  Subscription listen(Listener listener) LODE_EXCLUDES(mutex_);
  void publish(const Change& change) LODE_EXCLUDES(publishing_, mutex_);

 private:
  void remove(std::uint64_t id) LODE_EXCLUDES(publishing_, mutex_);

  Mutex publishing_;                        // held while an event is delivered; taken before mutex_
  std::atomic<std::thread::id> publisher_;  // who holds publishing_
  Mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<const Listener>> listeners_ LODE_GUARDED_BY(mutex_);
  std::uint64_t next_id_ LODE_GUARDED_BY(mutex_) = 1;
};

}  // namespace lode
