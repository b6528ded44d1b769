#include "base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

namespace lode {

std::string sha256(std::string_view bytes) {
  std::string digest(32, '\0');
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), &size,
             EVP_sha256(), nullptr);
  return digest;
}

std::string sha256_hex(std::string_view bytes) {
  std::string out;
  for (const char byte : sha256(bytes))
    out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

}  // namespace lode
