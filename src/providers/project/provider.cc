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
#include "workspace/paths.h"

namespace lode {
namespace {

constexpr std::string_view kTemplate =
    "resource://project/{+path}/{aspect}{?pattern,exclude,max_depth,cursor}";

Manifest make_manifest() {
  Manifest manifest;
  manifest.name = "project";
  manifest.roots = {"resource://project"};
  manifest.templates = {{std::string(kTemplate), "project", "",
                         "A directory: aspect structure, summary or files", ""}};
  return manifest;
}

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

}  // namespace

ProjectProvider::ProjectProvider(ProjectParts parts, ProjectLimits limits)
    : parts_(std::move(parts)), limits_(limits), manifest_(make_manifest()) {}

Uri ProjectProvider::canonical(const Uri& uri) const {
  const auto address = ProjectAddress::parse(uri);
  if (!address) return uri;
  auto one = Uri::parse(address->uri());
  return one ? *one : uri;
}

std::uint64_t ProjectProvider::stamp(const Uri& uri) const {
  const auto address = ProjectAddress::parse(uri);
  return address ? stamp_of(*address) : 0;
}

// The workspace's watch leaves out what git keeps for itself.
std::uint64_t ProjectProvider::stamp_of(const ProjectAddress& address) const {
  const std::uint64_t revision = parts_.revision();
  if (revision == 0 || address.aspect != ProjectAspect::summary) return revision;
  const auto place = parts_.workspace.find_short(address.path);
  if (!place) return revision;
  std::uint64_t sum = revision;
  for (const auto& directory : upwards(place->relative)) {
    sum = sum * 31 + Git::stamp(place->tree->root, directory);
  }
  return sum == 0 ? 1 : sum;
}

// What is below something hidden is hidden.
bool ProjectProvider::is_hidden(const Principal& who, const Place& place) const {
  const auto all = upwards(place.relative);
  return std::any_of(all.begin(), all.end(), [&](const std::string& path) {
    return parts_.hidden(who, Workspace::absolute({place.tree, path}));
  });
}

std::optional<ProjectProvider::Seen> ProjectProvider::see(const Principal& who,
                                                          const Place& place) const {
  if (is_hidden(who, place)) return std::nullopt;
  const auto opened = parts_.workspace.open_real(place);
  if (!opened || is_hidden(who, opened->real)) return std::nullopt;
  return Seen{opened->real, opened->file.is_directory()};
}

// A directory behind a link is taken for the one that it leads to.
Result<Workspace::Place> ProjectProvider::find(const Principal& who,
                                               const ProjectAddress& address) const {
  const auto place = parts_.workspace.find_short(address.path);
  const auto seen = place ? see(who, *place) : std::nullopt;
  if (!seen) return no_such();
  if (seen->directory) return seen->place;
  const auto path = parts_.workspace.short_name(*place);
  return invalid(fmt::format("{} is a file; read resource://file/{}/structure or {}", visible(path),
                             encode_path(path), file_uri(Workspace::absolute(*place))));
}

// The nearest directory from the place up that is the top of a repository, or says
// that it is.
std::optional<std::string> ProjectProvider::repository_of(const Principal& who,
                                                          const Place& place) const {
  const Root& root = place.tree->root;
  for (auto& directory : upwards(place.relative)) {
    const Place mark{place.tree, join_path(directory, ".git")};
    if (root.stamp(mark.relative) == 0 && !check_git_directory(root, directory)) continue;
    if (parts_.hidden(who, Workspace::absolute(mark))) return std::nullopt;
    return std::move(directory);
  }
  return std::nullopt;
}

Result<Content> ProjectProvider::summary(const Exchange& exchange, const Place& place,
                                         const Survey& survey, bool& whole) {
  const auto repository = repository_of(exchange.who, place);
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

Content ProjectProvider::roots(const Principal& who) const {
  std::string text = "# Workspace\n\n";
  for (auto& tree : parts_.workspace.trees()) {
    if (parts_.hidden(who, tree.root.path())) continue;
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
    if (address.aspect == ProjectAspect::summary) return roots(exchange.who);
    return invalid(fmt::format("there are several roots: {} names them",
                               project_uri("", ProjectAspect::summary)));
  }
  auto place = find(exchange.who, address);
  if (!place) return std::move(place).error();
  const auto hidden = [&](const std::string& absolute) {
    return parts_.hidden(exchange.who, absolute);
  };
  auto survey = Survey::make(*place, parts_.workspace.secrets(), *choice, hidden, exchange);
  if (!survey) return std::move(survey).error();
  switch (address.aspect) {
    case ProjectAspect::structure: return structure(address, *place, *survey);
    case ProjectAspect::summary: return summary(exchange, *place, *survey, whole);
    case ProjectAspect::files: break;
  }
  return content_of(files_json(*survey, place->tree->root, place->relative, address, limits_.page),
                    "application/json");
}

Result<Outcome> ProjectProvider::read(const Exchange& exchange, const Uri& uri) {
  const auto address = ProjectAddress::parse(uri);
  if (!address) return address.error();
  Contents contents;
  contents.stamp = stamp_of(*address);
  bool whole = true;
  auto content = page(exchange, *address, whole);
  if (!content) return std::move(content).error();
  if (contents.stamp == 0 || !whole) contents.ttl = std::chrono::milliseconds(0);
  content->uri = uri.text();
  content->version = content_hash(content->bytes);
  contents.items.push_back(std::move(*content));
  return contents;
}

// Keys are the names of roots; one root has the name "".
Result<Page<Entry>> ProjectProvider::list(const Exchange& exchange, const ListQuery& query) {
  auto& trees = parts_.workspace.trees();
  Page<Entry> page;
  bool begun = query.after.empty();
  for (auto& tree : trees) {
    if (!std::exchange(begun, begun || tree.name == query.after)) continue;
    if (parts_.hidden(exchange.who, tree.root.path())) continue;
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
  if (query.name != kTemplate) return found;
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
      const bool hidden = parts_.hidden(exchange.who, tree.root.path());
      if (!hidden && tree.name.starts_with(begin)) found.values.push_back(tree.name);
    }
    return found;
  }
  const auto place = parts_.workspace.find_short(directory);
  const auto names = place ? parts_.workspace.names(*place) : no_such();
  if (!names) return found;
  for (const auto& name : *names) {
    const Place child{place->tree, join_path(place->relative, name)};
    if (!name.starts_with(begin)) continue;
    const auto seen = see(exchange.who, child);
    if (!seen || !seen->directory || child.tree->ignore.ignored(child.relative, true)) continue;
    found.values.push_back(join_path(directory, name));
  }
  return found;
}

// ---- changes ----

void ProjectProvider::publish(const Workspace::Tree& tree, const Changes& changes,
                              Events& events) const {
  for (const auto& uri : watched_.all()) {
    const auto address = ProjectAddress::parse(uri);
    if (!address) continue;
    const auto place = parts_.workspace.find_short(address->path);
    if (place && (place->tree != &tree || !touches(changes, place->relative))) continue;
    events.publish({Change::Kind::resource, std::string(uri.text())});
  }
}

}  // namespace lode
