// Strings as YAML text, in each style.
#include <fmt/format.h>

#include <algorithm>

#include "store/yaml_scalar.h"
#include "store/yaml_write.h"

namespace lode {
namespace {

constexpr std::size_t kFoldWidth = 80;

// What may not stand in a text as it is: controls, and the characters that
// YAML 1.1 takes for line breaks or refuses. A length of 0: the next is fine.
std::size_t special_length(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
  if (rest.size() > 1 && byte(0) == 0xC2 && byte(1) < 0xA0) return 2;
  for (const std::string_view special :
       {"\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBB\xBF", "\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    if (rest.starts_with(special)) return 3;
  }
  return 0;
}

bool printable(std::string_view text, std::string_view but_allowed = "") {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (but_allowed.find(text[i]) == but_allowed.npos && special_length(text.substr(i)) != 0) {
      return false;
    }
  }
  return true;
}

void append_escape(std::string& out, std::string_view special) {
  static constexpr std::string_view kShort("\0\a\b\t\n\v\f\r\x1b", 9);
  static constexpr std::string_view kLetters = "0abtnvfre";
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(special[i]) & 0x3FU; };
  const unsigned first = static_cast<unsigned char>(special[0]);
  if (special.size() == 3) {
    out += fmt::format("\\u{:04X}", ((first & 0xFU) << 12U) | (byte(1) << 6U) | byte(2));
  } else if (special.size() == 2) {
    out += fmt::format("\\x{:02X}", ((first & 0x1FU) << 6U) | byte(1));
  } else if (const auto at = kShort.find(special[0]); at != kShort.npos) {
    out += '\\';
    out += kLetters[at];
  } else {
    out += fmt::format("\\x{:02X}", first);
  }
}

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const auto special = special_length(text);
    if (special != 0) {
      append_escape(out, text.substr(0, special));
    } else {
      if (text[0] == '"' || text[0] == '\\') out += '\\';
      out += text[0];
    }
    text.remove_prefix(std::max<std::size_t>(special, 1));
  }
  return out + '"';
}

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += c;
    out += c;
  }
  return out + '\'';
}

// Nothing in it means something to a parser. What it means to a schema is
// ambiguous()'s matter.
bool plain_characters(std::string_view text, bool in_flow) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != text.npos) return false;
  if (text.starts_with("...") || !printable(text)) return false;
  if (in_flow && text.find_first_of(",[]{}:?#") != text.npos) return false;
  return text.find(": ") == text.npos && text.find(" #") == text.npos;
}

std::string_view first_line_with_content(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
  return text.substr(0, text.find('\n'));
}

// Breaks a line at single blanks so that it is read as one again.
void append_folded(std::string& out, std::string_view line, const std::string& indent,
                   std::string_view eol) {
  while (indent.size() + line.size() > kFoldWidth) {
    auto at = line.rfind(' ', kFoldWidth > indent.size() ? kFoldWidth - indent.size() : 0);
    if (at == line.npos || at == 0) at = line.find(' ', 1);
    while (at != line.npos && at > 0 &&
           (line[at - 1] == ' ' || at + 1 == line.size() || line[at + 1] == ' ' ||
            line[at + 1] == '\t')) {
      at = line.find(' ', at + 1);
    }
    if (at == line.npos) break;
    out.append(indent).append(line.substr(0, at)).append(eol);
    line.remove_prefix(at + 1);
  }
  out.append(indent).append(line).append(eol);
}

std::optional<YamlText> block_string(std::string_view text, bool folded, const YamlPlace& place,
                                     const YamlLayout& layout) {
  const auto body_size = text.find_last_not_of('\n') + 1;  // 0 if there is none
  if (body_size == 0 || !printable(text, "\n\t")) return std::nullopt;
  const auto body = text.substr(0, body_size);
  const auto column =
      place.children.value_or(place.column + std::max<std::size_t>(layout.indent, 1));
  const std::string indent(column, ' ');
  YamlText out{folded ? ">" : "|", ""};
  const char first = first_line_with_content(body)[0];
  if (first == ' ' || first == '\t') {
    if (folded || column <= place.column || column - place.column > 9) return std::nullopt;
    out.head += fmt::format("{}", column - place.column);
  }
  if (folded &&
      (body[0] == '\n' || body.find("\n ") != body.npos || body.find("\n\t") != body.npos)) {
    return std::nullopt;  // such lines are not folded: other rules hold
  }
  const auto breaks = text.size() - body_size;
  if (breaks != 1) out.head += breaks == 0 ? '-' : '+';
  for (std::string_view rest = body;;) {
    const auto end = rest.find('\n');
    const auto line = rest.substr(0, end);
    if (line.empty()) {
      out.tail += layout.eol;
    } else if (folded) {
      append_folded(out.tail, line, indent, layout.eol);
    } else {
      out.tail.append(indent).append(line).append(layout.eol);
    }
    if (end == rest.npos) break;
    rest.remove_prefix(end + 1);
    if (folded && !line.empty()) out.tail += layout.eol;
  }
  for (std::size_t i = 1; i < breaks; ++i) out.tail += layout.eol;
  return out;
}

}  // namespace

std::optional<YamlText> yaml_string(std::string_view text, YamlStyle style, bool in_flow,
                                    const YamlPlace& place, const YamlLayout& layout) {
  switch (style) {
    case YamlStyle::plain:
      if (!plain_characters(text, in_flow) || ambiguous(text)) return std::nullopt;
      return YamlText{std::string(text), ""};
    case YamlStyle::single_quoted:
      if (!printable(text)) return std::nullopt;
      return YamlText{single_quoted(text), ""};
    case YamlStyle::double_quoted: return YamlText{double_quoted(text), ""};
    case YamlStyle::literal:
    case YamlStyle::folded:
      if (in_flow) return std::nullopt;
      return block_string(text, style == YamlStyle::folded, place, layout);
    default: return std::nullopt;
  }
}

}  // namespace lode
