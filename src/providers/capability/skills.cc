#include "providers/capability/skills.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "providers/capability/skill_text.h"
#include "workspace/mime.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

using namespace std::chrono_literals;
using WallClock = std::chrono::system_clock;

constexpr std::string_view kSheet = "SKILL.md";
constexpr std::string_view kDirectory = "inode/directory";
constexpr std::string_view kMarkdown = "text/markdown";
// A file's times move in steps; what changed within one may change again unseen.
constexpr auto kSettled = 50ms;
constexpr std::size_t kMostCompletions = 101;  // one more than is shown tells that there are more

Error no_such() { return not_found("no such resource"); }

WallClock::time_point time_of(const struct timespec& time) {
  return WallClock::from_time_t(time.tv_sec) +
         std::chrono::duration_cast<WallClock::duration>(std::chrono::nanoseconds(time.tv_nsec));
}

bool has_settled(const struct stat& info) {
  return WallClock::now() - time_of(info.st_ctim) > kSettled;
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  ::SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  std::string out = "sha256:";
  for (const unsigned byte : digest) out += fmt::format("{:02x}", byte);
  return out;
}

std::string address(std::string_view name, std::string_view path) {
  std::string out = fmt::format("skill://{}", name);
  return path.empty() ? out : out + "/" + encode_path(path);
}

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

std::string key_of(const SkillSpot& spot, std::string_view path) {
  return fmt::format("{}/{}/{}", spot.of_workspace ? 0 : 1, spot.folder, path);
}

}  // namespace

SkillShelf::SkillShelf(const Collection& collection, SkillLimits limits)
    : collection_(collection),
      limits_(limits),
      names_(collection),
      sheets_(limits.kept_bytes / 2),
      digests_(limits.kept_bytes / 2) {}

// ---- addresses ----

std::optional<SkillShelf::Target> SkillShelf::find(const Uri& uri) const {
  Target target;
  target.names = names_.now();
  const auto spot = target.names->spots.find(uri.authority());
  auto path = path_in(uri);
  if (!uri.has_authority() || spot == target.names->spots.end() || !path) return std::nullopt;
  if (spot->second.alone && !path->empty() && *path != kSheet) return std::nullopt;
  target.spot = &spot->second;
  target.path = std::move(*path);
  return target;
}

std::optional<SkillFolder> SkillShelf::folder_of(const SkillSpot& spot) const {
  auto folder = collection_.folder(spot.of_workspace);
  if (!folder) return std::nullopt;
  return SkillFolder(std::move(folder), spot.folder);
}

namespace {

// Below the spot's folder: what stands for the path of an address.
std::string_view real_path(const SkillSpot& spot, std::string_view path) {
  if (!spot.alone) return path;
  return std::string_view(spot.file).substr(spot.file.rfind('/') + 1);
}

}  // namespace

Result<OpenFile> SkillShelf::open(const Target& target) const {
  const auto folder = folder_of(*target.spot);
  if (!folder) return no_such();
  return folder->open(real_path(*target.spot, target.path));
}

Uri SkillShelf::canonical(const Uri& uri) const {
  const auto path = path_in(uri);
  if (!path || !uri.has_authority()) return uri;
  const auto after = uri.query_value("after");
  auto one = Uri::parse(address(uri.authority(), *path) +
                        (after ? "?after=" + encode_component(*after) : ""));
  return one ? std::move(*one) : uri;
}

std::uint64_t SkillShelf::stamp(const Uri& uri) const {
  const auto target = find(uri);
  const auto folder = target ? folder_of(*target->spot) : std::nullopt;
  return folder ? folder->stamp(real_path(*target->spot, target->path)) : 0;
}

std::optional<std::string> SkillShelf::local_path(const Uri& uri) const {
  const auto target = find(uri);
  const auto folder = target ? collection_.folder(target->spot->of_workspace) : nullptr;
  if (!folder || !open(*target)) return std::nullopt;
  const auto& spot = *target->spot;
  const auto path = real_path(spot, target->path);
  const std::string below = path.empty() ? spot.folder : join_path(spot.folder, path);
  return join_path(folder->root().path(), below);
}

Completions SkillShelf::complete(const CompletionQuery& query) const {
  Completions found;
  const auto snapshot = names_.now();
  const auto& spots = snapshot->spots;
  if (query.argument == "name") {
    for (auto at = spots.lower_bound(query.value); at != spots.end(); ++at) {
      if (!at->first.starts_with(query.value) || found.values.size() == kMostCompletions) break;
      found.values.push_back(at->first);
    }
  }
  const auto* name = query.context.if_contains("name");
  if (query.argument != "path" || name == nullptr || !name->is_string()) return found;
  const auto spot = spots.find(std::string_view(name->get_string()));
  if (spot == spots.end()) return found;
  const auto slash = query.value.rfind('/');
  const Target directory{snapshot, &spot->second,
                         slash == std::string::npos ? "" : query.value.substr(0, slash)};
  auto listing = list_directory(directory, "", limits_.directory_page);
  if (!listing) return found;
  for (const auto& member : listing->members) {
    if (member.path.starts_with(query.value)) found.values.push_back(member.path);
  }
  return found;
}

// ---- manifests ----

