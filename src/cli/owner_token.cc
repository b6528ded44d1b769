#include "cli/owner_token.h"

#include "base/random.h"

namespace lode {
namespace {

constexpr std::size_t kTokenBytes = 24;

bool is_token(const std::string& text) {
  return text.size() == 2 * kTokenBytes &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::optional<std::string> OwnerToken::look() const {
  auto contents = file_.read();
  if (!contents || !is_token(contents->bytes)) return std::nullopt;
  return std::move(contents->bytes);
}

// A second server must not shut out those who have it from the first.
Result<std::string> OwnerToken::keep() const {
  if (auto kept = look()) return *std::move(kept);
  return file_.update([](const std::string* now) {
    return now != nullptr && is_token(*now) ? *now : random_hex(kTokenBytes);
  });
}

Result<std::string> OwnerToken::rotate() const {
  return file_.update([](const std::string*) { return random_hex(kTokenBytes); });
}

}  // namespace lode
