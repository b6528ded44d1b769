#include "engine/cursor.h"

#include "base/base64.h"

namespace lode {

std::string Cursor::encode(List list) const {
  std::string plain(1, static_cast<char>(list));
  plain += provider;
  plain += '\n';
  plain += key;
  return base64url_encode(plain);
}

Result<Cursor> Cursor::decode(List list, std::string_view text) {
  if (text.empty()) return Cursor{};
  const auto plain = base64url_decode(text);
  const auto end = plain ? plain->find('\n') : std::string::npos;
  if (end == std::string::npos || end < 2 || plain->front() != static_cast<char>(list)) {
    return invalid("the cursor is not one that this list gave out; start again without one");
  }
  return Cursor{plain->substr(1, end - 1), plain->substr(end + 1)};
}

}  // namespace lode
