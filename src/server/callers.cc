#include "server/callers.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace lode {
namespace {

constexpr std::string_view kScheme = "bearer ";

constexpr std::string_view kForwarding[] = {
    "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"};

constexpr std::string_view kNeedsCredential =
    "without a credential only the user who runs this server may call it, from the same machine "
    "and not through a proxy; ";

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

// What stands behind the one "Authorization: Bearer"; empty: there is none.
std::string_view bearer(const HttpRequest& request) {
  const auto* header = request.header("authorization");
  if (header == nullptr || request.count("authorization") != 1 || !has_scheme(*header)) return {};
  auto given = std::string_view(*header).substr(kScheme.size());
  while (given.starts_with(' ')) given.remove_prefix(1);
  return given;
}

Error not_valid() { return {Code::denied, "the credential is not valid here", {}}; }

// Nothing but an end: what the owner may do is said of the name.
std::shared_ptr<Grants> owners_grants() {
  return std::make_shared<Grants>(Principal::owner().name, std::vector<std::string>(),
                                  std::vector<std::string>(), JsonObject());
}

}  // namespace

Callers::Callers(Options options, WorkerPool& pool)
    : options_(std::move(options)), pool_(pool), token_(options_.token), grants_(owners_grants()) {}

std::optional<Principal> Callers::holder(std::string_view given) const {
  const Lock lock(mutex_);
  const bool same = !token_.empty() && given.size() == token_.size() &&
                    CRYPTO_memcmp(given.data(), token_.data(), token_.size()) == 0;
  if (!same) return std::nullopt;
  auto owner = Principal::owner();
  owner.grants = grants_;
  return owner;
}

std::optional<Result<Principal>> Callers::identify(
    const HttpRequest& request, const std::function<std::optional<uid_t>()>& peer) const {
  if (request.header("authorization") != nullptr) {
    const auto given = bearer(request);
    if (auto owner = holder(given)) return *std::move(owner);
    if (given.empty() || !options_.current_token) return not_valid();
    return std::nullopt;
  }
  if (!options_.behind_proxy && !forwarded(request) && peer() == options_.uid) {
    return Principal::visitor();
  }
  return Error{Code::denied, std::string(kNeedsCredential).append(kHowToBeOwner), {}};
}

Principal Callers::claimed(const HttpRequest& request) const {
  return holder(bearer(request)).value_or(Principal::visitor());
}

std::optional<Result<Principal>> Callers::at_once(const HttpRequest& request,
                                                  const HttpReply& reply) {
  return identify(request, [&] { return reply.peer_uid(); });
}

void Callers::later(const HttpRequest& request, Answer answer) {
  const auto job = [this, given = std::string(bearer(request)), answer] {
    look_again();
    auto owner = holder(given);
    answer(owner ? Result<Principal>(*std::move(owner)) : not_valid());
  };
  if (pool_.submit(Principal::visitor(), job)) return;
  answer(Error{Code::unavailable, "the server is busy; try again", {}});
}

void Callers::look_again() {
  if (!options_.current_token) return;
  const Lock looking(looking_);
  auto token = options_.current_token();
  if (!token) return;
  const Lock lock(mutex_);
  if (*token == token_) return;
  token_ = *std::move(token);
  std::exchange(grants_, owners_grants())->revoke();
}

}  // namespace lode
