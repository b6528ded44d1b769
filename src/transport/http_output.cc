#include "transport/http_output.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace lode {

namespace {

constexpr std::size_t kGathered = 64;
// Sent pieces are erased in lots, so that a long queue costs no more a piece.
constexpr std::size_t kSentKept = 64;

}  // namespace

void HttpOutput::push(std::string piece, MemoryCharge charge) {
  if (piece.empty()) return;
  pending_ += piece.size();
  pieces_.push_back({std::move(piece), nullptr, std::move(charge)});
}

void HttpOutput::push(Payload payload) {
  const std::size_t before = pieces_.size();
  push(std::move(payload.head));
  if (payload.shared != nullptr && !payload.shared->text.empty()) {
    pending_ += payload.shared->text.size();
    pieces_.push_back({"", std::move(payload.shared)});
  }
  push(std::move(payload.tail));
  if (pieces_.size() > before) pieces_.back().charge = std::move(payload.charge);
  for (Payload& part : payload.more) push(std::move(part));
}

const MemoryShare* HttpOutput::share() const {
  return pending_ == 0 ? nullptr : pieces_.back().charge.share();
}

HttpOutput::Step HttpOutput::flush(int socket) {
  while (pending_ > 0) {
    ssize_t sent = send_some(socket);
    if (sent >= 0) {
      drop(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return Step::blocked;
    } else if (errno != EINTR) {
      return Step::broken;
    }
  }
  std::vector<Piece>().swap(pieces_);
  first_ = 0;
  return Step::done;
}

ssize_t HttpOutput::send_some(int socket) const {
  std::array<iovec, kGathered> parts;
  std::size_t count = std::min(pieces_.size() - first_, parts.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& piece = pieces_[first_ + i].text();
    std::size_t skip = i == 0 ? offset_ : 0;
    parts[i] = {const_cast<char*>(piece.data()) + skip, piece.size() - skip};
  }
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void HttpOutput::drop(std::size_t sent) {
  pending_ -= sent;
  while (sent > 0) {
    std::size_t left = pieces_[first_].text().size() - offset_;
    if (sent < left) {
      offset_ += sent;
      break;
    }
    sent -= left;
    offset_ = 0;
    pieces_[first_++] = {};
  }
  if (first_ < kSentKept) return;
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

}  // namespace lode
