// Reads one HTTP response as its bytes arrive, and the messages in it: the whole
// body, or the data of each server-sent event.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace lode::bench {

class HttpReader {
 public:
  using OnMessage = std::function<void(std::string_view)>;

  // False: this is not HTTP. Calls back for every message that became whole.
  bool feed(std::string_view bytes, const OnMessage& on_message);
  void reset();

  bool done() const { return state_ == State::done; }
  bool closes() const { return closes_; }
  int status() const { return status_; }
  const std::string& session() const { return session_; }
  const std::string& body() const { return body_; }

 private:
  enum class State : unsigned char {
    head,
    sized,
    chunk_size,
    chunk,
    chunk_end,
    trailer,
    until_end,
    done
  };

  bool step(const OnMessage& on_message, bool& progress);
  bool read_head(std::string_view head);
  void read_field(std::string_view name, std::string_view value);
  bool read_line(std::string_view line);
  void take_body(std::string_view bytes, const OnMessage& on_message);
  void take_event_line(std::string_view line, const OnMessage& on_message);
  void finish(const OnMessage& on_message);

  State state_ = State::head;
  std::string in_;
  std::size_t at_ = 0;  // what of in_ is done with
  int status_ = 0;
  std::size_t left_ = 0;
  bool sized_ = false;
  bool chunked_ = false;
  bool events_ = false;
  bool closes_ = false;
  std::string session_;
  std::string body_;
  std::string line_;
  std::string data_;
};

}  // namespace lode::bench
