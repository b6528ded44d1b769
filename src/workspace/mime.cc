#include "workspace/mime.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace lode {
namespace {

struct Known {
  std::string_view extension;
  std::string_view type;
  bool text = true;
};

constexpr std::array kKnown = std::to_array<Known>({
    {"c", "text/x-csrc"},
    {"cc", "text/x-c++src"},
    {"cjs", "text/javascript"},
    {"cpp", "text/x-c++src"},
    {"css", "text/css"},
    {"csv", "text/csv"},
    {"cts", "text/typescript"},
    {"gif", "image/gif", false},
    {"h", "text/x-chdr"},
    {"htm", "text/html"},
    {"html", "text/html"},
    {"jpeg", "image/jpeg", false},
    {"jpg", "image/jpeg", false},
    {"js", "text/javascript"},
    {"json", "application/json"},
    {"jsx", "text/jsx"},
    {"markdown", "text/markdown"},
    {"md", "text/markdown"},
    {"mjs", "text/javascript"},
    {"mts", "text/typescript"},
    {"pdf", "application/pdf", false},
    {"png", "image/png", false},
    {"py", "text/x-python"},
    {"sh", "application/x-shellscript"},
    {"svg", "image/svg+xml"},
    {"toml", "application/toml"},
    {"ts", "text/typescript"},
    {"tsx", "text/tsx"},
    {"txt", "text/plain"},
    {"yaml", "application/yaml"},
    {"yml", "application/yaml"},
});

const Known* find_known(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const auto extension = name.substr(dot + 1);
  const auto* at = std::find_if(kKnown.begin(), kKnown.end(),
                                [&](const Known& known) { return known.extension == extension; });
  return at == kKnown.end() ? nullptr : at;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  return out;
}

bool is_text(std::string_view head) {
  if (head.find('\0') != std::string_view::npos) return false;
  if (valid_utf8(head)) return true;
  // The last character may be cut off: a first byte and up to two that follow.
  for (std::size_t cut = 1; cut <= 3 && cut <= head.size(); ++cut) {
    const auto byte = static_cast<unsigned char>(head[head.size() - cut]);
    if (byte >= 0xC0) return valid_utf8(head.substr(0, head.size() - cut));
  }
  return false;
}

bool announces_itself(std::string_view head) {
  return head.starts_with("#!") || head.find_first_of("<{[%") == 0;
}

}  // namespace

bool MimeTypes::textual(std::string_view type) const {
  const auto* known = std::find_if(kKnown.begin(), kKnown.end(),
                                   [&](const Known& one) { return one.type == type; });
  return known != kKnown.end() ? known->text : database_.textual(type);
}

std::vector<std::string_view> MimeTypes::by_name(std::string_view name) const {
  const std::string folded = lower(name);
  const std::array<std::string_view, 2> spellings = {name, folded};
  for (const auto one : spellings) {
    auto types = database_.types_of_name(one, one != name);
    if (!types.empty()) return types;
  }
  for (const auto one : spellings) {
    auto types = database_.types_of_pattern(one, one != name);
    if (const Known* known = find_known(one)) types.insert(types.begin(), known->type);
    if (!types.empty()) return types;
  }
  return {};
}

std::string MimeTypes::by_content(std::string_view head, bool text) {
  std::string found;
  if (!text || announces_itself(head)) found = magic_.type(head);
  if (found.empty()) found = text ? kTextType : kBinaryType;
  return found;
}

std::string MimeTypes::type(std::string_view name, std::string_view head) {
  const auto types = by_name(name.substr(name.rfind('/') + 1));
  if (head.empty()) return std::string(types.empty() ? kTextType : types.front());
  const bool text = is_text(head);
  const auto first_that_is = [&](bool wanted) {
    return std::find_if(types.begin(), types.end(),
                        [&](std::string_view type) { return textual(type) == wanted; });
  };
  if (const auto agrees = first_that_is(text); agrees != types.end()) return std::string(*agrees);
  std::string found = by_content(head, text);
  // Text in an older encoding is text, as its name says.
  const auto agrees = first_that_is(textual(found));
  const bool older = !text && textual(found) && agrees != types.end();
  return older ? std::string(*agrees) : found;
}

std::string mime_type(std::string_view name, std::string_view head) {
  static MimeTypes types("/usr/share/mime", "libmagic.so.1");
  return types.type(name, head);
}

}  // namespace lode
