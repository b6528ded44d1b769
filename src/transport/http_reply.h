// How requests are answered from any thread: the handles, and the mailbox by which their
// calls become calls of the connection on the server's thread.
#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "transport/reply.h"

namespace lode {

class HttpConnection;

// Work for the one thread that runs an io_context, from any thread, in order.
//
// What one thread puts in before another is run before it, even when the second
// is the io thread itself: it may skip the queue only while the queue is empty.
// A plain post() would not keep that order, nor survive the io_context.
class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  // REQUIRES: io is alive until close().
  explicit Mailbox(boost::asio::io_context& io) : io_(&io) {}

  // Runs the work: at once on the io thread if nothing waits, else later there.
  // After close() it is dropped.
  template <class Work>
  void run(Work work) {
    if (may_run_now()) {
      work();
    } else {
      // A std::function wants work that can be copied; this cannot.
      later([owned = std::make_shared<Work>(std::move(work))] { (*owned)(); });
    }
  }

  // Runs the work on the io thread, never inside this call.
  void later(std::function<void()> work) LODE_EXCLUDES(mutex_);

  // Drops what waits and all that comes.
  void close() LODE_EXCLUDES(mutex_);

 private:
  bool may_run_now() LODE_EXCLUDES(mutex_);
  void schedule() LODE_REQUIRES(mutex_);
  void drain() LODE_EXCLUDES(mutex_);
  std::function<void()> take() LODE_EXCLUDES(mutex_);

  Mutex mutex_;
  boost::asio::io_context* io_ LODE_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> queue_ LODE_GUARDED_BY(mutex_);
  bool scheduled_ LODE_GUARDED_BY(mutex_) = false;
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpResponse {
  int status = 200;
  HttpHeaders headers;  // Content-Length, Date and Connection are added
  Payload body;
};

// Which request a handle answers. It keeps nothing alive but the mailbox, so
// handles may outlive the connection and the server.
struct HttpTicket {
  std::shared_ptr<Mailbox> mailbox;
  std::weak_ptr<HttpConnection> connection;
  std::uint64_t request = 0;
};

// A response body that is written piece by piece (server-sent events).
// Copyable handle; the last call is close(). After the peer has gone, writes
// are dropped. A stream that answers HEAD takes writes and drops them.
class HttpStream {
 public:
  HttpStream() = default;

  // Queues bytes; what the socket takes at once is sent at once. When more than
  // HttpLimits::pending_bytes wait behind the largest write that is under way,
  // the connection is closed and on_close runs.
  // The same happens where anything waits and the charge's share is over its
  // limits.
  void write(std::string bytes, MemoryCharge charge = {});
  // Ends the body once everything queued is written; the connection stays open
  // for the next request.
  void close();
  // Runs on the server's thread, once, when the peer is gone before close();
  // soon if it is gone already. Never inside a call of a handle, so the caller
  // may hold a lock that the callback takes.
  void on_close(std::function<void()> gone);

 private:
  friend class HttpReply;
  explicit HttpStream(HttpTicket ticket);

  HttpTicket ticket_;
};

// The server's thread, for others.
class HttpLoop {
 public:
  // Runs the work there, never inside this call; drops it if the server is gone. Any
  // thread.
  void run(std::function<void()> work) const;

 private:
  friend class HttpReply;
  explicit HttpLoop(std::shared_ptr<Mailbox> mailbox) : mailbox_(std::move(mailbox)) {}

  std::shared_ptr<Mailbox> mailbox_;
};

// The one answer to one request: send() or open(), once. Move-only.
class HttpReply {
 public:
  HttpReply(HttpReply&&) noexcept;
  HttpReply& operator=(HttpReply&&) noexcept;
  ~HttpReply();

  // Answers whole.
  void send(HttpResponse response);
  // Answers 200 with a body that follows piece by piece, in chunks. Quiet
  // streams get a keep-alive comment (": \n\n") every HttpLimits::keep_alive.
  HttpStream open(HttpHeaders headers);
  // Runs on the server's thread, once, when the peer goes away before this
  // reply (or the stream that open() made) is complete. Like HttpStream's, never
  // inside a call of a handle. Register before send() or open().
  void on_close(std::function<void()> gone);

  // REQUIRES: not answered.
  HttpLoop loop() const;

  // On the server's thread:
  // The user at the other end (peer_uid.h), asked of the kernel once for each
  // connection; nothing if it cannot say.
  std::optional<uid_t> peer_uid() const;
  // The peer has shown who it is: its connection is not closed to make room.
  void trust();

 private:
  friend class HttpConnection;
  explicit HttpReply(HttpTicket ticket);

  HttpTicket ticket_;  // its mailbox is null once answered
};

}  // namespace lode
