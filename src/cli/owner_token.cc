#include "cli/owner_token.h"

#include <fmt/format.h>

#include <utility>

#include "base/random.h"

namespace lode {
namespace {

constexpr std::size_t kTokenBytes = 24;
constexpr std::chrono::seconds kLockTime{10};

bool is_token(const std::string& text) {
  return text.size() == 2 * kTokenBytes &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Error no_token(const std::string& path) {
  return invalid(fmt::format(
      "{} is no token: that is {} hexadecimal digits (0-9, a-f) and nothing else, no line end "
      "either. Take the file away, or let `lode token rotate` write a new one",
      path, 2 * kTokenBytes));
}

}  // namespace

OwnerToken::OwnerToken(const std::string& state_dir, Tell tell)
    : tell_(std::move(tell)),
      file_(state_dir + "/token", kLockTime, [told = tell_](const std::string& lock) {
        told(fmt::format("waiting for another process to release {}, for {} s at most", lock,
                         kLockTime.count()));
      }) {}

std::optional<std::string> OwnerToken::look() const {
  auto contents = file_.read();
  if (!contents || !is_token(contents->bytes)) return std::nullopt;
  return std::move(contents->bytes);
}

// A second server must not shut out those who have it from the first.
Result<std::string> OwnerToken::keep() const {
  auto kept = file_.read();
  if (kept && is_token(kept->bytes)) return std::move(kept->bytes);
  const auto problem = kept ? invalid("it is empty") : kept.error();
  if (kept ? !kept->bytes.empty() : problem.code == Code::invalid) return no_token(path());
  auto made = file_.update([](const std::string* now) {
    return now != nullptr && is_token(*now) ? *now : random_hex(kTokenBytes);
  });
  if (made && problem.code != Code::not_found) {
    tell_(
        fmt::format("{} did not count, since {}; there is a new one now", path(), problem.message));
  }
  return made;
}

Result<std::string> OwnerToken::rotate() const {
  return file_.update([](const std::string*) { return random_hex(kTokenBytes); });
}

}  // namespace lode
