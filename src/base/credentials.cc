#include "base/credentials.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/uri.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 4> kNames{"token", "access_token", "api_key", "apikey"};

bool names_credential(std::string_view encoded) {
  auto decoded = decode(encoded);
  std::string name = decoded ? std::move(*decoded) : std::string(encoded);
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  });
  return std::ranges::find(kNames, name) != kNames.end();
}

// Calls visit with the name and the value of each parameter.
template <class Visit>
void each_parameter(std::string_view query, Visit visit) {
  while (!query.empty()) {
    const auto piece = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(piece.size() + 1, query.size()));
    const auto equals = std::min(piece.find('='), piece.size());
    visit(piece.substr(0, equals), piece.substr(equals));
  }
}

}  // namespace

bool has_credential(std::string_view query) {
  bool found = false;
  each_parameter(query, [&](auto name, auto) { found = found || names_credential(name); });
  return found;
}

Error credential_in_query() {
  return invalid(
      "an address must not carry a credential: send it in the HTTP header \"Authorization: Bearer "
      "TOKEN\"");
}

std::string without_credentials(std::string_view address) {
  const auto mark = address.find('?');
  if (mark == std::string_view::npos || !has_credential(address.substr(mark + 1))) {
    return std::string(address);
  }
  std::string shown(address.substr(0, mark));
  char separator = '?';
  each_parameter(address.substr(mark + 1), [&](std::string_view name, std::string_view value) {
    shown.append(1, separator).append(name).append(names_credential(name) ? "=***" : value);
    separator = '&';
  });
  return shown;
}

}  // namespace lode
