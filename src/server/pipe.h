// One client on a pipe (stdio, or a test's memory): one message a line, both
// eras side by side.
//
// receive() is called by one thread at a time; answers are written to the sink
// from any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "server/in_flight.h"
#include "server/server.h"
#include "transport/line_sink.h"

namespace lode {

class Pipe {
 public:
  // REQUIRES: the server outlives the pipe.
  Pipe(Server& server, Principal who, std::shared_ptr<LineSink> sink);
  // close().
  ~Pipe();

  void receive(std::string_view line);
  // A line that was too long to be taken in; id: of its request, if it is known.
  void refuse(std::string why, std::string_view id = {});

  // True if no request waits for its answer. An open subscription waits too.
  bool idle();
  // Cancels requests, forgets the session.
  void close();

 private:
  void take(const std::shared_ptr<const JsonDocument>& document, JsonView value,
            const std::shared_ptr<Outlet>& outlet);
  void take_request(const std::shared_ptr<const JsonDocument>& document, Message message,
                    bool claims, const std::shared_ptr<Outlet>& outlet);
  void take_batch(const std::shared_ptr<const JsonDocument>& document);
  void initialize(const Message& message, Outlet& outlet);

  Server& server_;
  const Principal who_;
  const std::shared_ptr<LineSink> sink_;
  const std::shared_ptr<InFlight> in_flight_;
  std::shared_ptr<Session> session_;
};

}  // namespace lode
