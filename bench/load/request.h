// Requests as bytes, and what an answer says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan.h"

namespace lode::bench {

// Every id has the same number of digits, so that all answers to the same
// request have the same length.
inline constexpr std::uint64_t kFirstId = 1'000'000'000;

std::string_view protocol_version(Era era);

// The parts of a text between its placeholders.
class Pattern {
 public:
  explicit Pattern(std::string_view text);
  void write(std::string& out, std::uint64_t id, std::uint64_t n) const;

 private:
  enum class Hole : std::uint8_t { none, id, n };
  struct Part {
    std::string text;
    Hole after = Hole::none;
  };
  std::vector<Part> parts_;
};

// One method with its parameters, to be sent many times.
class Request {
 public:
  // params: an object, as JSON text; in the modern era the envelope is added.
  Request(std::string method, std::string_view params, Era era);

  const std::string& method() const { return method_; }
  std::string body(std::uint64_t id, std::uint64_t n) const;
  // The value of the Mcp-Name header; nothing for methods without one.
  std::optional<std::string> name(std::uint64_t n) const;

 private:
  std::string method_;
  Pattern body_;
  std::optional<Pattern> name_;
};

// The first request of a client, and what follows its answer (may be empty).
std::string hello(Era era);
std::string_view hello_method(Era era);
std::string_view after_hello(Era era);

struct Answer {
  bool message = false;  // it is a JSON-RPC message
  bool result = false;   // with a result
  std::uint64_t id = 0;  // 0: none, a notification
  std::string method;    // of a notification
};

// Validates the whole text.
Answer read_answer(std::string_view text);

}  // namespace lode::bench
