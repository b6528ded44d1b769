// The handles that answer requests: they turn calls from any thread into calls
// of the connection on the server's thread.
#include <utility>

#include "transport/http_connection.h"
#include "transport/http_server.h"

namespace lode {

namespace {

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
