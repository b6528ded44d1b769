#include "providers/project/counts.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "providers/project/language_table.h"
#include "syntax/language.h"
#include "workspace/mime.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

// Whether the file begins like a text: it has no NUL.
bool begins_as_text(const OpenFile& file) {
  std::array<char, kMimeHead> head{};
  const auto size = ::pread(file.descriptor.get(), head.data(), head.size(), 0);
  return size >= 0 && std::string_view(head.data(), static_cast<std::size_t>(size)).find('\0') ==
                          std::string_view::npos;
}

std::string_view language_beyond_syntax(std::string_view path, std::string_view text) {
  if (const auto named = language_by_name(path); !named.empty()) return named;
  const auto scripted = language_by_interpreter(text);
  return scripted.empty() ? kOtherText : scripted;
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
  if (!begins_as_text(file)) return count;
  count.too_long = count.size > FileCounts::kMostBytes;
  const auto text =
      count.too_long ? Result<std::string>(invalid("")) : read_all(file, FileCounts::kMostBytes);
  if (!text || text->find('\0') != std::string::npos) return count;
  const auto* language = language_of(path, *text);
  count.in_depth = language != nullptr;
  count.language = count.in_depth ? language->name : language_beyond_syntax(path, *text);
  count.lines = lines_in(*text);
  count.starts = count.in_depth && starts_program(language, *text);
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
