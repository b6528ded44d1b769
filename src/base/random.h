// Bytes that nobody can guess, from the system's random source.
#pragma once

#include <cstddef>
#include <string>

namespace lode {

// From the kernel, not from OpenSSL, whose set-up costs every start a millisecond or
// two, and most runs never need it. The process ends if there are none: a key that is
// not random is none.
void random_bytes(unsigned char* out, std::size_t size);

// So many bytes, in hexadecimal.
std::string random_hex(std::size_t bytes);

}  // namespace lode
