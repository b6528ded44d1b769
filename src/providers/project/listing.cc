#include "providers/project/listing.h"

#include <algorithm>

#include "base/json.h"
#include "base/tokens.h"
#include "base/utf8.h"
#include "providers/project/language_table.h"
#include "providers/project/line.h"
#include "syntax/language.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

std::vector<const Survey::Item*> files_of(const Survey& survey, std::size_t depth) {
  std::vector<const Survey::Item*> files;
  for (const auto& item : survey.items()) {
    if (item.kind != Survey::Kind::file) continue;
    const auto slashes = std::count(item.path.begin(), item.path.end(), '/');
    if (static_cast<std::size_t>(slashes) < depth) files.push_back(&item);
  }
  return files;
}

void write_file(JsonWriter& json, const Root& root, const std::string& directory,
                std::string_view path) {
  const bool good = valid_utf8(path);
  json.begin_object().member("path", good ? std::string(path) : one_line(path, path.size()));
  if (auto file = root.open_without_links(join_path(directory, path))) {
    json.member("size", static_cast<std::int64_t>(file->info.st_size));
  }
  const auto* language = language_of(path, "");
  json.member_if("language", language != nullptr ? language->name : language_by_name(path));
  json.end_object();
}

}  // namespace

std::string files_json(const Survey& survey, const Root& root, const std::string& directory,
                       const ProjectAddress& address, std::size_t page) {
  const auto files = files_of(survey, address.max_depth.value_or(SIZE_MAX));
  auto at = std::upper_bound(
      files.begin(), files.end(), std::string_view(address.after),
      [](std::string_view after, const Survey::Item* item) { return after < item->path; });
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("files").begin_array();
  for (std::size_t i = 0; i < page && at != files.end(); ++i, ++at) {
    write_file(json, root, directory, (*at)->path);
  }
  json.end_array().member("total", static_cast<std::int64_t>(files.size()));
  if (!survey.complete()) json.member("complete", false);
  if (at != files.end()) {
    ProjectAddress next = address;
    next.after = at == files.begin() ? "" : (*std::prev(at))->path;
    json.member("next", next.uri());
  }
  json.end_object();
  return state_tokens(std::move(out));
}

}  // namespace lode
