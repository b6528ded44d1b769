// A text on its way out, of which one long part may be shared with others: it
// is handed on, not copied.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace lode {

struct Payload {
  std::string head;
  std::shared_ptr<const std::string> shared;  // between head and tail; may be null
  std::string tail;

  Payload() = default;
  Payload(std::string text) : head(std::move(text)) {}
  Payload(const char* text) : head(text) {}

  std::size_t size() const {
    return head.size() + (shared == nullptr ? 0 : shared->size()) + tail.size();
  }
  bool empty() const { return size() == 0; }

  // All of it in one piece.
  std::string flat() && {
    if (shared != nullptr) {
      head.reserve(size());
      head.append(*std::exchange(shared, nullptr));
    }
    return std::move(head.append(tail));
  }
};

}  // namespace lode
