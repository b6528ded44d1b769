#include "providers/backlog/backlog_files.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "workspace/mime.h"

namespace lode {
namespace {

constexpr std::string_view kExtension = ".md";

Error no_such() { return not_found("no such resource"); }

// Whether it is in a folder of tasks, below the backlog's directory.
bool is_of_tasks(std::string_view path) {
  constexpr std::array<std::string_view, 4> kFolders{"tasks", "epics", "folders", "milestones"};
  if (path.starts_with("docs/")) path.remove_prefix(5);
  return std::ranges::find(kFolders, path.substr(0, path.find('/'))) != kFolders.end();
}

constexpr std::string_view kArtifactFolder = "artifacts";

// Whether it is the folder of artifacts or in it, below the backlog's directory.
bool is_of_artifacts(std::string_view path) {
  return path.substr(0, path.find('/')) == kArtifactFolder;
}

bool is_inside(std::string_view path, std::string_view directory) {
  return path == directory || (path.starts_with(directory) && path.size() > directory.size() &&
                               path[directory.size()] == '/');
}

std::string address_of(std::string_view base, std::string_view path) {
  return path.empty() ? std::string(base) : join_path(base, encode_path(path));
}

// What follows the base in an address, decoded; nothing: it is not of this kind.
std::optional<std::string> path_in(const Uri& uri, std::string_view base) {
  const auto text = uri.text_without_query();
  const bool below =
      text.starts_with(base) && text.size() > base.size() && text[base.size()] == '/';
  const auto whole = text == base || below ? decoded_path(uri) : std::nullopt;
  if (!whole) return std::nullopt;
  const auto begin = whole->find('/', 1);  // behind "/resources"
  return resolve_dots(begin == std::string::npos ? "" : whole->substr(begin + 1));
}

}  // namespace

// ---- which file ----

// Also under the name with ".md", if nothing has the other.
std::optional<BacklogSpot> BacklogFiles::first_there(
    const std::vector<Candidate>& candidates) const {
  for (const bool with_extension : {false, true}) {
    for (const auto& candidate : candidates) {
      BacklogSpot spot{candidate.owner, candidate.place, candidate.path, {}, true, true};
      if (with_extension) {
        if (spot.place.relative.empty() || spot.place.relative.ends_with(kExtension)) continue;
        spot.place.relative += kExtension;
        spot.path += kExtension;
      }
      if (workspace_of(spot).look(spot.place)) return spot;
    }
  }
  return std::nullopt;
}

std::optional<BacklogSpot> BacklogFiles::find_resource(std::string_view path) const {
  const auto place = places_.workspace.find_short(path);
  if (!place) return std::nullopt;
  Candidate candidate{nullptr, *place, Workspace::absolute(*place)};
  auto spot = first_there({candidate});
  if (!spot) spot = BacklogSpot{nullptr, candidate.place, candidate.path, {}, false, true};
  const bool extended = spot->path.size() > candidate.path.size();
  spot->address = address_of(kResources, extended ? std::string(path).append(kExtension) : path);
  spot->looked_up = extended;
  return spot;
}

// The directory that artifacts must not be outside of.
std::string BacklogFiles::artifact_base() const {
  const auto slash = places_.backlog.rfind('/');
  if (slash == std::string::npos || slash == 0) return places_.backlog;
  auto parent = places_.backlog.substr(0, slash);
  const auto real = places_.workspace.real_path(parent);
  const auto inside = std::ranges::any_of(places_.workspace.trees(), [&](const auto& tree) {
    return is_inside(real, tree.root.path());
  });
  const bool legacy = !places_.home.empty() &&
                      real == places_.workspace.real_path(join_path(places_.home, ".backlog"));
  return inside || legacy ? parent : places_.backlog;
}

// A place in the workspace if the path is inside; else in the artifacts' own directory.
std::optional<BacklogFiles::Candidate> BacklogFiles::candidate_at(const std::string& path) const {
  if (const auto place = places_.workspace.find(path)) return Candidate{nullptr, *place, path};
  const auto base = artifact_base();
  const bool in_workspace = std::ranges::any_of(places_.workspace.trees(), [&](const auto& tree) {
    return is_inside(path, tree.root.path());
  });
  if (in_workspace || !is_inside(path, base)) return std::nullopt;  // hidden, or outside
  auto opened = Workspace::open({base}, places_.secrets);
  if (!opened) return std::nullopt;
  const std::shared_ptr<const Workspace> owner = std::move(*opened);
  const auto& root = owner->trees().front().root.path();
  const auto place = owner->find(root + path.substr(base.size()));
  if (!place) return std::nullopt;
  return Candidate{owner, *place, Workspace::absolute(*place)};
}

std::vector<BacklogFiles::Candidate> BacklogFiles::artifact_candidates(
    std::string_view path) const {
  std::vector<Candidate> out;
  const auto& backlog = places_.backlog;
  const auto add = [&](const std::string& at) {
    if (auto candidate = candidate_at(at)) out.push_back(std::move(*candidate));
  };
  if (backlog.empty()) return out;
  add(path.empty() ? backlog + "/artifacts" : join_path(backlog + "/artifacts", path));
  if (path.empty()) return out;
  if (!is_of_tasks(path) && !is_of_artifacts(path)) add(join_path(backlog, path));
  const auto base = artifact_base();
  const auto beside = join_path(base, path);
  if (base != backlog && !is_inside(beside, backlog)) add(beside);
  return out;
}

std::optional<BacklogSpot> BacklogFiles::find_artifact(std::string_view path) const {
  auto candidates = artifact_candidates(path);
  auto spot = first_there(candidates);
  // Whether or not the other is there: what is denied by one spelling is denied by all.
  while (!spot && is_of_artifacts(path)) {
    path.remove_prefix(std::min(kArtifactFolder.size() + 1, path.size()));
    candidates = artifact_candidates(path);
    spot = first_there(candidates);
  }
  if (!spot && candidates.empty()) return std::nullopt;
  if (!spot) {
    const auto& first = candidates.front();
    spot = BacklogSpot{first.owner, first.place, first.path, {}, false, true};
  }
  const bool extended = spot->path.ends_with(kExtension) && !path.ends_with(kExtension) &&
                        spot->there && !path.empty();
  spot->address = address_of(kArtifacts, extended ? std::string(path).append(kExtension) : path);
  return spot;
}

// What is beside the backlog has such an address too, but is no artifact for that: else who denies
// all addresses of the backlog would deny a whole repository that has it in its root.
std::optional<std::string> BacklogFiles::artifact_at(std::string_view path) const {
  std::string directory = places_.backlog;
  if (directory.empty()) return std::nullopt;
  if (!is_inside(path, directory)) directory = places_.workspace.real_path(directory);
  if (!is_inside(path, directory)) return std::nullopt;
  auto rest = path.substr(std::min(directory.size() + 1, path.size()));
  if (rest.empty() || is_of_tasks(rest)) return std::nullopt;
  if (is_of_artifacts(rest)) {
    rest.remove_prefix(std::min(kArtifactFolder.size() + 1, rest.size()));
  }
  return address_of(kArtifacts, rest);
}

std::optional<BacklogSpot> BacklogFiles::place_of(const std::string& path) const {
  const auto at = candidate_at(path);
  if (!at) return std::nullopt;
  return BacklogSpot{at->owner, at->place, at->path, {}, true, false};
}

std::optional<BacklogSpot> BacklogFiles::find(const Uri& uri) const {
  if (const auto path = path_in(uri, kResources)) return find_resource(*path);
  if (const auto path = path_in(uri, kArtifacts)) return find_artifact(*path);
  return std::nullopt;
}

// ---- what it says ----

Result<Content> BacklogFiles::file_content(const OpenFile& file, std::string_view name) const {
  auto bytes = read_all(file, places_.file_bytes);
  if (!bytes) return std::move(bytes).error();
  Content content;
  const bool text = bytes->find('\0') == std::string::npos && valid_utf8(*bytes);
  content.form = text ? Content::Form::text : Content::Form::binary;
  content.mime = mime_type(name, std::string_view(*bytes).substr(0, kMimeHead));
  content.bytes = std::move(*bytes);
  return content;
}

// Entries that the caller may not know of are left out, and neither fill the page nor end it.
Result<Content> BacklogFiles::directory_content(const Exchange& exchange, const BacklogSpot& spot,
                                                const Workspace::Opened& opened,
                                                const std::string& after) const {
  auto names = workspace_of(spot).names(opened);
  if (!names) return no_such();
  std::string lines;
  std::string_view last;
  std::size_t count = 0;
  for (auto at = std::upper_bound(names->begin(), names->end(), after); at != names->end(); ++at) {
    const auto address = Uri::parse(join_path(spot.address, encode_path(*at)));
    if (!address || !exchange.offers(Action::list, *address)) continue;
    if (count++ == places_.directory_page) {
      lines.append("# more: ").append(spot.address).append("?after=");
      lines.append(encode_component(last)).append("\n");
      break;
    }
    lines.append(address->text()).append("\n");
    last = *at;
  }
  Content content = Content::text(std::move(lines));
  content.mime = "inode/directory";
  return content;
}

Result<Outcome> BacklogFiles::read(const Exchange& exchange, const BacklogSpot& spot,
                                   const Uri& uri) const {
  const auto& workspace = workspace_of(spot);
  auto opened = workspace.open_real(spot.place);
  if (!opened) return no_such();
  const auto real = Workspace::absolute(opened->real);
  // A link on the way may lead elsewhere since the address was admitted.
  if (!exchange.may(Action::read, file_uri(real), FileBehind{})) return no_such();
  const OpenFile& file = opened->file;
  auto content = file.is_directory() ? directory_content(exchange, spot, *opened,
                                                         uri.query_value("after").value_or(""))
                                     : file_content(file, last_name(spot.path));
  if (!content) return std::move(content).error();
  content->uri = uri.text();
  content->modified = modified_of(file.info);
  content->version = content_hash(content->bytes);
  content->origin = spot.owner ? kOfUser : kOfWorkspace;
  Contents contents;
  contents.stamp = stamp_of(file.info);
  contents.stamp_now = [owner = spot.owner, place = spot.place] {
    return place.tree->root.stamp(place.relative);
  };
  contents.files = {file_uri(real)};
  contents.items.push_back(std::move(*content));
  // Which file it is depends on what else is there: nobody tells of that.
  if (spot.looked_up) contents.ttl = std::chrono::milliseconds(0);
  return contents;
}

Result<Page<Entry>> BacklogFiles::children(const Exchange& exchange, const BacklogSpot& spot,
                                           const ListQuery& query) const {
  const auto& workspace = workspace_of(spot);
  const auto opened = workspace.open_real(spot.place);
  if (!opened) return no_such();
  if (!opened->file.is_directory()) return invalid("not a directory");
  const auto real = file_uri(Workspace::absolute(opened->real));
  if (!exchange.may(Action::read, real, FileBehind{})) return no_such();
  auto names = workspace.names(*opened);
  if (!names) return no_such();
  Page<Entry> page;
  for (auto at = std::upper_bound(names->begin(), names->end(), query.after); at != names->end();
       ++at) {
    if (page.items.size() == query.limit) {
      page.next = page.items.back().name;
      break;
    }
    const auto info = workspace.look({spot.place.tree, join_path(spot.place.relative, *at)});
    if (!info) continue;
    Entry entry;
    entry.uri = join_path(spot.address, encode_path(*at));
    entry.name = *at;
    entry.modified = modified_of(*info);
    const bool directory = S_ISDIR(info->st_mode);
    entry.mime = directory ? "inode/directory" : mime_type(*at, "");
    if (!directory) entry.size = info->st_size;
    page.items.push_back(std::move(entry));
  }
  return page;
}

std::vector<std::string> BacklogFiles::complete(const Exchange& exchange, std::string_view base,
                                                std::string_view value) const {
  std::vector<std::string> out;
  const auto slash = value.rfind('/');
  const auto typed = slash == std::string_view::npos ? "" : value.substr(0, slash);
  const auto directory = resolve_dots(typed);
  if (!directory) return out;
  const auto spot = base == kResources ? find_resource(*directory) : find_artifact(*directory);
  const auto opened = spot ? workspace_of(*spot).open_real(spot->place) : no_such();
  if (!opened || exchange.refuses(Action::complete, Workspace::absolute(opened->real), true)) {
    return out;
  }
  const auto names = workspace_of(*spot).names(*opened);
  if (!names) return out;
  for (const auto& name : *names) {
    if (name.starts_with(last_name(value))) out.push_back(join_path(typed, name));
  }
  return out;
}

}  // namespace lode
