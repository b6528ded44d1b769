// The way back to the client, whatever carries it.
//
// A Payload is a text on its way. An Outlet is where the messages of one exchange go: a line of a
// pipe, an HTTP response, a stream of server-sent events, a test's memory. A Reply is the duty to
// finish an exchange.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "base/shared_text.h"

namespace lode {

// A text on its way out, of which one long part may be shared with others: it
// is handed on, not copied. The memory that it takes is counted where it goes.
struct Payload {
  std::string head;
  std::shared_ptr<const SharedText> shared;  // between head and tail; may be null
  std::string tail;
  std::vector<Payload> more;  // what follows: the answers of a batch
  MemoryCharge charge;        // of this one; those that follow have their own

  Payload() = default;
  Payload(std::string text) : head(std::move(text)) {}
  Payload(const char* text) : head(text) {}

  std::size_t size() const {
    std::size_t size = head.size() + (shared == nullptr ? 0 : shared->text.size()) + tail.size();
    for (const Payload& part : more) size += part.size();
    return size;
  }
  bool empty() const { return size() == 0; }

  // Counts what it has now, without what follows.
  void charge_to(MemoryShare& share) {
    charge = MemoryCharge(share, head.size() + tail.size());
    if (shared != nullptr) charge.borrow({shared, &shared->loan});
  }

  // All of it in one piece, which `charge` counts then.
  std::string flat() && {
    head.reserve(size() + 1);  // for a newline
    append_rest(*this, head);
    charge.become(head.size());
    return std::move(head);
  }

 private:
  // Each part is let go as soon as it is copied.
  static void append_rest(Payload& from, std::string& text) {
    if (from.shared != nullptr) text.append(std::exchange(from.shared, nullptr)->text);
    text.append(from.tail);
    for (Payload& part : from.more) {
      Payload taken = std::move(part);
      text.append(taken.head);
      append_rest(taken, text);
    }
    from.more.clear();
  }
};

// One message on its way, JSON on one line. Ids and retry times matter to
// resumable streams only; data may be empty there.
struct Event {
  std::string data;
  std::string id;
  std::optional<std::chrono::milliseconds> retry;
};

// The last message of an exchange. An empty body means that there is nothing
// to say (an accepted notification).
struct Answer {
  Payload body;
  int status = 200;     // HTTP only
  std::string session;  // HTTP only: the id of a session that began
};

// Any thread. After finish() or end(), and after the peer has gone, calls do
// nothing.
class Outlet {
 public:
  virtual ~Outlet() = default;

  // A message before the last.
  virtual void send(Event event) = 0;
  // The last message.
  virtual void finish(Answer answer) = 0;
  // No last message: the exchange was cancelled, or the client shall come back.
  virtual void end() = 0;
  // Runs once when the peer goes away before the end; at once if it has gone.
  virtual void on_close(std::function<void()> gone) = 0;
  // Whether send() can reach the client at all.
  virtual bool streams() const { return true; }
  // The rest will take long: a client that can come back for it may be let go.
  virtual void release() {}
};

// The duty to answer, exactly once: of several threads that try, the first
// does. If it is destroyed unanswered, the client gets the text that if_dropped
// makes. Movable while only one thread has it.
class Reply {
 public:
  using Text = std::function<std::string()>;

  // REQUIRES: what if_dropped refers to outlives the reply.
  Reply(std::shared_ptr<Outlet> outlet, Text if_dropped)
      : outlet_(std::move(outlet)), if_dropped_(std::move(if_dropped)) {}
  Reply(Reply&& other) noexcept
      : outlet_(std::move(other.outlet_)),
        if_dropped_(std::move(other.if_dropped_)),
        answered_(other.answered_.exchange(true)) {}
  Reply& operator=(Reply&&) = delete;
  ~Reply() {
    if (!answered_) answer({if_dropped_(), 200, ""});
  }

  // True if this call was the one that answered. `first` runs before anything is sent.
  bool answer(Answer answer, const std::function<void()>& first = {}) {
    if (answered_.exchange(true)) return false;
    if (first) first();
    outlet_->finish(std::move(answer));
    return true;
  }
  // Leaves without an answer, on purpose.
  bool abandon() {
    if (answered_.exchange(true)) return false;
    outlet_->end();
    return true;
  }
  bool answered() const { return answered_; }

  // A message before the answer; dropped after it.
  void send(std::string message) {
    if (!answered_) outlet_->send({std::move(message), "", {}});
  }
  Outlet& outlet() const { return *outlet_; }

 private:
  std::shared_ptr<Outlet> outlet_;
  Text if_dropped_;
  std::atomic<bool> answered_{false};
};

}  // namespace lode
