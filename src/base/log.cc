#include "base/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <string>

#include "base/json.h"
#include "base/utf8.h"

namespace lode {
namespace {

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warning: return "warning";
    case LogLevel::error: return "error";
    case LogLevel::off: return "off";
  }
  return "off";
}

std::string now() {
  using std::chrono::system_clock;
  const auto time = system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(system_clock::to_time_t(time)),
                     ms.count() % 1000);
}

// Control characters in a value must not reach a terminal as such.
void append_text_value(std::string& out, std::string_view value) {
  const bool plain = value.find_first_of(" \"=\\") == std::string_view::npos && !value.empty();
  if (plain) {
    out += visible(value);
    return;
  }
  std::string quoted;
  for (const char c : value) quoted.append(c == '"' || c == '\\' ? "\\" : "").append(1, c);
  out.append("\"").append(visible(quoted)).append("\"");
}

}  // namespace

Log Log::to_stderr(LogLevel least) {
  return {STDERR_FILENO, isatty(STDERR_FILENO) == 1 ? Form::text : Form::json, least};
}

void Log::write(LogLevel level, std::string_view event, Fields fields) {
  if (level < least_ || fd_ < 0) return;
  std::string line;
  if (form_ == Form::json) {
    JsonWriter w(line);
    w.begin_object().member("time", now()).member("level", name_of(level)).member("event", event);
    for (const auto& [name, value] : fields) w.member(name, value);
    w.end_object();
  } else {
    line = fmt::format("{} {:<7} {}", now(), name_of(level), event);
    for (const auto& [name, value] : fields) {
      line.append(" ").append(name).append("=");
      append_text_value(line, value);
    }
  }
  line += '\n';
  // A log line that cannot be written has nowhere to be reported.
  [[maybe_unused]] const auto written = ::write(fd_, line.data(), line.size());
}

}  // namespace lode
