#include "server/callers.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <string_view>

namespace lode {
namespace {

constexpr std::string_view kScheme = "bearer ";

constexpr std::string_view kForwarding[] = {
    "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"};

constexpr const char* kNeedsCredential =
    "without a credential only the user who runs this server may call it, from the same machine "
    "and not through a proxy; send the header \"Authorization: Bearer TOKEN\" with the token that "
    "the server keeps in its state directory";

// The name of a scheme has no case (RFC 9110, 11.1).
bool has_scheme(std::string_view credential) {
  return credential.size() > kScheme.size() &&
         std::equal(kScheme.begin(), kScheme.end(), credential.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + ('a' - 'A')) : b);
         });
}

bool forwarded(const HttpRequest& request) {
  return std::any_of(std::begin(kForwarding), std::end(kForwarding),
                     [&](std::string_view name) { return request.header(name) != nullptr; });
}

}  // namespace

Result<Principal> Callers::by_credential(const HttpRequest& request) const {
  std::string_view given = *request.header("authorization");
  if (!token_.empty() && request.count("authorization") == 1 && has_scheme(given)) {
    given.remove_prefix(kScheme.size());
    while (given.starts_with(' ')) given.remove_prefix(1);
    if (given.size() == token_.size() &&
        CRYPTO_memcmp(given.data(), token_.data(), token_.size()) == 0) {
      return Principal::owner();
    }
  }
  return Error{Code::denied, "the credential is not valid here", {}};
}

Principal Callers::claimed(const HttpRequest& request) const {
  if (request.header("authorization") != nullptr) {
    if (auto owner = by_credential(request)) return *owner;
  }
  return Principal::visitor();
}

Result<Principal> Callers::identify(const HttpRequest& request,
                                    const std::function<std::optional<uid_t>()>& peer) const {
  if (request.header("authorization") != nullptr) return by_credential(request);
  if (!behind_proxy_ && !forwarded(request) && peer() == uid_) return Principal::visitor();
  return Error{Code::denied, kNeedsCredential, {}};
}

}  // namespace lode
