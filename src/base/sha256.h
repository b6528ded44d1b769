// SHA-256: a name for bytes that nobody can give to other bytes. For names that
// need not withstand an attacker, base/hash.h is much faster.
#pragma once

#include <string>
#include <string_view>

namespace lode {

// 32 raw bytes.
std::string sha256(std::string_view bytes);
// 64 hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace lode
