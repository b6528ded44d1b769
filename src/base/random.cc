#include "base/random.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <vector>

namespace lode {

void random_bytes(unsigned char* out, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::getrandom(out, size, 0);
    if (n < 0 && errno != EINTR) std::abort();
    if (n < 0) continue;
    out += n;
    size -= static_cast<std::size_t>(n);
  }
}

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> raw(bytes);
  random_bytes(raw.data(), bytes);
  std::string out;
  for (const unsigned char byte : raw) fmt::format_to(std::back_inserter(out), "{:02x}", byte);
  return out;
}

}  // namespace lode
