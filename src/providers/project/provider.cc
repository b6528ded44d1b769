#include "providers/project/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "providers/project/facts.h"
#include "providers/project/line.h"
#include "providers/project/listing.h"
#include "providers/project/tree_text.h"
#include "workspace/git_directory.h"

namespace lode {
namespace {

Error no_such() { return not_found("no such resource"); }

Content content_of(std::string text, std::string_view mime) {
  Content content = Content::text(std::move(text));
  content.mime = mime;
  return content;
}

std::string name_of(const Workspace::Place& place) {
  return place.relative.empty() ? place.tree->name : std::string(last_name(place.relative));
}

// The directories from a path up, itself first and the root ("") last.
std::vector<std::string> upwards(std::string path) {
  std::vector<std::string> all{path};
  while (!path.empty()) {
    path = parent_path(path);
    all.push_back(path);
  }
  return all;
}

// What a page is made of: changes below the roots; of a summary also the repository's
// head, since the workspace's watch leaves out what git keeps for itself.
std::function<std::uint64_t()> stamp_of(const ProjectAddress& address, const Workspace& workspace,
                                        const std::function<std::uint64_t()>& revision) {
  const auto place = workspace.find_short(address.path);
  if (!place || address.aspect != ProjectAspect::summary) return revision;
  return [place = *place, directories = upwards(place->relative), revision]() -> std::uint64_t {
    std::uint64_t sum = revision();
    if (sum == 0) return 0;
    for (const auto& directory : directories) {
      sum = sum * 31 + Git::stamp(place.tree->root, directory);
    }
    return sum == 0 ? 1 : sum;
  };
}

}  // namespace

ProjectProvider::ProjectProvider(ProjectParts parts, ProjectLimits limits)
    : parts_(std::move(parts)),
      limits_(limits),
      manifest_(std::make_shared<const Manifest>(make_manifest())) {}

Manifest ProjectProvider::make_manifest() {
  const auto answer = [this](const Exchange& exchange, const Address& address) {
    return read(exchange, address);
  };
  const auto teach = [](const Exchange&, const Address& address) -> Result<Outcome> {
    return ProjectAddress::parse(address.uri()).error();
  };
  Manifest manifest;
  manifest.name = "project";
  manifest.families = {{"resource://project"}};
  manifest.routes = {{{std::string(kProjectTemplate), "project", "",
                       "A directory: aspect structure, summary or files", ""},
                      answer},
                     {{std::string(kRootTemplate), "", "", "", ""}, answer, false},
                     {{"resource://project", "", "", "", ""}, teach, false},
                     {{"resource://project/{+other}", "", "", "", ""}, teach, false}};
  return manifest;
}

Uri ProjectProvider::canonical(const Uri& uri) const {
  const auto address = ProjectAddress::parse(uri);
  if (!address) return uri;
  auto one = Uri::parse(address->uri());
  return one ? *one : uri;
}

std::optional<FileBehind> ProjectProvider::file_behind(const Uri& uri) const {
  const auto address = ProjectAddress::parse(uri);
  const auto place = address ? parts_.workspace.find_short(address->path) : std::nullopt;
  if (!place) return std::nullopt;
  return FileBehind{Workspace::absolute(*place), false};
}

std::optional<ProjectProvider::Seen> ProjectProvider::see(const Exchange& exchange,
                                                          const Place& place) const {
  if (exchange.hides(Workspace::absolute(place), true)) return std::nullopt;
  const auto opened = parts_.workspace.open_real(place);
  if (!opened || exchange.hides(Workspace::absolute(opened->real), true)) return std::nullopt;
  return Seen{opened->real, opened->file.is_directory()};
}

// A directory behind a link is taken for the one that it leads to.
Result<Workspace::Place> ProjectProvider::find(const Exchange& exchange,
                                               const ProjectAddress& address) const {
  const auto place = parts_.workspace.find_short(address.path);
  const auto seen = place ? see(exchange, *place) : std::nullopt;
  if (!seen) return no_such();
  if (seen->directory) return seen->place;
  const auto path = parts_.workspace.short_name(*place);
  return invalid(fmt::format("{} is a file; read resource://file/{}/structure or {}", visible(path),
                             encode_path(path), file_uri(Workspace::absolute(*place))));
}

// The nearest directory from the place up that is the top of a repository, or says
// that it is.
std::optional<std::string> ProjectProvider::repository_of(const Exchange& exchange,
                                                          const Place& place) {
  const Root& root = place.tree->root;
  for (auto& directory : upwards(place.relative)) {
    const Place mark{place.tree, join_path(directory, ".git")};
    if (root.stamp(mark.relative) == 0 && !check_git_directory(root, directory)) continue;
    if (exchange.hides(Workspace::absolute(mark), true)) return std::nullopt;
    return std::move(directory);
  }
  return std::nullopt;
}

Result<Content> ProjectProvider::summary(const Exchange& exchange, const Place& place,
                                         const Survey& survey, bool& whole) {
  const auto repository = repository_of(exchange, place);
  auto facts = gather_facts({counts_, git_}, place, survey, repository, exchange);
  if (!facts) return std::move(facts).error();
  facts->name = name_of(place);
  // A repository elsewhere changes without being seen.
  const bool followed = !facts->head || Git::stamp(place.tree->root, repository.value_or("")) != 0;
  const bool in_time = facts->uncounted == 0 && (!facts->history || facts->history->in_time);
  whole = followed && in_time;
  return content_of(summary_page(*facts), "text/markdown");
}

Content ProjectProvider::structure(const ProjectAddress& address, const Place& place,
                                   const Survey& survey) const {
  const std::size_t depth = address.max_depth.value_or(limits_.tree_depth);
  const auto tree = tree_text(survey.items(), {depth, limits_.tree_lines});
  std::string text =
      fmt::format("{}: {}, {}{}\n", visible(name_of(place)),
                  counted(survey.count(Survey::Kind::file), "file", "files"),
                  counted(survey.count(Survey::Kind::directory), "directory", "directories"),
                  place.tree->ignore.ignored(place.relative, true) ? " (ignored by git)" : "");
  text += tree.text;
  const auto below = join_path(address.path, "DIRECTORY");
  if (tree.cut_by_lines) {
    text += fmt::format("Cut at {} lines: read {} for one directory, or give a pattern.\n",
                        limits_.tree_lines, project_uri(below, ProjectAspect::structure));
  } else if (tree.cut_by_depth) {
    text += fmt::format("Depth {}: more with max_depth, or with {}.\n", depth,
                        project_uri(below, ProjectAspect::structure));
  }
  if (!survey.complete()) text += "There is more than a walk takes in.\n";
  return content_of(std::move(text), "text/plain");
}

Content ProjectProvider::roots(const Exchange& exchange) const {
  std::string text = "# Workspace\n\n";
  for (auto& tree : parts_.workspace.trees()) {
    if (exchange.hides(tree.root.path(), true)) continue;
    text += fmt::format("- {}: {}\n", visible(tree.name),
                        project_uri(tree.name, ProjectAspect::summary));
  }
  return content_of(std::move(text), "text/markdown");
}

Result<Content> ProjectProvider::page(const Exchange& exchange, const ProjectAddress& address,
                                      bool& whole) {
  auto choice = PathChoice::parse(address.pattern, address.exclude);
  if (!choice) return std::move(choice).error();
  if (address.path.empty() && parts_.workspace.trees().size() > 1) {
    if (address.aspect == ProjectAspect::summary) return roots(exchange);
    return invalid(fmt::format("there are several roots: {} names them",
                               project_uri("", ProjectAspect::summary)));
  }
  auto place = find(exchange, address);
  if (!place) return std::move(place).error();
  auto survey = Survey::make(*place, parts_.workspace.secrets(), *choice, exchange);
  if (!survey) return std::move(survey).error();
  switch (address.aspect) {
    case ProjectAspect::structure: return structure(address, *place, *survey);
    case ProjectAspect::summary: return summary(exchange, *place, *survey, whole);
    case ProjectAspect::files: break;
  }
  return content_of(files_json(*survey, place->tree->root, place->relative, address, limits_.page),
                    "application/json");
}

Result<Outcome> ProjectProvider::read(const Exchange& exchange, const Address& asked) {
  const auto address = ProjectAddress::parse(asked);
  if (!address) return address.error();
  Contents contents;
  contents.stamp_now = stamp_of(*address, parts_.workspace, parts_.revision);
  contents.stamp = contents.stamp_now();
  bool whole = true;
  auto content = page(exchange, *address, whole);
  if (!content) return std::move(content).error();
  if (contents.stamp == 0 || !whole) contents.ttl = std::chrono::milliseconds(0);
  content->uri = asked.uri().text();
  content->version = content_hash(content->bytes);
  content->origin = kOfWorkspace;
  contents.items.push_back(std::move(*content));
  return contents;
}

// Keys are the names of roots; one root has the name "".
Result<Page<Entry>> ProjectProvider::list(const Exchange& exchange, const ListQuery& query) {
  auto& trees = parts_.workspace.trees();
  Page<Entry> page;
  page.fresh_while.emplace();  // the roots are those of the start
  bool begun = query.after.empty();
  for (auto& tree : trees) {
    if (!std::exchange(begun, begun || tree.name == query.after)) continue;
    if (exchange.hides(tree.root.path(), true)) continue;
    if (page.items.size() == query.limit) {
      page.next = page.items.back().name;
      break;
    }
    Entry entry;
    entry.uri = project_uri(trees.size() == 1 ? "" : tree.name, ProjectAspect::summary);
    entry.name = tree.name;
    entry.description = "What this project is, and how to build and test it";
    entry.mime = "text/markdown";
    page.items.push_back(std::move(entry));
  }
  return page;
}

Result<Completions> ProjectProvider::complete(const Exchange& exchange,
                                              const CompletionQuery& query) {
  Completions found;
  if (query.name != kProjectTemplate) return found;
  if (query.argument == "aspect") {
    for (const auto aspect : kProjectAspects) {
      if (aspect.starts_with(query.value)) found.values.emplace_back(aspect);
    }
    return found;
  }
  if (query.argument != "path") return found;
  const std::string directory(parent_path(query.value));
  const auto begin = last_name(query.value);
  if (directory.empty() && parts_.workspace.trees().size() > 1) {
    for (auto& tree : parts_.workspace.trees()) {
      const bool hidden = exchange.hides(tree.root.path(), true);
      if (!hidden && tree.name.starts_with(begin)) found.values.push_back(tree.name);
    }
    return found;
  }
  const auto place = parts_.workspace.find_short(directory);
  const auto shown = place ? see(exchange, *place) : std::nullopt;
  if (!shown || exchange.refuses(Action::complete, Workspace::absolute(shown->place), true)) {
    return found;
  }
  const auto names = parts_.workspace.names(shown->place);
  if (!names) return found;
  for (const auto& name : *names) {
    if (!name.starts_with(begin)) continue;
    const auto child = parts_.workspace.find_short(join_path(directory, name));
    const auto seen = child ? see(exchange, *child) : std::nullopt;
    if (!seen || !seen->directory || child->tree->ignore.ignored(child->relative, true)) continue;
    // Without an aspect the address is none yet: the engine cannot ask about it.
    const auto uri = Uri::parse("resource://project/" + encode_path(join_path(directory, name)));
    const FileBehind file{Workspace::absolute(*child), false};
    if (!query.context.contains("aspect") &&
        (!uri || !exchange.offers(Action::complete, *uri, file))) {
      continue;
    }
    found.values.push_back(join_path(directory, name));
  }
  return found;
}

// ---- changes ----

Status ProjectProvider::watchable(const Uri& uri) const {
  const auto address = ProjectAddress::parse(uri);
  return address ? Status() : address.error();
}

// A page has nothing of the files that are hidden from the caller.
void ProjectProvider::publish(const Workspace::Tree& tree, const Changes& changes,
                              Events& events) const {
  const ChangedNames names(changes);
  for (const auto& uri : watched_.all()) {
    const auto address = ProjectAddress::parse(uri);
    if (!address) continue;
    const auto place = parts_.workspace.find_short(address->path);
    if (place && (place->tree != &tree || !touches(changes, place->relative))) continue;
    std::vector<Cause> files;
    for (const auto& name : names.below(place ? place->relative : "")) {
      files.push_back({"", {Workspace::absolute(tree, name), false}, true});
    }
    events.publish({Change::Kind::resource, std::string(uri.text()), {}, std::move(files)});
  }
}

}  // namespace lode
