#include "providers/backlog/layout.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lode {
namespace {

constexpr std::array<std::string_view, kTaskTypeCount> kPrefixes{"TASK", "EPIC", "FLDR", "MLST",
                                                                 "ARTF"};
constexpr std::array<std::string_view, kTaskTypeCount> kFolders{"tasks", "epics", "folders",
                                                                "milestones", "artifacts"};
constexpr std::string_view kDocs = "docs/";
constexpr std::string_view kExtension = ".md";
constexpr std::size_t kPrefixBytes = 16;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view stem_of(std::string_view path) {
  auto name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(kExtension)) name.remove_suffix(kExtension.size());
  return name;
}

// The length of the id that a name begins with: "task-1.2 - Title" has 8. 0: there is none.
std::size_t id_length(std::string_view name) {
  std::size_t at = 0;
  while (at < name.size() && is_letter(name[at])) ++at;
  if (at == 0 || at > kPrefixBytes || at == name.size() || name[at] != '-') return 0;
  std::size_t end = at + 1;
  while (end < name.size() && is_digit(name[end])) ++end;
  if (end == at + 1) return 0;
  while (end + 1 < name.size() && name[end] == '.' && is_digit(name[end + 1])) {
    ++end;
    while (end < name.size() && is_digit(name[end])) ++end;
  }
  const bool ends = end == name.size() || name[end] == ' ' || name[end] == '-' || name[end] == '_';
  return ends && end <= kTaskIdBytes ? end : 0;
}

}  // namespace

std::optional<TaskType> type_of_task_file(std::string_view path) {
  const bool in_docs = path.starts_with(kDocs);
  if (in_docs) path.remove_prefix(kDocs.size());
  const auto slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto name = path.substr(slash + 1);
  if (name.find('/') != std::string_view::npos || !name.ends_with(kExtension)) return std::nullopt;
  const auto folder = std::find(kFolders.begin(), kFolders.end(), path.substr(0, slash));
  if (folder == kFolders.end()) return std::nullopt;
  const auto type = kTaskTypes[static_cast<std::size_t>(folder - kFolders.begin())];
  if (names_task_id(name)) return type;
  const bool any_name = !in_docs && type != TaskType::artifact && task_key(name) != "README.MD";
  return any_name && is_task_id(stem_of(name)) ? std::optional(type) : std::nullopt;
}

bool names_task_id(std::string_view path) { return id_length(stem_of(path)) > 0; }

std::string id_of_task_file(std::string_view path) {
  const auto stem = stem_of(path);
  const auto length = id_length(stem);
  return std::string(length > 0 ? stem.substr(0, length) : stem);
}

std::string_view task_prefix(TaskType type) { return kPrefixes[static_cast<std::size_t>(type)]; }

std::optional<TaskType> type_of_task_id(std::string_view id) {
  const auto key = task_key(id.substr(0, id.find('-')));
  const auto found = std::find(kPrefixes.begin(), kPrefixes.end(), key);
  if (found == kPrefixes.end() || id.find('-') == std::string_view::npos) return std::nullopt;
  return kTaskTypes[static_cast<std::size_t>(found - kPrefixes.begin())];
}

std::optional<std::uint64_t> number_of_task_id(std::string_view id) {
  const auto dash = id.find('-');
  if (dash == std::string_view::npos || id_length(id) != id.size()) return std::nullopt;
  std::uint64_t number = 0;
  const auto* const end = id.data() + id.size();
  const auto read = std::from_chars(id.data() + dash + 1, end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

std::string_view task_folder(TaskType type) { return kFolders[static_cast<std::size_t>(type)]; }

}  // namespace lode