Result<std::shared_ptr<const SkillShelf::Sheet>> SkillShelf::sheet_of(const SkillSpot& spot) const {
  auto file = open({nullptr, &spot, std::string(kSheet)});
  if (!file) return std::move(file).error();
  const std::string key = spot.name + "/" + key_of(spot, spot.file);
  const auto stamp = stamp_of(file->info);
  if (auto known = sheets_.find(key, stamp)) return known;
  auto made = text_in(spot, *file);
  if (!made) return std::move(made).error();
  Sheet sheet;
  sheet.file = {address(spot.name, kSheet), sha256(made->text),
                static_cast<std::int64_t>(made->text.size())};
  sheet.frontmatter = std::move(made->frontmatter);
  sheet.description = std::move(made->description);
  sheet.modified = time_of(file->info.st_mtim);
  const auto kept = std::make_shared<const Sheet>(std::move(sheet));
  // A parsed field takes about so many times its text.
  constexpr std::size_t kPerByte = 8;
  const std::size_t bytes = kPerByte * to_text(kept->frontmatter).size();
  if (has_settled(file->info)) sheets_.put(key, stamp, kept, sizeof(Sheet) + bytes);
  return kept;
}

Result<std::shared_ptr<const SkillShelf::Digest>> SkillShelf::digest_of(
    const SkillSpot& spot, const SkillFolder& folder, const SkillFolder::Member& member) const {
  const std::string key = key_of(spot, member.path);
  if (auto known = digests_.find(key, stamp_of(member.info))) return known;
  auto file = folder.open(member.path);
  if (!file || !file->is_regular()) return no_such();
  auto bytes = read_all(*file, limits_.bytes);
  if (!bytes) return std::move(bytes).error();
  const auto kept = std::make_shared<const Digest>(
      Digest{sha256(*bytes), static_cast<std::int64_t>(bytes->size())});
  if (has_settled(file->info)) digests_.put(key, stamp_of(file->info), kept, sizeof(Digest));
  return kept;
}

Result<Skill> SkillShelf::make_skill(const SkillSpot& spot, const std::stop_token& stop) const {
  const auto folder = folder_of(spot);
  if (!folder) return no_such();
  std::vector<SkillFolder::Member> members;
  if (!spot.alone) {
    auto files = folder->files(limits_);
    if (!files) return std::move(files).error();
    members = std::move(*files);
  }
  auto sheet = sheet_of(spot);
  if (!sheet) return std::move(sheet).error();
  Skill skill{(*sheet)->file.uri, (*sheet)->frontmatter, {}};
  if (spot.alone) skill.files.push_back((*sheet)->file);
  for (const auto& member : members) {
    if (stop.stop_requested()) return Error{Code::cancelled, "cancelled", {}};
    if (member.path == kSheet) {
      skill.files.push_back((*sheet)->file);
      continue;
    }
    std::string uri = address(spot.name, member.path);
    if (uri.size() > Uri::kMaxLength) continue;  // it cannot be asked for
    auto digest = digest_of(spot, *folder, member);
    if (!digest && digest.error().code == Code::not_found) continue;  // it has just gone
    if (!digest) return std::move(digest).error();
    skill.files.push_back({std::move(uri), (*digest)->text, (*digest)->size});
  }
  return skill;
}

Result<Skill> SkillShelf::skill_at(const SkillSpot& spot, const std::stop_token& stop) const {
  auto skill = make_skill(spot, stop);
  const Lock lock(mutex_);
  if (skill) {
    amiss_.erase(spot.name);
  } else if (skill.error().code == Code::unsupported || skill.error().code == Code::invalid) {
    amiss_[spot.name] = {spot.file, 1, skill.error().message + " (the skill is not listed)"};
  }
  return skill;
}

Result<Page<Skill>> SkillShelf::list(const ListQuery& query, const std::stop_token& stop) const {
  const auto snapshot = names_.now();
  Page<Skill> page;
  std::size_t looked_at = 0;
  for (auto at = snapshot->spots.upper_bound(query.after); at != snapshot->spots.end(); ++at) {
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
  if (!target || target->path != kSheet) return not_found("no such skill");
  return skill_at(*target->spot, stop);
}

std::vector<Problem> SkillShelf::problems(std::size_t most) const {
  const auto snapshot = names_.now();
  auto out = snapshot->problems;
  const Lock lock(mutex_);
  std::erase_if(amiss_, [&](const auto& item) { return !snapshot->spots.contains(item.first); });
  for (const auto& [name, problem] : amiss_) out.push_back(problem);
  if (out.size() > most) out.resize(most);
  return out;
}

// ---- resources ----

Result<Entry> SkillShelf::entry_of(const SkillSpot& spot) const {
  auto sheet = sheet_of(spot);
  if (!sheet) return std::move(sheet).error();
  Entry entry;
  entry.uri = (*sheet)->file.uri;
  entry.name = spot.name;
  if (spot.title != spot.name) entry.title = spot.title;
  entry.description = (*sheet)->description;
  entry.mime = kMarkdown;
  entry.size = (*sheet)->file.size;
  entry.modified = (*sheet)->modified;
  return entry;
}

Page<Entry> SkillShelf::entries(const ListQuery& query) const {
  const auto snapshot = names_.now();
  Page<Entry> page;
  std::size_t looked_at = 0;
  for (auto at = snapshot->spots.upper_bound(query.after); at != snapshot->spots.end(); ++at) {
    if (looked_at++ == query.limit) {
      page.next = std::prev(at)->first;
      break;
    }
    if (auto entry = entry_of(at->second)) page.items.push_back(std::move(*entry));
  }
  return page;
}

