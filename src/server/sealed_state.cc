#include "server/sealed_state.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/random.h>

#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/base64.h"

namespace lode {
namespace {

constexpr std::size_t kNonce = 12;
constexpr std::size_t kTag = 16;
constexpr std::size_t kExpiry = 8;

struct FreeCipher {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, FreeCipher>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

// From the kernel, not from OpenSSL, whose set-up costs every start a millisecond
// or two, and most runs never need it.
void random_bytes(unsigned char* out, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::getrandom(out, size, 0);
    if (n < 0 && errno != EINTR) std::abort();  // a key that is not random is none
    if (n < 0) continue;
    out += n;
    size -= static_cast<std::size_t>(n);
  }
}

std::string seconds_of(StateSeal::Clock::time_point time) {
  const auto seconds = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count());
  std::string out(kExpiry, '\0');
  std::memcpy(out.data(), &seconds, kExpiry);
  return out;
}

std::uint64_t seconds_from(std::string_view bytes) {
  std::uint64_t seconds = 0;
  std::memcpy(&seconds, bytes.data(), kExpiry);
  return seconds;
}

}  // namespace

StateSeal::StateSeal(std::chrono::seconds lifetime) : lifetime_(lifetime) {
  random_bytes(key_.data(), key_.size());
}

// Layout: nonce, expiry (authenticated with what it is bound to), ciphertext, tag.
std::string StateSeal::seal(std::string_view state, std::string_view bound_to,
                            Clock::time_point now) const {
  std::string out(kNonce, '\0');
  random_bytes(bytes_of(out), kNonce);
  const std::string expiry = seconds_of(now + lifetime_);
  std::string body(state.size(), '\0');
  std::string tag(kTag, '\0');
  int n = 0;
  const Cipher cipher(EVP_CIPHER_CTX_new());
  auto* c = cipher.get();
  [[maybe_unused]] const bool ok =
      EVP_EncryptInit_ex(c, EVP_aes_256_gcm(), nullptr, key_.data(), bytes_of(out)) == 1 &&
      EVP_EncryptUpdate(c, nullptr, &n, bytes_of(std::string_view(expiry)), kExpiry) == 1 &&
      EVP_EncryptUpdate(c, nullptr, &n, bytes_of(bound_to), static_cast<int>(bound_to.size())) ==
          1 &&
      EVP_EncryptUpdate(c, bytes_of(body), &n, bytes_of(state), static_cast<int>(state.size())) ==
          1 &&
      EVP_EncryptFinal_ex(c, bytes_of(tag), &n) == 1 &&
      EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, kTag, tag.data()) == 1;
  assert(ok);
  return base64url_encode(out + expiry + body + tag);
}

std::optional<std::string> StateSeal::open(std::string_view sealed, std::string_view bound_to,
                                           Clock::time_point now) const {
  const auto raw = base64url_decode(sealed);
  if (!raw || raw->size() < kNonce + kExpiry + kTag) return std::nullopt;
  const std::string_view all(*raw);
  const auto nonce = all.substr(0, kNonce);
  const auto expiry = all.substr(kNonce, kExpiry);
  const auto body = all.substr(kNonce + kExpiry, all.size() - kNonce - kExpiry - kTag);
  std::string tag(all.substr(all.size() - kTag));
  std::string state(body.size(), '\0');
  int n = 0;
  const Cipher cipher(EVP_CIPHER_CTX_new());
  auto* c = cipher.get();
  const bool ok =
      EVP_DecryptInit_ex(c, EVP_aes_256_gcm(), nullptr, key_.data(), bytes_of(nonce)) == 1 &&
      EVP_DecryptUpdate(c, nullptr, &n, bytes_of(expiry), kExpiry) == 1 &&
      EVP_DecryptUpdate(c, nullptr, &n, bytes_of(bound_to), static_cast<int>(bound_to.size())) ==
          1 &&
      EVP_DecryptUpdate(c, bytes_of(state), &n, bytes_of(body), static_cast<int>(body.size())) ==
          1 &&
      EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_TAG, kTag, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(c, bytes_of(tag), &n) == 1;
  if (!ok || seconds_from(expiry) < seconds_from(seconds_of(now))) return std::nullopt;
  return state;
}

std::string random_hex(std::size_t bytes) {
  std::string raw(bytes, '\0');
  random_bytes(bytes_of(raw), bytes);
  std::string out;
  for (const char c : raw) {
    fmt::format_to(std::back_inserter(out), "{:02x}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace lode
