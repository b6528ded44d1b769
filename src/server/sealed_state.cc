#include "server/sealed_state.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cassert>
#include <cstring>
#include <memory>

#include "base/base64.h"
#include "base/random.h"
#include "base/sha256.h"

namespace lode {
namespace {

constexpr std::size_t kKeyId = 2 * SealingKey::kIdBytes;  // as text
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

std::string StateSeal::seal(std::string_view state, std::string_view bound_to,
                            Clock::time_point now) const {
  return seal_with(keys_->current(), state, bound_to, now);
}

std::optional<std::string> StateSeal::seal_at_once(std::string_view state,
                                                   std::string_view bound_to,
                                                   Clock::time_point now) const {
  const auto key = keys_->current_at_once();
  return key ? std::optional(seal_with(*key, state, bound_to, now)) : std::nullopt;
}

// Layout: the key's id, nonce, expiry (authenticated with what it is bound to),
// ciphertext, tag.
std::string StateSeal::seal_with(const SealingKey& key, std::string_view state,
                                 std::string_view bound_to, Clock::time_point now) const {
  std::string nonce(kNonce, '\0');
  random_bytes(bytes_of(nonce), kNonce);
  const std::string expiry = seconds_of(now + lifetime_);
  std::string body(state.size(), '\0');
  std::string tag(kTag, '\0');
  int n = 0;
  const Cipher cipher(EVP_CIPHER_CTX_new());
  auto* c = cipher.get();
  [[maybe_unused]] const bool ok =
      EVP_EncryptInit_ex(c, EVP_aes_256_gcm(), nullptr, key.secret.data(), bytes_of(nonce)) == 1 &&
      EVP_EncryptUpdate(c, nullptr, &n, bytes_of(std::string_view(expiry)), kExpiry) == 1 &&
      EVP_EncryptUpdate(c, nullptr, &n, bytes_of(bound_to), static_cast<int>(bound_to.size())) ==
          1 &&
      EVP_EncryptUpdate(c, bytes_of(body), &n, bytes_of(state), static_cast<int>(state.size())) ==
          1 &&
      EVP_EncryptFinal_ex(c, bytes_of(tag), &n) == 1 &&
      EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, kTag, tag.data()) == 1;
  assert(ok);
  return base64url_encode(key.id + nonce + expiry + body + tag);
}

std::optional<std::string> StateSeal::open(std::string_view sealed, std::string_view bound_to,
                                           Clock::time_point now) const {
  const auto raw = base64url_decode(sealed);
  if (!raw || raw->size() < kKeyId + kNonce + kExpiry + kTag) return std::nullopt;
  const auto key = keys_->find(std::string_view(*raw).substr(0, kKeyId));
  if (!key) return std::nullopt;
  const auto all = std::string_view(*raw).substr(kKeyId);
  const auto nonce = all.substr(0, kNonce);
  const auto expiry = all.substr(kNonce, kExpiry);
  const auto body = all.substr(kNonce + kExpiry, all.size() - kNonce - kExpiry - kTag);
  std::string tag(all.substr(all.size() - kTag));
  std::string state(body.size(), '\0');
  int n = 0;
  const Cipher cipher(EVP_CIPHER_CTX_new());
  auto* c = cipher.get();
  const bool ok =
      EVP_DecryptInit_ex(c, EVP_aes_256_gcm(), nullptr, key->secret.data(), bytes_of(nonce)) == 1 &&
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

// Unambiguous: a name has no line ends, and what is granted has its lengths.
std::string state_binding(const Principal& who, std::string_view method, std::string_view request) {
  return fmt::format("{}\n{}\n{}", who.audience(), method, sha256(request));
}

}  // namespace lode
