#include "providers/files/readable.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8.h"

namespace lode {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// The length of the character at the front; 0: there is none.
std::size_t character_length(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return bytes.size() >= length && valid_utf8(bytes.substr(0, length)) ? length : 0;
}

}  // namespace

bool is_binary(std::string_view bytes) {
  return !bytes.empty() && std::memchr(bytes.data(), '\0', bytes.size()) != nullptr;
}

std::string shown(std::string bytes) {
  if (valid_utf8(bytes)) return bytes;
  std::string out;
  out.reserve(bytes.size());
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto length = character_length(rest);
    out.append(length == 0 ? kReplacement : rest.substr(0, length));
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

void end_lines_in_lf(std::string& text) {
  if (text.find('\r') == text.npos) return;
  std::size_t to = 0;
  for (std::size_t from = 0; from < text.size(); ++from) {
    if (text[from] == '\r' && from + 1 < text.size() && text[from + 1] == '\n') continue;
    text[to++] = text[from];
  }
  text.resize(to);
}

std::string readable(std::string bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  end_lines_in_lf(bytes);
  return shown(std::move(bytes));
}

void append_cut(std::string& out, std::string_view line, std::size_t at, std::size_t most) {
  if (line.size() <= most) {
    out += line;
    return;
  }
  // A third of it stands before the place, as far as there is something.
  std::size_t begin = std::min(at - std::min(at, most / 3), line.size() - most);
  std::size_t end = begin + most;
  while (begin > 0 && continues(line[begin])) --begin;
  while (end < line.size() && continues(line[end])) ++end;
  if (begin > 0) out += kEllipsis;
  out += line.substr(begin, end - begin);
  if (end < line.size()) out += kEllipsis;
}

std::size_t line_begin(std::string_view text, std::size_t offset) {
  const auto before = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  return before == text.npos ? 0 : before + 1;
}

std::size_t line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::size_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace lode
