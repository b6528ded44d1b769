// Structured logs on standard error: an event, and named values.
//
//   log.info("request", {{"method", method}, {"ms", "3"}});
//
// Text for a person on a terminal, one JSON object a line otherwise. Any
// thread may log; a line is written with one call. Values must never hold
// tokens or contents of resources.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

namespace lode {

enum class LogLevel : int { debug, info, warning, error, off };

class Log {
 public:
  using Field = std::pair<std::string_view, std::string_view>;
  using Fields = std::initializer_list<Field>;
  enum class Form { text, json };

  // Writes to the descriptor, which stays the caller's.
  Log(int descriptor, Form form, LogLevel least) : fd_(descriptor), form_(form), least_(least) {}

  // Standard error, as text if it is a terminal.
  static Log to_stderr(LogLevel least);
  // Nowhere.
  static Log silent() { return {-1, Form::text, LogLevel::off}; }

  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  bool enabled(LogLevel level) const { return level >= least_; }
  void debug(std::string_view event, Fields fields = {}) { write(LogLevel::debug, event, fields); }
  void info(std::string_view event, Fields fields = {}) { write(LogLevel::info, event, fields); }
  void warning(std::string_view event, Fields fields = {}) {
    write(LogLevel::warning, event, fields);
  }
  void error(std::string_view event, Fields fields = {}) { write(LogLevel::error, event, fields); }

 private:
  void write(LogLevel level, std::string_view event, Fields fields);

  const int fd_;
  const Form form_;
  const LogLevel least_;
};

}  // namespace lode
