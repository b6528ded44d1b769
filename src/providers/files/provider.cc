#include "providers/files/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "workspace/secrets.h"

namespace lode {
namespace {

constexpr std::string_view kTemplate = "file:///{+path}";

Error no_such_file() { return not_found("no such resource"); }

Manifest make_manifest() {
  Manifest manifest;
  manifest.name = "files";
  manifest.roots = {"file:///"};
  manifest.templates = {{std::string(kTemplate), "file", "File of the workspace",
                         "A file, or a directory's entries, by absolute path.", ""}};
  return manifest;
}

std::chrono::system_clock::time_point modified_of(const struct stat& info) {
  return std::chrono::system_clock::from_time_t(info.st_mtim.tv_sec) +
         std::chrono::duration_cast<std::chrono::system_clock::duration>(
             std::chrono::nanoseconds(info.st_mtim.tv_nsec));
}

bool is_text(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos && valid_utf8(bytes);
}

Content content_of(std::string bytes) {
  if (is_text(bytes)) return Content::text(std::move(bytes));
  return Content::binary("application/octet-stream", std::move(bytes));
}

std::string joined(const std::string& directory, const std::string& name) {
  return directory.empty() ? name : directory + "/" + name;
}

}  // namespace

FilesProvider::FilesProvider(const Root& root, FilesLimits limits)
    : root_(root), limits_(limits), manifest_(make_manifest()) {}

std::string FilesProvider::uri_of(const std::string& relative) const {
  return "file://" + encode_path(joined(root_.path(), relative));
}

Result<std::string> FilesProvider::relative_path(const Uri& uri) const {
  std::string path;
  for (const auto& segment : uri.segments()) {
    // A slash or a NUL that came encoded is no part of any file's name.
    if (segment.find('/') != std::string::npos || segment.find('\0') != std::string::npos) {
      return no_such_file();
    }
    if (!segment.empty()) path.append("/").append(segment);
  }
  const std::string& root = root_.path();
  if (path == root) return std::string();
  if (!path.starts_with(root) || path[root.size()] != '/') return no_such_file();
  std::string relative = path.substr(root.size() + 1);
  if (secret_path(relative)) return no_such_file();
  return relative;
}

Result<std::vector<std::string>> FilesProvider::visible_names(const std::string& relative) const {
  auto names = root_.names(relative);
  if (!names) return no_such_file();
  std::erase_if(*names, [](const std::string& name) { return secret_name(name); });
  return names;
}

// Keys are names: a page begins after the last name of the page before.
Result<Page<Entry>> FilesProvider::list(const Exchange&, const ListQuery& query) {
  auto names = visible_names("");
  if (!names) return std::move(names).error();
  Page<Entry> page;
  for (auto at = std::upper_bound(names->begin(), names->end(), query.after); at != names->end();
       ++at) {
    if (page.items.size() == query.limit) {
      page.next = page.items.back().name;
      return page;
    }
    auto file = root_.open_inside(*at);
    if (!file) continue;
    Entry entry;
    entry.uri = uri_of(*at);
    entry.name = *at;
    entry.modified = modified_of(file->info);
    if (file->is_directory()) {
      entry.mime = "inode/directory";
    } else {
      entry.size = file->info.st_size;
    }
    page.items.push_back(std::move(entry));
  }
  return page;
}

Result<Content> FilesProvider::directory_content(const std::string& relative) const {
  auto names = visible_names(relative);
  if (!names) return std::move(names).error();
  std::string lines;
  for (const auto& name : *names) lines.append(uri_of(joined(relative, name))).append("\n");
  Content content = Content::text(std::move(lines));
  content.mime = "inode/directory";
  return content;
}

Result<Outcome> FilesProvider::read(const Exchange&, const Uri& uri) {
  auto relative = relative_path(uri);
  if (!relative) return std::move(relative).error();
  auto file = root_.open_inside(*relative);
  if (!file) return no_such_file();
  Content content;
  if (file->is_directory()) {
    auto listed = directory_content(*relative);
    if (!listed) return std::move(listed).error();
    content = std::move(*listed);
  } else {
    auto bytes = read_all(*file, limits_.file_bytes);
    if (!bytes) return std::move(bytes).error();
    content = content_of(std::move(*bytes));
  }
  content.uri = uri_of(*relative);
  content.modified = modified_of(file->info);
  content.version = fmt::format("{}-{}", file->info.st_mtim.tv_sec, file->info.st_mtim.tv_nsec);
  Contents contents;
  contents.items.push_back(std::move(content));
  return contents;
}

Result<Completions> FilesProvider::complete(const Exchange&, const CompletionQuery& query) {
  Completions found;
  if (query.name != kTemplate || query.argument != "path") return found;
  // The template's path has no leading slash; the root's has.
  const std::string typed = "/" + query.value;
  const std::string root = root_.path() + "/";
  if (!typed.starts_with(root)) {
    if (root.starts_with(typed)) found.values.push_back(root.substr(1));
    return found;
  }
  const std::string below = typed.substr(root.size());
  const auto slash = below.rfind('/');
  const std::string directory = slash == std::string::npos ? "" : below.substr(0, slash);
  const std::string begin = slash == std::string::npos ? below : below.substr(slash + 1);
  if (secret_path(directory)) return found;
  auto names = visible_names(directory);
  if (!names) return found;
  for (const auto& name : *names) {
    if (name.starts_with(begin)) found.values.push_back((root + joined(directory, name)).substr(1));
  }
  return found;
}

}  // namespace lode
