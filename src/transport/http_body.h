// The body of one request, taken from bytes that arrive piece by piece: counted
// by Content-Length, or in chunks. Trailers are checked and dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lode {

// A control character other than a tab: never part of a line of ours.
bool is_http_control(char c);

class HttpBody {
 public:
  enum class Step { more, done, bad, too_long };

  // extra: how many bytes of chunk extensions and trailers are borne.
  HttpBody(std::size_t limit, std::size_t extra) : limit_(limit), extra_(extra) {}

  // One of these first.
  void expect_length(std::uint64_t length);
  void expect_chunks() { part_ = Part::size; }

  // Takes bytes from the front of input, appends the body's, and adds to used
  // how many were taken; the rest must be the front of the next call's input.
  Step feed(std::string_view input, std::size_t& used, std::string& body);

  // After bad: what is wrong.
  std::string_view why() const { return why_; }

 private:
  enum class Part : std::uint8_t { counted, size, data, data_end, trailers, whole };

  bool step(std::string_view& input, std::string& body);
  bool take_data(std::string_view& input, std::string& body);
  bool take_size(std::string_view& input, const std::string& body);
  bool take_data_end(std::string_view& input);
  bool take_trailer(std::string_view& input);
  bool take_line(std::string_view& input, std::string_view& line);
  bool bad(std::string_view why);

  std::size_t limit_;
  std::size_t extra_;
  std::uint64_t left_ = 0;  // of the chunk, or of the counted body
  std::string_view why_;
  Part part_ = Part::whole;
  Step state_ = Step::more;
};

}  // namespace lode
