#include "cli/config_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/toml_text.h"

namespace lode {

Result<std::optional<std::string>> read_config_text(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::optional<std::string>();
  if (fd < 0) return invalid(fmt::format("{}: {}", path, std::strerror(errno)));
  std::string text;
  std::array<char, 16 * 1024> buffer;
  struct stat info {};
  const bool regular = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  ssize_t count = regular ? 1 : 0;
  while (count != 0 && text.size() <= kConfigFileBytes) {
    count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) break;
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(fd);
  if (!regular || count < 0) return invalid(path + ": not a file that can be read");
  if (text.size() > kConfigFileBytes) {
    return invalid(fmt::format("{}: longer than {} bytes", path, kConfigFileBytes));
  }
  return std::optional(std::move(text));
}

namespace {

decltype(FileEntry::value) value_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  const auto* array = node.as_array();
  if (array == nullptr) return std::monostate();
  std::vector<std::string> elements;
  for (const auto& element : *array) {
    const auto* text = element.as_string();
    if (text == nullptr) return std::monostate();
    elements.push_back(text->get());
  }
  return elements;
}

void flatten(const toml::table& table, const std::string& prefix, std::vector<FileEntry>& out) {
  for (const auto& [key, node] : table) {
    const auto name = prefix + std::string(key.str());
    if (const auto* below = node.as_table()) {
      flatten(*below, name + ".", out);
    } else {
      out.push_back({name, value_of(node), key.source().begin.line});
    }
  }
}

}  // namespace

Result<std::vector<FileEntry>> read_config_file(const std::string& path) {
  auto text = read_config_text(path);
  if (!text) return std::move(text).error();
  if (!*text) return std::vector<FileEntry>();
  return parse_config_text(**text, path);
}

Result<std::vector<FileEntry>> parse_config_text(const std::string& text, const std::string& name) {
  const TomlLimits limits{kConfigFileBytes, kConfigFileDots};
  if (auto fit = check_toml_text(text, {name, "configuration"}, limits); !fit) {
    return std::move(fit).error();
  }
  std::vector<FileEntry> entries;
  try {
    flatten(toml::parse(text, name), "", entries);
  } catch (const toml::parse_error& error) {
    return invalid(fmt::format("{}:{}: {}", name, error.source().begin.line, error.description()));
  } catch (const std::exception& error) {
    return invalid(fmt::format("{}: {}", name, error.what()));
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const FileEntry& a, const FileEntry& b) { return a.line < b.line; });
  return entries;
}

}  // namespace lode
