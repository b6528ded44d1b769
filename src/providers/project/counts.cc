#include "providers/project/counts.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "providers/project/survey.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

// Whether the name alone cannot tell that the file is in no language.
bool worth_reading(std::string_view path, const Language* by_name) {
  return by_name != nullptr || last_name(path).find('.') == std::string_view::npos;
}

bool starts_program(const Language* language, std::string_view text) {
  const auto has = [&](std::string_view words) { return text.find(words) != text.npos; };
  if (language->id == "go") {
    return (text.starts_with("package main\n") || has("\npackage main\n")) && has("\nfunc main()");
  }
  return language->id == "java" && has("public static void main(String");
}

std::uint64_t lines_in(std::string_view text) {
  const auto ends = std::count(text.begin(), text.end(), '\n');
  return static_cast<std::uint64_t>(ends) + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

FileCount counted(const OpenFile& file, const std::string& path) {
  FileCount count;
  count.size = static_cast<std::uint64_t>(file.info.st_size);
  const auto* by_name = language_of(path, "");
  if (!worth_reading(path, by_name)) return count;
  count.too_long = by_name != nullptr && count.size > FileCounts::kMostBytes;
  const auto text =
      count.too_long ? Result<std::string>(invalid("")) : read_all(file, FileCounts::kMostBytes);
  if (!text) return count;
  count.language = language_of(path, *text);
  if (count.language == nullptr) return count;
  count.lines = lines_in(*text);
  count.starts = starts_program(count.language, *text);
  return count;
}

}  // namespace

std::optional<FileCount> FileCounts::of(const Root& root, const std::string& path,
                                        std::uint64_t stamp) {
  const std::hash<std::string> hash;
  const Key key{hash(path) * 31 + hash(root.path()), stamp};
  {
    const Lock lock(mutex_);
    if (const auto known = kept_.find(key); known != kept_.end()) return known->second;
  }
  const auto file = root.open_without_links(path);
  if (!file || !file->is_regular()) return std::nullopt;
  const FileCount count = counted(*file, path);
  if (stamp_of(file->info) != stamp) return count;
  const Lock lock(mutex_);
  if (kept_.size() >= kMostKept) kept_.clear();
  kept_.emplace(key, count);
  return count;
}

}  // namespace lode
