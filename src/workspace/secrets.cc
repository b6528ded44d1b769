#include "workspace/secrets.h"

#include <algorithm>
#include <array>

namespace lode {
namespace {

constexpr std::array<std::string_view, 12> kNames = {
    ".git",   ".hg",    ".svn",    ".ssh",    ".gnupg",           ".aws",
    ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd"};
constexpr std::array<std::string_view, 5> kPrefixes = {".env", "id_rsa", "id_ed25519", "id_ecdsa",
                                                       "id_dsa"};
constexpr std::array<std::string_view, 6> kSuffixes = {".pem", ".key",      ".p12",
                                                       ".pfx", ".keystore", ".jks"};
// What looks like a secret's name but is made to be shared.
constexpr std::array<std::string_view, 4> kShared = {".env.example", ".env.sample", ".env.template",
                                                     ".env.dist"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool secret_name(std::string_view name) {
  if (contains(kShared, name) || name.ends_with(".pub")) return false;
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  const auto ends = [&](std::string_view suffix) { return name.ends_with(suffix); };
  return contains(kNames, name) || std::any_of(kPrefixes.begin(), kPrefixes.end(), begins) ||
         std::any_of(kSuffixes.begin(), kSuffixes.end(), ends);
}

bool secret_path(std::string_view path) {
  while (!path.empty()) {
    const auto slash = path.find('/');
    if (secret_name(path.substr(0, slash))) return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
  return false;
}

}  // namespace lode
