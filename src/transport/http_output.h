// What waits to be written to one socket: strings, in order, sent gathered.
//
// Nothing is copied; what the socket does not take at once stays here, and when
// all is sent no memory is held. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lode {

class HttpOutput {
 public:
  enum class Step { done, blocked, broken };

  void push(std::string piece);
  // A piece that others have too; null is nothing.
  void push(std::shared_ptr<const std::string> piece);

  // Sends as much as the socket takes without waiting. Broken: the peer is gone.
  Step flush(int socket);

  // Bytes not yet sent.
  std::size_t pending() const { return pending_; }

 private:
  struct Piece {
    std::string own;
    std::shared_ptr<const std::string> shared = nullptr;  // if set, it is this

    const std::string& text() const { return shared == nullptr ? own : *shared; }
  };

  ssize_t send_some(int socket) const;
  void drop(std::size_t sent);

  std::vector<Piece> pieces_;
  std::size_t first_ = 0;   // the piece that is being sent
  std::size_t offset_ = 0;  // how much of it was sent
  std::size_t pending_ = 0;
};

}  // namespace lode
