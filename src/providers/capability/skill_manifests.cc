#include "providers/capability/skill_manifests.h"

#include <fmt/format.h>

#include <utility>

#include "base/sha256.h"
#include "base/uri.h"

namespace lode {
namespace {

std::string digest_of(std::string_view bytes) { return "sha256:" + sha256_hex(bytes); }

std::string key_of(const SkillSpot& spot, std::string_view path) {
  return fmt::format("{}/{}/{}", spot.source, spot.folder, path);
}

}  // namespace

Result<SkillText> read_skill_text(const SkillSpot& spot, const OpenFile& file) {
  if (!file.is_regular()) return not_found("no such resource");
  auto text = read_all(file, Collection::kFileBytes);
  if (!text) return std::move(text).error();
  const auto form = spot.file.ends_with(".md") ? DocumentForm::markdown : DocumentForm::yaml;
  return make_skill_text(std::move(*text), form, spot.name);
}

Result<std::shared_ptr<const SkillManifests::Sheet>> SkillManifests::sheet(
    const SkillFolder& folder) {
  const SkillSpot& spot = folder.spot();
  auto file = folder.open(SkillFolder::kSheet);
  if (!file) return std::move(file).error();
  const std::string key = spot.name + "/" + key_of(spot, spot.file);
  const auto stamp = stamp_of(file->info);
  if (auto known = sheets_.find(key, stamp)) return known;
  auto made = read_skill_text(spot, *file);
  if (!made) return std::move(made).error();
  Sheet sheet;
  sheet.file = {skill_address(spot.name, SkillFolder::kSheet), digest_of(made->text),
                static_cast<std::int64_t>(made->text.size())};
  sheet.frontmatter = std::move(made->frontmatter);
  sheet.description = std::move(made->description);
  sheet.modified = modified_of(file->info);
  const auto kept = std::make_shared<const Sheet>(std::move(sheet));
  // A parsed field takes about so many times its text.
  constexpr std::size_t kPerByte = 8;
  const std::size_t bytes = kPerByte * to_text(kept->frontmatter).size();
  if (has_settled(file->info)) sheets_.put(key, stamp, kept, sizeof(Sheet) + bytes);
  return kept;
}

Result<std::shared_ptr<const SkillManifests::Digest>> SkillManifests::digest(
    const SkillFolder& folder, const SkillFolder::Member& member) {
  const std::string key = key_of(folder.spot(), member.path);
  if (auto known = digests_.find(key, stamp_of(member.info))) return known;
  auto file = folder.open(member.path);
  if (!file || !file->is_regular()) return not_found("no such resource");
  auto bytes = read_all(*file, limits_.bytes);
  if (!bytes) return std::move(bytes).error();
  const auto kept = std::make_shared<const Digest>(
      Digest{digest_of(*bytes), static_cast<std::int64_t>(bytes->size())});
  constexpr std::size_t kTextBytes = 72;
  if (has_settled(file->info)) {
    digests_.put(key, stamp_of(file->info), kept, sizeof(Digest) + kTextBytes);
  }
  return kept;
}

Result<Skill> SkillManifests::skill(const SkillFolder& folder, const std::stop_token& stop) {
  auto members = folder.files(limits_);
  if (!members) return std::move(members).error();
  auto sheet = this->sheet(folder);
  if (!sheet) return std::move(sheet).error();
  Skill skill{(*sheet)->file.uri, (*sheet)->frontmatter, {}};
  for (const auto& member : *members) {
    if (stop.stop_requested()) return Error{Code::cancelled, "cancelled", {}};
    if (member.path == SkillFolder::kSheet) {
      skill.files.push_back((*sheet)->file);
      continue;
    }
    std::string uri = skill_address(folder.spot().name, member.path);
    if (uri.size() > Uri::kMaxLength) continue;  // nobody can ask for it
    auto digest = this->digest(folder, member);
    if (!digest && digest.error().code == Code::not_found) continue;  // it has just gone
    if (!digest) return std::move(digest).error();
    skill.files.push_back({std::move(uri), (*digest)->text, (*digest)->size});
  }
  return skill;
}

}  // namespace lode
