// A short name for bytes: equal bytes have equal names, and different ones
// differ unless somebody tried hard (it is no cryptographic hash).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lode {

// 32 hexadecimal digits (XXH3, 128 bits).
std::string content_hash(std::string_view bytes);

// For tables in memory (XXH3, 64 bits).
std::uint64_t table_hash(std::string_view bytes);

}  // namespace lode
