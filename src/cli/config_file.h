// lode.toml, read into its keys and values; the one place that sees the library.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"

namespace lode {

inline constexpr std::size_t kConfigFileBytes = 1024 * 1024;
inline constexpr std::size_t kConfigFileDots = 1000;  // in its keys and numbers

struct FileEntry {
  std::string key;  // "resources.enabled", however the tables are written
  // A text, number or truth value as a flag would have it; an array of texts; or
  // something that no key is.
  std::variant<std::string, std::vector<std::string>, std::monostate> value;
  std::size_t line = 0;
};

// The whole file; nothing if there is none.
Result<std::optional<std::string>> read_config_text(const std::string& path);
// The entries in the file's order of lines; none if there is no such file. The
// error names the file and the line.
Result<std::vector<FileEntry>> read_config_file(const std::string& path);
// The same of a text that was read already.
Result<std::vector<FileEntry>> parse_config_text(const std::string& text, const std::string& name);

}  // namespace lode
