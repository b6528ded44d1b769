#include "transport/http_reply.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "transport/http_connection.h"

namespace lode {

namespace {

// Sockets get a turn after so many pieces of work.
constexpr int kWorkPerTurn = 256;

// Calls work(connection, request) on the server's thread, if there is still a
// connection.
template <class Work>
void on_connection(HttpTicket ticket, Work work) {
  if (!ticket.mailbox) return;
  auto mailbox = std::move(ticket.mailbox);
  mailbox->run([connection = std::move(ticket.connection), request = ticket.request,
                work = std::move(work)]() mutable {
    if (auto alive = connection.lock()) work(*alive, request);
  });
}

// A connection that no longer exists has lost the request: the callback is due.
void register_close(const HttpTicket& ticket, std::function<void()> gone) {
  if (!ticket.mailbox) return;
  ticket.mailbox->run([ticket, gone = std::move(gone)]() mutable {
    auto alive = ticket.connection.lock();
    if (alive && !alive->lost(ticket.request)) {
      alive->on_close(ticket.request, std::move(gone));
    } else {
      ticket.mailbox->later(std::move(gone));
    }
  });
}

}  // namespace

// --- the mailbox -------------------------------------------------------------

bool Mailbox::may_run_now() {
  Lock lock(mutex_);
  return io_ != nullptr && queue_.empty() && io_->get_executor().running_in_this_thread();
}

void Mailbox::later(std::function<void()> work) {
  Lock lock(mutex_);
  if (io_ == nullptr) return;
  queue_.push_back(std::move(work));
  if (!scheduled_) schedule();
}

void Mailbox::close() {
  // Destroyed after the lock is released: work may own what calls us back.
  std::deque<std::function<void()>> dropped;
  Lock lock(mutex_);
  io_ = nullptr;
  dropped.swap(queue_);
}

void Mailbox::schedule() {
  scheduled_ = true;
  boost::asio::post(*io_, [self = shared_from_this()] { self->drain(); });
}

void Mailbox::drain() {
  for (int i = 0; i < kWorkPerTurn; ++i) {
    std::function<void()> work = take();
    if (!work) break;
    work();
  }
  Lock lock(mutex_);
  scheduled_ = false;
  if (!queue_.empty()) schedule();
}

std::function<void()> Mailbox::take() {
  Lock lock(mutex_);
  if (queue_.empty()) return nullptr;
  std::function<void()> work = std::move(queue_.front());
  queue_.pop_front();
  return work;
}

// --- the handles -------------------------------------------------------------

HttpStream::HttpStream(HttpTicket ticket) : ticket_(std::move(ticket)) {}

void HttpStream::write(std::string bytes, MemoryCharge charge) {
  on_connection(ticket_, [bytes = std::move(bytes), charge = std::move(charge)](
                             HttpConnection& connection, std::uint64_t request) mutable {
    connection.write(request, std::move(bytes), std::move(charge));
  });
}

void HttpStream::close() {
  on_connection(ticket_, [](HttpConnection& connection, std::uint64_t request) {
    connection.finish(request);
  });
}

void HttpStream::on_close(std::function<void()> gone) { register_close(ticket_, std::move(gone)); }

void HttpLoop::run(std::function<void()> work) const { mailbox_->later(std::move(work)); }

HttpReply::HttpReply(HttpTicket ticket) : ticket_(std::move(ticket)) {}

HttpReply::HttpReply(HttpReply&& other) noexcept : ticket_(std::exchange(other.ticket_, {})) {}

HttpReply& HttpReply::operator=(HttpReply&& other) noexcept {
  HttpReply dropped(std::move(*this));
  ticket_ = std::exchange(other.ticket_, {});
  return *this;
}

HttpReply::~HttpReply() {
  if (ticket_.mailbox) {
    send({500, {{"Content-Type", "text/plain; charset=utf-8"}}, "the request got no answer\n"});
  }
}

void HttpReply::send(HttpResponse response) {
  on_connection(
      std::exchange(ticket_, {}),
      [response = std::move(response)](HttpConnection& connection, std::uint64_t request) mutable {
        connection.send(request, std::move(response));
      });
}

HttpStream HttpReply::open(HttpHeaders headers) {
  HttpTicket ticket = std::exchange(ticket_, {});
  on_connection(ticket,
                [headers = std::move(headers)](HttpConnection& connection, std::uint64_t request) {
                  connection.open(request, headers);
                });
  return HttpStream(std::move(ticket));
}

void HttpReply::on_close(std::function<void()> gone) { register_close(ticket_, std::move(gone)); }

HttpLoop HttpReply::loop() const { return HttpLoop(ticket_.mailbox); }

std::optional<uid_t> HttpReply::peer_uid() const {
  const auto connection = ticket_.connection.lock();
  return connection ? connection->peer_uid() : std::nullopt;
}

void HttpReply::trust() {
  if (const auto connection = ticket_.connection.lock()) connection->trust();
}

}  // namespace lode
