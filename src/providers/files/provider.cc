#include "providers/files/provider.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "workspace/mime.h"

namespace lode {
namespace {

constexpr std::string_view kTemplate = "file:///{+path}";

Error no_such_file() { return not_found("no such resource"); }

std::string absolute(const Root& root, std::string_view relative) {
  return relative.empty() ? root.path() : join_path(root.path(), relative);
}

Entry entry_of(const Root& root, const std::string& relative, const struct stat& info) {
  Entry entry;
  entry.uri = file_uri(absolute(root, relative));
  entry.name = last_name(relative);
  entry.modified = modified_of(info);
  const bool directory = S_ISDIR(info.st_mode);
  entry.mime = directory ? "inode/directory" : mime_type(entry.name, "");
  if (!directory) entry.size = info.st_size;
  return entry;
}

// The rest is found in its directory.
bool worth_listing(std::string_view name, bool directory) {
  if (directory) return name.front() != '.';
  constexpr std::string_view kReadme = "readme";
  return name.size() >= kReadme.size() &&
         std::equal(kReadme.begin(), kReadme.end(), name.begin(),
                    [](char wanted, char c) { return (c | 32) == wanted; });
}

}  // namespace

FilesProvider::FilesProvider(const Workspace& workspace, FilesLimits limits, Revision revision)
    : workspace_(workspace),
      limits_(limits),
      revision_(std::move(revision)),
      manifest_(std::make_shared<const Manifest>(make_manifest())) {}

Manifest FilesProvider::make_manifest() {
  const auto answer = [this](const Exchange& exchange, const Address& address) {
    return read(exchange, address);
  };
  Manifest manifest;
  manifest.name = "files";
  manifest.families = {{"file:///"}};
  manifest.routes = {{{std::string(kTemplate), "file", "File of the workspace",
                       "A file, or a directory's entries, by absolute path.", ""},
                      answer},
                     {{"file:///", "", "", "", ""}, answer, false}};
  return manifest;
}

Uri FilesProvider::canonical(const Uri& uri) const {
  const bool one_host = uri.has_authority() && uri.authority().empty();
  if (one_host && plain_path(uri.path()) && !uri.has_query()) return uri;
  const auto path = decoded_path(uri);
  if (!path) return uri;
  const auto after = uri.query_value("after");
  auto one = Uri::parse(file_uri(*path) + (after ? "?after=" + encode_component(*after) : ""));
  if (!one) return uri;
  return std::move(*one);
}

std::optional<Workspace::Place> FilesProvider::find(const Uri& uri) const {
  const auto path = decoded_path(uri);
  return path ? workspace_.find(*path) : std::nullopt;
}

std::optional<FileBehind> FilesProvider::file_behind(const Uri& uri) const {
  auto path = decoded_path(uri);
  if (!path) return std::nullopt;
  return FileBehind{std::move(*path), true};
}

std::optional<std::string> FilesProvider::local_path(const Uri& uri) const {
  const auto place = find(uri);
  if (!place || !workspace_.open(*place)) return std::nullopt;
  return absolute(place->tree->root, place->relative);
}

// Keys are paths as the file system has them: a page begins after the last path of the
// page before. Not every path has an address.
Result<Page<Entry>> FilesProvider::list(const Exchange&, const ListQuery& query) {
  Page<Entry> page;
  page.fresh_while = freshness();  // before anything is looked at
  std::string last;
  for (auto* tree : trees()) add_entries(*tree, query, page, last);
  return page;
}

std::vector<Workspace::Tree*> FilesProvider::trees() const {
  std::vector<Workspace::Tree*> trees;
  for (auto& tree : workspace_.trees()) trees.push_back(&tree);
  std::sort(trees.begin(), trees.end(),
            [](const auto* a, const auto* b) { return a->root.path() < b->root.path(); });
  return trees;
}

// The roots' own stamps say at once what the revision says when the watcher has told.
std::optional<Freshness> FilesProvider::freshness() const {
  const auto revision = revision_ ? revision_() : 0;
  if (revision == 0) return std::nullopt;
  Freshness fresh;
  fresh.stamps.push_back({revision, revision_});
  for (const auto& tree : workspace_.trees()) {
    const auto root = tree.root.open_inside("");
    if (!root || !has_settled(root->info)) return std::nullopt;
    fresh.stamps.push_back({stamp_of(root->info), [&tree] { return tree.root.stamp(""); }});
  }
  return fresh;
}

void FilesProvider::add_entries(Workspace::Tree& tree, const ListQuery& query, Page<Entry>& page,
                                std::string& last) const {
  auto names = workspace_.names({&tree, ""});
  if (!names) return;
  for (const auto& name : *names) {
    if (!page.next.empty()) return;
    if (absolute(tree.root, name) <= query.after) continue;
    if (!worth_listing(name, true) && !worth_listing(name, false)) continue;
    const auto info = workspace_.look({&tree, name});
    const bool directory = info && S_ISDIR(info->st_mode);
    if (!info || !worth_listing(name, directory)) continue;
    if (tree.ignore.ignored(name, directory)) continue;
    if (page.items.size() == query.limit) {
      page.next = std::move(last);
      return;
    }
    page.items.push_back(entry_of(tree.root, name, *info));
    last = absolute(tree.root, name);
  }
}

// A link on the way may lead elsewhere since the address was admitted.
Result<std::vector<std::string>> FilesProvider::names_in(const Exchange& exchange,
                                                         const Workspace::Opened& opened) const {
  const auto real = file_uri(Workspace::absolute(opened.real));
  if (!exchange.may(Action::read, real, FileBehind{})) return no_such_file();
  auto names = workspace_.names(opened);
  if (!names) return no_such_file();
  return names;
}

// Entries that the caller may not know of are left out, and neither fill the page nor end it.
Result<Content> FilesProvider::directory_content(const Exchange& exchange,
                                                 const Workspace::Place& place,
                                                 const Workspace::Opened& opened,
                                                 const std::string& after) const {
  auto names = names_in(exchange, opened);
  if (!names) return no_such_file();
  const std::string directory = absolute(place.tree->root, place.relative);
  std::string lines;
  std::string_view last;
  std::size_t count = 0;
  for (auto at = std::upper_bound(names->begin(), names->end(), after); at != names->end(); ++at) {
    const auto address = Uri::parse(file_uri(join_path(directory, *at)));
    if (!address || !exchange.offers(Action::list, *address)) continue;
    if (count++ == limits_.directory_page) {
      const std::string rest = "?after=" + encode_component(last);
      lines.append("# more: ").append(file_uri(directory)).append(rest).append("\n");
      break;
    }
    lines.append(address->text()).append("\n");
    last = *at;
  }
  Content content = Content::text(std::move(lines));
  content.mime = "inode/directory";
  return content;
}

Result<Content> FilesProvider::file_content(const OpenFile& file, std::string_view name) const {
  auto bytes = read_all(file, limits_.file_bytes);
  if (!bytes) return std::move(bytes).error();
  Content content;
  const bool text = bytes->find('\0') == std::string::npos && valid_utf8(*bytes);
  content.form = text ? Content::Form::text : Content::Form::binary;
  content.mime = mime_type(name, std::string_view(*bytes).substr(0, kMimeHead));
  content.bytes = std::move(*bytes);
  return content;
}

Result<Outcome> FilesProvider::read(const Exchange& exchange, const Address& address) const {
  const auto place = find(address.uri());
  if (!place) return no_such_file();
  auto opened = workspace_.open_real(*place);
  if (!opened) return no_such_file();
  const OpenFile& file = opened->file;
  // In no template, since nobody makes it up: a directory's page names the next.
  const auto after = address.uri().query_value("after").value_or("");
  const std::string path = absolute(place->tree->root, place->relative);
  auto content = file.is_directory() ? directory_content(exchange, *place, *opened, after)
                                     : file_content(file, last_name(path));
  if (!content) return std::move(content).error();
  content->uri = address.uri().text();
  content->modified = modified_of(file.info);
  content->version = content_hash(content->bytes);
  content->origin = kOfWorkspace;
  Contents contents;
  contents.stamp = stamp_of(file.info);
  contents.stamp_now = [place = *place] { return place.tree->root.stamp(place.relative); };
  contents.files = {file_uri(Workspace::absolute(opened->real))};
  contents.items.push_back(std::move(*content));
  return contents;
}

// Keys are names.
Result<Page<Entry>> FilesProvider::children(const Exchange& exchange, const Uri& uri,
                                            const ListQuery& query) {
  const auto place = find(uri);
  const auto opened = place ? workspace_.open_real(*place) : no_such_file();
  if (!opened) return no_such_file();
  if (!opened->file.is_directory()) return invalid("not a directory");
  auto names = names_in(exchange, *opened);
  if (!names) return no_such_file();
  Page<Entry> page;
  for (auto at = std::upper_bound(names->begin(), names->end(), query.after); at != names->end();
       ++at) {
    if (page.items.size() == query.limit) {
      page.next = page.items.back().name;
      break;
    }
    const std::string relative = join_path(place->relative, *at);
    auto file = workspace_.open({place->tree, relative});
    if (file) page.items.push_back(entry_of(place->tree->root, relative, file->info));
  }
  return page;
}

Result<Completions> FilesProvider::complete(const Exchange& exchange,
                                            const CompletionQuery& query) {
  Completions found;
  if (query.name != kTemplate || query.argument != "path") return found;
  // The template's path has no leading slash; a root's has.
  const std::string typed = "/" + query.value;
  for (auto& tree : workspace_.trees()) {
    const std::string root = join_path(tree.root.path(), "");
    const std::string begin = root.ends_with('/') ? root : root + "/";
    if (!typed.starts_with(begin) && begin.starts_with(typed)) {
      found.values.push_back(begin.substr(1));
    }
  }
  const auto slash = typed.rfind('/');
  const auto place = workspace_.find(slash == 0 ? "/" : typed.substr(0, slash));
  const auto opened = place ? workspace_.open_real(*place) : no_such_file();
  if (!opened || exchange.refuses(Action::complete, Workspace::absolute(opened->real), true)) {
    return found;
  }
  const auto names = workspace_.names(*opened);
  if (!names) return found;
  for (const auto& name : *names) {
    if (name.starts_with(last_name(typed))) {
      found.values.push_back((typed.substr(0, slash + 1) + name).substr(1));
    }
  }
  return found;
}

Status FilesProvider::watchable(const Uri& uri) const {
  const auto place = find(uri);
  if (!place || Workspace::is_followed(*place)) return {};
  return Error{Code::unsupported, std::string(kNotFollowed), {}};
}

void publish_changes(const Root& root, const Changes& changes, Events& events) {
  const auto tell = [&](Change::Kind kind, std::string_view relative) {
    events.publish({kind, file_uri(absolute(root, relative)), {}, {}, true});
  };
  if (changes.everything || changes.root_gone) tell(Change::Kind::tree, "");
  for (const auto& path : changes.trees) tell(Change::Kind::tree, path);
  for (const auto& path : changes.paths) tell(Change::Kind::resource, path);
  const ChangedNames names(changes);
  const auto entries = [&](std::string_view directory) {
    std::vector<Cause> causes;
    for (const auto& name : names.in(directory)) {
      const auto path = absolute(root, name);
      causes.push_back({file_uri(path), {path, true}, true});
    }
    return causes;
  };
  for (const auto& path : changes.listings) {
    events.publish({Change::Kind::resource, file_uri(absolute(root, path)), {}, entries(path)});
  }
  const bool top =
      std::find(changes.listings.begin(), changes.listings.end(), "") != changes.listings.end();
  if (top || changes.everything) {
    events.publish({Change::Kind::resource_list, "", {}, entries("")});
  }
}

}  // namespace lode
