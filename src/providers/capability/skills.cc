#include "providers/capability/skills.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "workspace/mime.h"

namespace lode {
namespace {

constexpr std::string_view kDirectory = "inode/directory";
constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::size_t kMostCompletions = 101;  // one more than is shown tells that there are more

Error no_such() { return not_found("no such resource"); }

// The path that an address names; nothing if no file can have it.
std::optional<std::string> path_in(const Uri& uri) {
  std::string path;
  for (const auto& segment : uri.segments()) {
    if (segment.find('/') != std::string::npos || segment.find('\0') != std::string::npos) {
      return std::nullopt;
    }
    if (!segment.empty()) path.append(path.empty() ? "" : "/").append(segment);
  }
  return path;
}

Entry entry_of_member(const SkillSpot& spot, const SkillFolder::Member& member) {
  Entry entry;
  entry.uri = skill_address(spot.name, member.path);
  entry.name = member.name();
  entry.modified = modified_of(member.info);
  entry.mime = member.is_directory() ? kDirectory : mime_type(entry.name, "");
  if (!member.is_directory()) entry.size = member.info.st_size;
  return entry;
}

}  // namespace

SkillShelf::SkillShelf(const Collection& collection, SkillLimits limits)
    : collection_(collection), limits_(limits), names_(collection), manifests_(limits) {}

// ---- addresses ----

std::optional<SkillFolder> SkillShelf::folder_of(const SkillSpot& spot) const {
  auto folder = collection_.folder(spot.source);
  if (!folder) return std::nullopt;
  return SkillFolder(std::move(folder), spot);
}

std::optional<SkillShelf::Target> SkillShelf::find(const Uri& uri) const {
  const auto names = names_.now();
  const auto spot = names->spots.find(uri.authority());
  auto path = path_in(uri);
  if (spot == names->spots.end() || !path) return std::nullopt;
  auto folder = folder_of(spot->second);
  if (!folder) return std::nullopt;
  return Target{std::move(*folder), std::move(*path)};
}

Uri SkillShelf::canonical(const Uri& uri) const {
  const auto path = path_in(uri);
  if (!path || !uri.has_authority()) return uri;
  const auto after = uri.query_value("after");
  auto one = Uri::parse(skill_address(uri.authority(), *path) +
                        (after ? "?after=" + encode_component(*after) : ""));
  if (!one) return uri;
  return std::move(*one);
}

std::optional<FileBehind> SkillShelf::file_behind(const Uri& uri) const {
  const auto target = find(uri);
  if (!target) {  // the file that it would have
    const auto path = path_in(uri);
    const auto& workspace = collection_.folders().workspace;
    if (!path || workspace.empty()) return std::nullopt;
    return FileBehind{fmt::format("{}/skill/{}/{}", workspace, uri.authority(), *path), false,
                      true};
  }
  const auto& spot = target->folder.spot();
  const auto below = spot.alone ? spot.file : target->folder.below_root(target->path);
  FileBehind file{collection_.path_of(FilePlace{spot.source, below}), false, true};
  if (target->path == SkillFolder::kSheet) file.also = {spot.element_uri()};
  return file;
}

std::optional<std::string> SkillShelf::local_path(const Uri& uri) const {
  const auto target = find(uri);
  if (!target || !target->folder.open(target->path)) return std::nullopt;
  return target->folder.local_path(target->path);
}

Completions SkillShelf::complete(const CompletionQuery& query, const Shows& shows) const {
  Completions found;
  const auto names = names_.now();
  const auto& spots = names->spots;
  if (query.argument == "name") {
    for (auto at = spots.lower_bound(query.value); at != spots.end(); ++at) {
      if (!at->first.starts_with(query.value) || found.values.size() == kMostCompletions) break;
      if (!shows || shows(skill_address(at->first, ""))) found.values.push_back(at->first);
    }
  }
  const auto* name = query.context.if_contains("name");
  if (query.argument != "path" || name == nullptr || !name->is_string()) return found;
  const auto spot = spots.find(std::string_view(name->get_string()));
  const auto folder = spot == spots.end() ? std::nullopt : folder_of(spot->second);
  if (!folder) return found;
  const auto slash = std::min(query.value.rfind('/'), query.value.size());
  const auto directory = slash == query.value.size() ? "" : query.value.substr(0, slash);
  const auto fits = [&](std::string_view path) {
    return path.starts_with(query.value) && (!shows || shows(skill_address(spot->first, path)));
  };
  const auto listing = folder->list(directory, "", limits_.directory_page, fits);
  if (!listing) return found;
  for (const auto& member : listing->members) found.values.push_back(member.path);
  return found;
}

// ---- manifests ----

Result<Skill> SkillShelf::skill_at(const SkillSpot& spot, const std::stop_token& stop) const {
  const auto folder = folder_of(spot);
  auto skill = folder ? manifests_.skill(*folder, stop) : no_such();
  const Lock lock(mutex_);
  if (skill) {
    amiss_.erase(spot.name);
  } else if (skill.error().code == Code::unsupported || skill.error().code == Code::invalid) {
    amiss_[spot.name] = {collection_.shown({spot.source, spot.file}), 1,
                         skill.error().message + " (the skill is not listed)", spot.element_uri()};
  }
  return skill;
}

Result<Page<Skill>> SkillShelf::list(const ListQuery& query, const std::stop_token& stop) const {
  const auto names = names_.now();
  Page<Skill> page;
  std::size_t looked_at = 0;
  for (auto at = names->spots.upper_bound(query.after); at != names->spots.end(); ++at) {
    if (looked_at++ == query.limit) {
      page.next = std::prev(at)->first;
      break;
    }
    auto skill = skill_at(at->second, stop);
    if (skill) {
      page.items.push_back(std::move(*skill));
    } else if (skill.error().code == Code::cancelled) {
      return std::move(skill).error();
    }
  }
  return page;
}

Result<Skill> SkillShelf::get(const Uri& uri, const std::stop_token& stop) const {
  const auto target = find(uri);
  if (!target || target->path != SkillFolder::kSheet) return not_found("no such resource");
  return skill_at(target->folder.spot(), stop);
}

std::vector<Problem> SkillShelf::problems(std::size_t most) const {
  const auto names = names_.now();
  auto out = names->problems;
  const Lock lock(mutex_);
  std::erase_if(amiss_, [&](const auto& item) { return !names->spots.contains(item.first); });
  for (const auto& [name, problem] : amiss_) out.push_back(problem);
  auto links = collection_.link_problems();
  std::move(links.begin(), links.end(), std::back_inserter(out));
  if (out.size() > most) out.resize(most);
  return out;
}

// ---- resources ----

Result<Entry> SkillShelf::entry_of(const SkillFolder& folder) const {
  auto sheet = manifests_.sheet(folder);
  if (!sheet) return std::move(sheet).error();
  Entry entry;
  entry.uri = (*sheet)->file.uri;
  entry.name = folder.spot().name;
  if (folder.spot().title != entry.name) entry.title = folder.spot().title;
  entry.description = (*sheet)->description;
  entry.mime = kMarkdown;
  entry.size = (*sheet)->file.size;
  entry.modified = (*sheet)->modified;
  return entry;
}

Page<Entry> SkillShelf::entries(const ListQuery& query) const {
  const auto names = names_.now();
  Page<Entry> page;
  std::size_t looked_at = 0;
  for (auto at = names->spots.upper_bound(query.after); at != names->spots.end(); ++at) {
    if (looked_at++ == query.limit) {
      page.next = std::prev(at)->first;
      break;
    }
    const auto folder = folder_of(at->second);
    auto entry = folder ? entry_of(*folder) : no_such();
    if (entry) page.items.push_back(std::move(*entry));
  }
  return page;
}

Result<Content> SkillShelf::directory_content(const Target& target, const Uri& uri,
                                              const Shows& shows) const {
  const auto& name = target.folder.spot().name;
  const auto after = uri.query_value("after").value_or("");
  const auto shown = [&](std::string_view path) {
    return !shows || shows(skill_address(name, path));
  };
  auto listing = target.folder.list(target.path, after, limits_.directory_page, shown);
  if (!listing) return std::move(listing).error();
  std::string lines;
  for (const auto& member : listing->members) {
    lines.append(skill_address(name, member.path)).append("\n");
  }
  if (listing->more) {
    const auto rest = encode_component(listing->members.back().name());
    lines.append("# more: ").append(skill_address(name, target.path));
    lines.append("?after=").append(rest).append("\n");
  }
  Content content = Content::text(std::move(lines));
  content.mime = kDirectory;
  return content;
}

Result<Content> SkillShelf::file_content(const Target& target, const OpenFile& file) const {
  Content content;
  if (target.path == SkillFolder::kSheet) {
    auto made = read_skill_text(target.folder.spot(), file);
    if (!made) return std::move(made).error();
    content.bytes = std::move(made->text);
    content.mime = kMarkdown;
  } else {
    auto bytes = read_all(file, limits_.bytes);
    if (!bytes) return std::move(bytes).error();
    content.bytes = std::move(*bytes);
    content.mime = mime_type(target.path, std::string_view(content.bytes).substr(0, kMimeHead));
  }
  const bool text = content.bytes.find('\0') == std::string::npos && valid_utf8(content.bytes);
  content.form = text ? Content::Form::text : Content::Form::binary;
  return content;
}

Result<Contents> SkillShelf::read(const Uri& uri, const Shows& shows) const {
  const auto target = find(uri);
  auto file = target ? target->folder.open(target->path) : no_such();
  if (!file) return no_such();
  auto content =
      file->is_directory() ? directory_content(*target, uri, shows) : file_content(*target, *file);
  if (!content) return std::move(content).error();
  content->uri = uri.text();
  content->modified = modified_of(file->info);
  content->version = content_hash(content->bytes);
  Contents contents;
  contents.stamp = stamp_of(file->info);
  contents.stamp_now = [folder = target->folder, path = target->path] {
    return folder.stamp(path);
  };
  content->origin =
      collection_.is_of_workspace(target->folder.spot().source) ? kOfWorkspace : kOfUser;
  contents.items.push_back(std::move(*content));
  return contents;
}

Result<Page<Entry>> SkillShelf::children(const Uri& uri, const ListQuery& query) const {
  const auto target = find(uri);
  auto directory = target ? target->folder.open(target->path) : no_such();
  if (!directory) return no_such();
  if (!directory->is_directory()) return invalid("not a directory");
  auto listing = target->folder.list(target->path, query.after, query.limit);
  if (!listing) return std::move(listing).error();
  Page<Entry> page;
  for (const auto& member : listing->members) {
    auto sheet = member.path == SkillFolder::kSheet ? entry_of(target->folder) : no_such();
    page.items.push_back(sheet ? std::move(*sheet)
                               : entry_of_member(target->folder.spot(), member));
  }
  if (listing->more) page.next = listing->members.back().name();
  return page;
}

}  // namespace lode
