#include "workspace/file_versions.h"

#include <utility>

#include "base/uri.h"

namespace lode {
namespace {

// Who may not see a file and who asks for one that is not there get the same words.
Error told(Error error) {
  if (error.code == Code::not_found) return not_found("no such resource");
  if (error.code == Code::invalid) error.code = Code::internal;
  return error;
}

// The path below the top of its repository.
std::string below(const std::string& top, const std::string& path) {
  return top.empty() ? path : path.substr(top.size() + 1);
}

}  // namespace

std::optional<VersionedPath> split_revision(std::string_view encoded,
                                            const std::function<bool(const std::string&)>& exists) {
  const auto segment = encoded.rfind('/') + 1;  // 0 without a slash
  const auto at = encoded.rfind('@');
  if (at == encoded.npos || at <= segment || at + 1 == encoded.size()) return std::nullopt;
  auto path = decode(encoded.substr(0, at));
  auto revision = decode(encoded.substr(at + 1));
  const auto whole = decode(encoded);
  if (!path || !revision || !whole || exists(*whole)) return std::nullopt;
  return VersionedPath{std::move(*path), std::move(*revision)};
}

std::string version_address(std::string_view address, std::string_view revision) {
  return std::string(address).append("@").append(encode_component(revision));
}

Result<GitFile> FileVersions::read(const Root& root, const std::string& path,
                                   const std::string& revision, SteadyTime deadline,
                                   const std::stop_token& stop) {
  const auto top = Git::top_of(root, path);
  if (!top) return told(top.error());
  auto file = git_.file(root, *top, below(*top, path), revision, deadline, stop);
  if (!file) return told(std::move(file).error());
  return file;
}

Result<GitFileHistory> FileVersions::history(const Root& root,
                                             const std::vector<std::string>& paths,
                                             const GitHistoryPage& page, SteadyTime deadline,
                                             const std::stop_token& stop) {
  const auto top = Git::top_of(root, paths.front());
  if (!top && top.error().code == Code::not_found) return GitFileHistory();
  if (!top) return told(top.error());
  std::vector<std::string> inside;
  for (const auto& path : paths) {
    const auto its = Git::top_of(root, path);
    if (its && *its == *top) inside.push_back(below(*top, path));
  }
  auto history = git_.file_history(root, *top, inside, page, deadline, stop);
  if (!history) return told(std::move(history).error());
  return history;
}

Result<std::vector<std::optional<std::string>>> FileVersions::blobs(
    const Root& root, const std::string& path, const std::vector<std::string>& ids,
    SteadyTime deadline, const std::stop_token& stop) {
  const auto top = Git::top_of(root, path);
  if (!top) return told(top.error());
  auto found = git_.blobs(root, *top, ids, deadline, stop);
  if (!found) return told(std::move(found).error());
  return found;
}

}  // namespace lode
