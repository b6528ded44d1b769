// What a credential grants to its holder, beside a name, and for how long.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/principal.h"
#include "base/result.h"

namespace lode {

// A constant value but for its end; shared by all copies of a principal. Any thread.
class Grants {
 public:
  // Roles that are reserved names count as not granted: who writes "owner" into a token
  // means a role of another system, and a rule for "local" or everyone says what it says.
  // name: of the holder.
  Grants(std::string_view name, std::vector<std::string> roles, std::vector<std::string> scopes,
         JsonObject claims);

  // They count in the policy like those that its table of roles gives.
  const std::vector<std::string>& roles() const { return roles_; }
  const std::vector<std::string>& scopes() const { return scopes_; }
  const JsonObject& claims() const { return claims_; }
  // See Principal::audience(). Claims do not count: most of them differ with each token.
  const std::string& audience() const { return audience_; }

  // The credential counts no more. What lasts longer than a request (streams, sessions)
  // asks now and then, and ends.
  void revoke() { revoked_ = true; }
  bool revoked() const { return revoked_; }

 private:
  const std::vector<std::string> roles_;
  const std::vector<std::string> scopes_;
  const JsonObject claims_;
  const std::string audience_;
  std::atomic<bool> revoked_{false};
};

// Whether the credential that the principal was known by counts no more.
inline bool revoked(const Principal& who) { return who.grants != nullptr && who.grants->revoked(); }

// The holder of a credential. Code::denied: it would have no name, or a reserved one.
Result<Principal> granted(std::string name, std::vector<std::string> roles,
                          std::vector<std::string> scopes = {}, JsonObject claims = {});

}  // namespace lode
