// The skills at skill://{name}/…, as the Agent Skills format has them.
//
// A skill is a folder with a SKILL.md among the elements, or a skill element in
// a file of its own, which is a folder with nothing but a SKILL.md. Its name in
// addresses is the name that its frontmatter says, made proper if it is not;
// its SKILL.md says that name in turn (skill_text.h). Of two skills with one
// name the workspace's counts, else the one whose file comes first; the other
// has a problem.
//
// Invariants:
//  (1) What a manifest says of a file is what read() gives for it: the same
//      files, their bytes, and the frontmatter, unless they changed between.
//  (2) Nothing outside a skill's folder is opened (skill_folder.h).
//  (3) A file that has not changed is not read again for its digest, as long as
//      there is room to remember it.
//
// A skill over the limits is in no list and has no manifest, only a problem; its
// files can still be read one by one. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/uri.h"
#include "engine/provider.h"
#include "providers/capability/collection.h"
#include "providers/capability/skill_folder.h"
#include "providers/capability/skill_names.h"
#include "providers/capability/stamp_cache.h"

namespace lode {

class SkillShelf {
 public:
  static constexpr std::string_view kTemplate = "skill://{name}/{+path}";

  // REQUIRES: the collection outlives it.
  explicit SkillShelf(const Collection& collection, SkillLimits limits = {});

  // Keys are names. A page may be short, or empty, and still have a next.
  // Code::cancelled: stopped.
  Result<Page<Skill>> list(const ListQuery& query, const std::stop_token& stop = {}) const;
  // The SKILL.md of each, as a resource. Keys are names.
  Page<Entry> entries(const ListQuery& query) const;

  // By the address of its SKILL.md. Code::not_found: there is none.
  // Code::unsupported: it is over a limit.
  Result<Skill> get(const Uri& uri, const std::stop_token& stop = {}) const;

  // A file; or a directory's entries, one address a line, and if there are more,
  // the address of the rest.
  Result<Contents> read(const Uri& uri) const;
  // What is in a directory. Keys are names. Code::invalid: it is a file.
  Result<Page<Entry>> children(const Uri& uri, const ListQuery& query) const;

  // "name", and if that is known, "path".
  Completions complete(const CompletionQuery& query) const;

  // For the provider's functions of these names.
  Uri canonical(const Uri& uri) const;
  std::uint64_t stamp(const Uri& uri) const;
  std::optional<std::string> local_path(const Uri& uri) const;

  // Names used twice, skills over a limit. At most `most`.
  std::vector<Problem> problems(std::size_t most) const LODE_EXCLUDES(mutex_);

 private:
  // What is worked out from the file behind a SKILL.md, and from any other.
  struct Sheet {
    Json frontmatter;
    std::string description;
    SkillFile file;
    std::chrono::system_clock::time_point modified;
  };
  struct Digest {
    std::string text;
    std::int64_t size = 0;
  };
  // What an address names.
  struct Target {
    std::shared_ptr<const SkillNames::Snapshot> names;  // which holds the spot
    const SkillSpot* spot = nullptr;
    std::string path;  // below the skill's folder; empty: the folder
  };

  std::optional<Target> find(const Uri& uri) const;
  std::optional<SkillFolder> folder_of(const SkillSpot& spot) const;
  // Opens what the address names. Code::not_found.
  Result<OpenFile> open(const Target& target) const;

  Result<std::shared_ptr<const Sheet>> sheet_of(const SkillSpot& spot) const;
  Result<std::shared_ptr<const Digest>> digest_of(const SkillSpot& spot, const SkillFolder& folder,
                                                  const SkillFolder::Member& member) const;
  Result<Skill> make_skill(const SkillSpot& spot, const std::stop_token& stop) const;
  // The same; notes what is amiss with it.
  Result<Skill> skill_at(const SkillSpot& spot, const std::stop_token& stop) const
      LODE_EXCLUDES(mutex_);
  // REQUIRES: a directory.
  Result<SkillFolder::Listing> list_directory(const Target& target, std::string_view after,
                                              std::size_t most) const;
  Result<Entry> entry_of(const SkillSpot& spot) const;
  Result<Content> content_of(const Target& target, const OpenFile& file) const;
  Result<Content> directory_content(const Target& target, const Uri& uri) const;

  const Collection& collection_;
  const SkillLimits limits_;
  const SkillNames names_;
  mutable StampCache<Sheet> sheets_;
  mutable StampCache<Digest> digests_;

  mutable Mutex mutex_;
  mutable std::map<std::string, Problem> amiss_ LODE_GUARDED_BY(mutex_);  // by name
};

}  // namespace lode
