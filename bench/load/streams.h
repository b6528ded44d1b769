// Many clients that listen for one resource and wait.
#pragma once

#include "http_driver.h"

namespace lode::bench {

struct Heard {
  double first_ms = 0;  // from the change to the first listener who heard
  double last_ms = 0;   // and to the last
};

class Streams {
 public:
  Streams(Process& process, const ServerSpec& spec, const StreamSpec& streams);
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  // Opens them all; returns when each was acknowledged.
  void open();
  // Makes a change and waits until everybody heard.
  Heard change();

 private:
  struct Stream {
    int fd = -1;
    std::string out;
    std::string in;  // what came since the last message we waited for
  };

  void start(Stream& stream);
  void trigger();
  // Reads what came; counts the streams that held `wanted`.
  void step(std::string_view wanted);
  void receive(Stream& stream, std::string_view wanted);

  Process& process_;
  const ServerSpec& spec_;
  const StreamSpec& streams_spec_;
  const Url url_;
  const Request request_;
  int epoll_ = -1;
  std::vector<Stream> streams_;
  std::size_t count_ = 0;
  Nanoseconds first_ = 0;
  Nanoseconds last_ = 0;
};

}  // namespace lode::bench
