// Links in a folder of agent skills: a skill may be kept elsewhere and linked there.
//
// A link is followed if it leads to a directory with a SKILL.md within a given one: the workspace
// for its own folders, the home for the user's. Nothing tells whether what others lead to exists.
// Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lode {

struct SkillLink {
  static constexpr std::size_t kMostFollowed = 64;  // of one folder

  std::string name;       // in the folder; empty: the folder itself
  std::string directory;  // where it leads, without links; empty: it is not followed
  std::string problem{};  // why not
};

// within: empty: links may lead anywhere. What is no link, and a link to another skill of the
// folder, is left out.
std::vector<SkillLink> skill_links(const std::string& folder, const std::string& within);

}  // namespace lode
