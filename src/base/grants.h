// What a credential grants to its holder, beside a name.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/principal.h"
#include "base/result.h"

namespace lode {

// A constant value; shared by all copies of a principal.
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

 private:
  const std::vector<std::string> roles_;
  const std::vector<std::string> scopes_;
  const JsonObject claims_;
  const std::string audience_;
};

// The holder of a credential. Code::denied: it would have no name, or a reserved one.
Result<Principal> granted(std::string name, std::vector<std::string> roles,
                          std::vector<std::string> scopes = {}, JsonObject claims = {});

}  // namespace lode
