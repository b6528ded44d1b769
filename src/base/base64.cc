#include "base/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lode {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlSafe =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Two characters for each twelve bits: half the look-ups of one for each six.
using Pairs = std::array<std::array<char, 2>, 4096>;
// The six bits of a character, or kNone.
using Bits = std::array<std::uint8_t, 256>;
constexpr std::uint8_t kNone = 0xFF;

constexpr Pairs make_pairs(std::string_view alphabet) {
  Pairs pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {alphabet[i >> 6], alphabet[i & 63]};
  return pairs;
}

constexpr Bits make_bits(std::string_view alphabet) {
  Bits bits{};
  for (auto& entry : bits) entry = kNone;
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    bits[static_cast<std::uint8_t>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return bits;
}

constexpr Pairs kStandardPairs = make_pairs(kStandard);
constexpr Pairs kUrlSafePairs = make_pairs(kUrlSafe);
constexpr Bits kStandardBits = make_bits(kStandard);
constexpr Bits kUrlSafeBits = make_bits(kUrlSafe);

std::uint32_t byte(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

char* put(char* out, const std::array<char, 2>& pair) {
  *out++ = pair[0];
  *out++ = pair[1];
  return out;
}

// The characters of the one or two bytes that three do not divide.
char* encode_rest(const Pairs& pairs, std::string_view rest, char* out) {
  if (rest.size() == 1) return put(out, pairs[byte(rest, 0) << 4]);
  const std::uint32_t bits = byte(rest, 0) << 16 | byte(rest, 1) << 8;
  out = put(out, pairs[bits >> 12]);
  *out++ = pairs[bits & 0xFFF][0];
  return out;
}

std::string encode(const Pairs& pairs, std::string_view bytes, bool padded) {
  const std::size_t rest = bytes.size() % 3;
  const std::size_t whole = bytes.size() - rest;
  const std::size_t tail = rest == 0 ? 0 : (padded ? 4 : rest + 1);
  std::string text(whole / 3 * 4 + tail, '=');
  char* out = text.data();
  for (std::size_t i = 0; i < whole; i += 3) {
    const std::uint32_t bits = byte(bytes, i) << 16 | byte(bytes, i + 1) << 8 | byte(bytes, i + 2);
    out = put(put(out, pairs[bits >> 12]), pairs[bits & 0xFFF]);
  }
  if (rest != 0) encode_rest(pairs, bytes.substr(whole), out);
  return text;
}

// Two or three characters at the end, for one or two bytes.
bool decode_rest(const Bits& table, std::string_view rest, std::string& bytes) {
  if (rest.empty()) return true;
  if (rest.size() == 1) return false;
  const std::uint32_t a = table[byte(rest, 0)];
  const std::uint32_t b = table[byte(rest, 1)];
  const std::uint32_t c = rest.size() == 3 ? table[byte(rest, 2)] : 0;
  if (((a | b | c) & 0xC0) != 0) return false;
  const std::uint32_t bits = a << 12 | b << 6 | c;
  const std::uint32_t surplus = rest.size() == 3 ? 0x3 : 0x3FF;
  if ((bits & surplus) != 0) return false;
  bytes.push_back(static_cast<char>(bits >> 10));
  if (rest.size() == 3) bytes.push_back(static_cast<char>(bits >> 2));
  return true;
}

// Text without padding.
std::optional<std::string> decode(const Bits& table, std::string_view text) {
  const std::size_t whole = text.size() - text.size() % 4;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  for (std::size_t i = 0; i < whole; i += 4) {
    const std::uint32_t a = table[byte(text, i)];
    const std::uint32_t b = table[byte(text, i + 1)];
    const std::uint32_t c = table[byte(text, i + 2)];
    const std::uint32_t d = table[byte(text, i + 3)];
    if (((a | b | c | d) & 0xC0) != 0) return std::nullopt;
    const std::uint32_t bits = a << 18 | b << 12 | c << 6 | d;
    const char group[] = {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8),
                          static_cast<char>(bits)};
    bytes.append(group, sizeof group);
  }
  if (!decode_rest(table, text.substr(whole), bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

std::string base64_encode(std::string_view bytes) { return encode(kStandardPairs, bytes, true); }

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  return decode(kStandardBits, text);
}

std::string base64url_encode(std::string_view bytes) { return encode(kUrlSafePairs, bytes, false); }

std::optional<std::string> base64url_decode(std::string_view text) {
  return decode(kUrlSafeBits, text);
}

}  // namespace lode
