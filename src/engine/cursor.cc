#include "engine/cursor.h"

#include <charconv>

#include "base/base64.h"

namespace lode {

std::string Cursor::encode(List list) const {
  std::string plain(1, static_cast<char>(list));
  plain.append(provider).append("\n").append(std::to_string(before)).append("\n").append(key);
  return base64url_encode(plain);
}

Result<Cursor> Cursor::decode(List list, std::string_view text) {
  if (text.empty()) return Cursor{};
  const auto plain = base64url_decode(text).value_or("");
  const auto name_end = plain.find('\n');
  const auto count_end = plain.find('\n', name_end + 1);
  Cursor cursor;
  if (name_end != std::string::npos && count_end != std::string::npos && name_end > 1 &&
      plain.front() == static_cast<char>(list)) {
    const char* const end = plain.data() + count_end;
    const auto count = std::from_chars(plain.data() + name_end + 1, end, cursor.before);
    cursor.provider = plain.substr(1, name_end - 1);
    cursor.key = plain.substr(count_end + 1);
    if (count.ec == std::errc() && count.ptr == end) return cursor;
  }
  return invalid("the cursor is not one that this list gave out; start again without one");
}

}  // namespace lode
