// Numbers in as few bytes as they need: seven bits a byte, the lowest first;
// the last byte is below 128.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace lode {

// Out: anything with push_back(char).
template <class Out>
void put_varint(Out& out, std::uint64_t value) {
  for (; value >= 128; value >>= 7) out.push_back(static_cast<char>(value | 128));
  out.push_back(static_cast<char>(value));
}

// How many bytes that takes.
inline std::uint32_t varint_size(std::uint32_t value) {
  return (static_cast<std::uint32_t>(std::bit_width(value | 1U)) + 6) / 7;
}

// The same to where there is room for it; where the next byte goes.
inline char* write_varint(char* at, std::uint32_t value) {
  for (; value >= 128; value >>= 7) *at++ = static_cast<char>(value | 128);
  *at++ = static_cast<char>(value);
  return at;
}

// A length, and so many bytes.
inline void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

// Reads what this program wrote into its own memory: nothing is checked.
inline std::uint32_t next_varint(const char*& at) {
  auto byte = static_cast<unsigned char>(*at++);
  std::uint32_t value = byte & 127U;
  for (unsigned shift = 7; byte >= 128; shift += 7) {
    byte = static_cast<unsigned char>(*at++);
    value |= (byte & 127U) << shift;
  }
  return value;
}

// Reads what somebody wrote: after the first failure everything is zero or
// empty, and ok() is false.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }
  void fail() {
    ok_ = false;
    bytes_ = {};
  }

  // A number; a failure if it is greater than `most`.
  std::uint64_t number(std::uint64_t most) {
    if (!bytes_.empty() && static_cast<unsigned char>(bytes_.front()) < 128) {
      const auto value = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      return value <= most ? value : (fail(), 0);
    }
    return long_number(most);
  }
  std::uint32_t number32() { return static_cast<std::uint32_t>(number(UINT32_MAX)); }

  // So many bytes.
  std::string_view take(std::uint64_t n) {
    if (n > bytes_.size()) fail();
    if (!ok_) return {};
    const auto piece = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return piece;
  }
  // What put_text() wrote.
  std::string_view text() { return take(number(bytes_.size())); }

 private:
  std::uint64_t long_number(std::uint64_t most) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 127U) << shift;
      if (byte < 128) return value <= most ? value : (fail(), 0);
    }
    fail();
    return 0;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace lode
