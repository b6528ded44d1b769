#include "base/grants.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lode {
namespace {

constexpr std::array<std::string_view, 4> kReserved{"*", "local", "owner", "visitor"};

std::vector<std::string> in_order(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> without_reserved(std::vector<std::string> roles) {
  std::erase_if(roles, [](const auto& role) { return role.empty() || is_reserved_name(role); });
  return in_order(std::move(roles));
}

// Lengths, so that no two lists are written alike.
void append(std::string& text, const std::vector<std::string>& names) {
  text.append(" ").append(std::to_string(names.size()));
  for (const auto& name : names) {
    text.append(" ").append(std::to_string(name.size())).append(":").append(name);
  }
}

std::string audience_of(std::string_view name, const std::vector<std::string>& roles,
                        const std::vector<std::string>& scopes) {
  std::string text(name);
  if (roles.empty() && scopes.empty()) return text;
  text += '\n';
  append(text, roles);
  append(text, scopes);
  return text;
}

}  // namespace

bool is_reserved_name(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

const std::string& Principal::audience() const {
  return grants == nullptr ? name : grants->audience();
}

Grants::Grants(std::string_view name, std::vector<std::string> roles,
               std::vector<std::string> scopes, JsonObject claims)
    : roles_(without_reserved(std::move(roles))),
      scopes_(in_order(std::move(scopes))),
      claims_(std::move(claims)),
      audience_(audience_of(name, roles_, scopes_)) {}

Result<Principal> granted(std::string name, std::vector<std::string> roles,
                          std::vector<std::string> scopes, JsonObject claims) {
  const bool plain =
      std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (name.empty() || !plain || is_reserved_name(name)) {
    return Error{Code::denied, "the credential does not name its holder", {}};
  }
  auto grants =
      std::make_shared<const Grants>(name, std::move(roles), std::move(scopes), std::move(claims));
  return Principal{std::move(name), std::move(grants)};
}

}  // namespace lode
