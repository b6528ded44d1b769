// The skills at skill://{name}/…, as the Agent Skills format has them.
//
// A skill is a folder with a SKILL.md, among the elements or where other programs
// keep theirs, or a skill element in a file of its own. Its name in addresses is the one that its
// frontmatter says, made proper if it is not; its SKILL.md says that name in turn (skill_text.h).
// Of two skills with one name the one counts whose folder, or else whose file,
// comes first in the collection; the other has a problem.
//
// A skill over the limits is in no list and has no manifest, only a problem; its
// files can be read one by one all the same. Nothing outside a skill's folder is
// opened (skill_folder.h). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
#include "providers/capability/skill_manifests.h"
#include "providers/capability/skill_names.h"

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

  // A file; or a directory's entries, one address a line, those that are shown,
  // and if there are more, the address of the rest.
  using Shows = std::function<bool(std::string_view address)>;
  Result<Contents> read(const Uri& uri, const Shows& shows = {}) const;
  // What is in a directory. Keys are names. Code::invalid: it is a file.
  Result<Page<Entry>> children(const Uri& uri, const ListQuery& query) const;

  // "name"; and "path", one level deep, if the context has the name. Those that are
  // shown.
  Completions complete(const CompletionQuery& query, const Shows& shows = {}) const;

  // For the provider's functions of these names.
  Uri canonical(const Uri& uri) const;
  std::optional<FileBehind> file_behind(const Uri& uri) const;
  std::optional<std::string> local_path(const Uri& uri) const;

  // Names used twice; what was wrong with skills when they were last asked for; links that
  // are not followed. At most `most`.
  std::vector<Problem> problems(std::size_t most) const LODE_EXCLUDES(mutex_);

 private:
  // What an address names; it need not be there.
  struct Target {
    SkillFolder folder;
    std::string path;
  };

  std::optional<SkillFolder> folder_of(const SkillSpot& spot) const;
  std::optional<Target> find(const Uri& uri) const;
  // Notes what is amiss with it.
  Result<Skill> skill_at(const SkillSpot& spot, const std::stop_token& stop) const
      LODE_EXCLUDES(mutex_);
  Result<Entry> entry_of(const SkillFolder& folder) const;
  Result<Content> directory_content(const Target& target, const Uri& uri, const Shows& shows) const;
  Result<Content> file_content(const Target& target, const OpenFile& file) const;

  const Collection& collection_;
  const SkillLimits limits_;
  const SkillNames names_;
  mutable SkillManifests manifests_;

  mutable Mutex mutex_;
  mutable std::map<std::string, Problem> amiss_ LODE_GUARDED_BY(mutex_);  // by the skill's name
};

}  // namespace lode
