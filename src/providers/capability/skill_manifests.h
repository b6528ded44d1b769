// What is told about a skill without reading it: its frontmatter, its files and
// their digests.
//
// Invariants:
//  (1) What is told is what reading gives, unless the files changed between.
//  (2) A file that has not changed is not read again, as long as there is room
//      to remember it.
//
// Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "engine/manifest.h"
#include "providers/capability/skill_folder.h"
#include "providers/capability/skill_text.h"
#include "providers/capability/stamp_cache.h"

namespace lode {

// The SKILL.md of a skill, made of the file behind it.
Result<SkillText> read_skill_text(const SkillSpot& spot, const OpenFile& file);

class SkillManifests {
 public:
  // What a SKILL.md says.
  struct Sheet {
    Json frontmatter;
    std::string description;
    SkillFile file;
    std::chrono::system_clock::time_point modified;
  };

  explicit SkillManifests(SkillLimits limits)
      : limits_(limits), sheets_(limits.kept_bytes / 2), digests_(limits.kept_bytes / 2) {}

  // Code::invalid: the file is malformed.
  Result<std::shared_ptr<const Sheet>> sheet(const SkillFolder& folder);
  // Code::unsupported: it is over a limit. Code::cancelled: stopped.
  Result<Skill> skill(const SkillFolder& folder, const std::stop_token& stop);

 private:
  struct Digest {
    std::string text;
    std::int64_t size = 0;
  };

  Result<std::shared_ptr<const Digest>> digest(const SkillFolder& folder,
                                               const SkillFolder::Member& member);

  const SkillLimits limits_;
  StampCache<Sheet> sheets_;
  StampCache<Digest> digests_;
};

}  // namespace lode
