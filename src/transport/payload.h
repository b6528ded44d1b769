// A text on its way out, of which one long part may be shared with others: it
// is handed on, not copied. The memory that it takes is counted where it goes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "base/shared_text.h"

namespace lode {

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

}  // namespace lode
