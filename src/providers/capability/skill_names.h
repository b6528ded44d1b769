// Which skills there are, by the names that they have in addresses.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "providers/capability/collection.h"

namespace lode {

// skill://name, or that of a file or directory in it.
std::string skill_address(std::string_view name, std::string_view path);
// The other address that shows the text of a skill's element, its SKILL.md: a rule that denies
// the one denies the other. Empty: the element is no skill. Of two skills with one name both
// have it.
std::vector<std::string> skill_sheets_of(const Element& element);

// Where a skill is.
struct SkillSpot {
  std::string name;
  std::string title;       // its name as the file says it
  std::string id;          // of the element
  std::string file;        // of the element, below its source
  std::string folder;      // which the file is in
  bool alone = false;      // nothing else in that folder is the skill's
  std::size_t source = 0;  // which of the collection's folders

  // The address of the element.
  std::string element_uri() const;

  bool operator==(const SkillSpot&) const = default;
};

// Any thread.
class SkillNames {
 public:
  struct Snapshot {
    std::uint64_t generation = 0;
    std::map<std::string, SkillSpot, std::less<>> spots;
    std::vector<Problem> problems;  // names used twice
  };

  // REQUIRES: the collection outlives it.
  explicit SkillNames(const Collection& collection) : collection_(collection) {}

  // As the collection is now; cheap unless a skill changed.
  std::shared_ptr<const Snapshot> now() const LODE_EXCLUDES(mutex_);

 private:
  const Collection& collection_;
  mutable Mutex mutex_;
  mutable std::shared_ptr<const Snapshot> snapshot_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
