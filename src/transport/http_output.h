// What waits to be written to one socket: strings, in order, sent gathered.
//
// Nothing is copied; what the socket does not take at once stays here, and when
// all is sent no memory is held. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "transport/payload.h"

namespace lode {

class HttpOutput {
 public:
  enum class Step { done, blocked, broken };

  // The charge lasts until the piece is sent.
  void push(std::string piece, MemoryCharge charge = {});
  void push(Payload payload);

  // Sends as much as the socket takes without waiting. Broken: the peer is gone.
  Step flush(int socket);

  // Bytes not yet sent.
  std::size_t pending() const { return pending_; }
  // Whose memory the last of what waits takes; null: nobody's, or nothing waits.
  const MemoryShare* share() const;

 private:
  struct Piece {
    std::string own;
    std::shared_ptr<const SharedText> shared = nullptr;  // if set, it is this
    MemoryCharge charge = {};

    const std::string& text() const { return shared == nullptr ? own : shared->text; }
  };

  ssize_t send_some(int socket) const;
  void drop(std::size_t sent);

  std::vector<Piece> pieces_;
  std::size_t first_ = 0;   // the piece that is being sent
  std::size_t offset_ = 0;  // how much of it was sent
  std::size_t pending_ = 0;
};

}  // namespace lode
