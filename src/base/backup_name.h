// The names of backups: "a.txt.bak", then "a.txt.bak2", "a.txt.bak3", …
//
// A backup holds bytes of its original, so who may not see the original must not
// see the backup: rules about secrets and the policy ask for the original too.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace lode {

inline constexpr std::string_view kBackupSuffix = ".bak";

// The number'th backup of a file; number: from 1.
inline std::string backup_name(std::string_view original, int number) {
  return number == 1 ? fmt::format("{}{}", original, kBackupSuffix)
                     : fmt::format("{}{}{}", original, kBackupSuffix, number);
}

// What the name, path or address is a backup of; nothing: it is none. Letters
// match in either case, and any digits at the end count.
inline std::optional<std::string_view> original_of_backup(std::string_view name) {
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
  if (name.size() <= kBackupSuffix.size()) return std::nullopt;
  const auto original = name.substr(0, name.size() - kBackupSuffix.size());
  for (std::size_t i = 0; i < kBackupSuffix.size(); ++i) {
    const char c = name[original.size() + i];
    if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != kBackupSuffix[i]) return std::nullopt;
  }
  return original.back() == '/' ? std::nullopt : std::optional(original);
}

}  // namespace lode
