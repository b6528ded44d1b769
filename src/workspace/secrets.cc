#include "workspace/secrets.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/backup_name.h"
#include "base/unfinished.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 12> kNames = {
    ".git",   ".hg",    ".svn",    ".ssh",    ".gnupg",           ".aws",
    ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd"};
constexpr std::array<std::string_view, 5> kPrefixes = {".env", "id_rsa", "id_ed25519", "id_ecdsa",
                                                       "id_dsa"};
constexpr std::array<std::string_view, 8> kSuffixes = {".pem",      ".key", ".p12", ".pfx",
                                                       ".keystore", ".jks", ".ppk", ".env"};
// What editors and people put behind a name, and before it, for a copy.
constexpr std::array<std::string_view, 8> kCopySuffixes = {"~",    ".orig", ".old",  ".save",
                                                           ".swp", ".swo",  ".copy", "#"};
constexpr std::array<std::string_view, 3> kCopyPrefixes = {".#", "#", "."};
// What looks like a secret's name but is made to be shared.
constexpr std::array<std::string_view, 4> kShared = {".env.example", ".env.sample", ".env.template",
                                                     ".env.dist"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  return out;
}

std::vector<IgnorePattern> parsed(const std::vector<std::string>& lines) {
  std::vector<IgnorePattern> patterns;
  for (const auto& line : lines) {
    auto pattern = IgnorePattern::parse(lower(line));
    if (pattern && !pattern->negated()) patterns.push_back(std::move(*pattern));
  }
  return patterns;
}

// "name/" stands for what may be a directory: a rule about secrets does not
// look whether it is.
bool any_matches(const std::vector<IgnorePattern>& patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const IgnorePattern& pattern) { return pattern.matches(path, true); });
}

// name: in lower case.
bool built_in(std::string_view name) {
  if (is_unfinished_write(name)) return true;
  if (contains(kShared, name) || name.ends_with(".pub")) return false;
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  const auto ends = [&](std::string_view suffix) { return name.ends_with(suffix); };
  return contains(kNames, name) || std::any_of(kPrefixes.begin(), kPrefixes.end(), begins) ||
         std::any_of(kSuffixes.begin(), kSuffixes.end(), ends);
}

}  // namespace

// Also of what it is a backup or another copy of: the bytes are the same.
bool secret_name(std::string_view name) {
  if (built_in(lower(name))) return true;
  if (const auto original = original_of_backup(name)) return secret_name(*original);
  for (const auto suffix : kCopySuffixes) {
    if (name.size() <= suffix.size() || !lower(name).ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    if (secret_name(name)) return true;
    break;
  }
  for (const auto prefix : kCopyPrefixes) {
    if (name.size() > prefix.size() && name.starts_with(prefix)) {
      return built_in(lower(name.substr(prefix.size())));
    }
  }
  return false;
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

SecretRules::SecretRules(const std::vector<std::string>& shown,
                         const std::vector<std::string>& hidden)
    : shown_(parsed(shown)), hidden_(parsed(hidden)) {}

SecretRules SecretRules::below(std::string_view directory) const {
  SecretRules rules = *this;
  rules.hides_all_ = hides(directory);
  rules.base_.append(directory).append("/");
  return rules;
}

bool SecretRules::hides(std::string_view path) const {
  if (hides_all_) return true;
  for (std::size_t end = 0; end < path.size(); ++end) {
    end = std::min(path.find('/', end), path.size());
    if (hides_entry(path.substr(0, end))) return true;
  }
  return false;
}

bool SecretRules::hides_entry(std::string_view path) const {
  if (hides_all_) return true;
  if (const auto original = original_of_backup(path); original && hides_entry(*original)) {
    return true;
  }
  const std::string folded = base_.empty() ? lower(path) : lower(base_ + std::string(path));
  if (any_matches(hidden_, folded)) return true;
  return built_in(std::string_view(folded).substr(folded.rfind('/') + 1)) &&
         !any_matches(shown_, folded);
}

}  // namespace lode
