// Where deleted elements go, and come back from.
//
// An entry is a directory with a name like
//   20260115T130501.123456Z~persona~reviewer
// and the element's file, or its skill folder, below it where it was:
//   workspace/persona/reviewer.md, user/skill/pdf/SKILL.md, …
// Nobody empties the trash but its owner. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "providers/capability/element.h"
#include "providers/capability/element_files.h"

namespace lode {

class Trash {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;
  // Of entries that are looked at, from the latest.
  static constexpr std::size_t kMostLooks = 1000;

  // The directory is made when it is first needed, for its owner alone.
  Trash(std::string directory, Clock clock)
      : directory_(std::move(directory)), clock_(std::move(clock)) {}

  struct Entry {
    std::string name;
    Element element;    // as its file says; file and of_workspace say where it was
    std::string moved;  // what was moved, below the folder: the file, or a directory
  };

  // Moves the element out of its folder. The name of the entry.
  Result<std::string> take(const ElementFiles& files, const Element& element) const;

  // Keeps a file of the element, which is to be overwritten. The name of the entry.
  Result<std::string> keep(const Element& element, const std::string& file,
                           std::string_view text) const;

  // The latest entry of an element, by its id or name; or the entry of a name.
  // Code::not_found.
  Result<Entry> find(ElementType type, std::string_view id) const;
  Result<Entry> find(std::string_view entry) const;
  // What find() says then.
  static Error no_such(ElementType type, std::string_view id);
  static Error no_such(std::string_view entry);

  // Code::conflict: something is in its place.
  Status bring_back(const Entry& entry, const ElementFiles& files) const;

 private:
  Result<Entry> read(const Root& root, const std::string& name) const;

  const std::string directory_;
  const Clock clock_;
};

// What is moved with an element: its file; of a skill in a folder, the folder.
std::string moved_with(const Element& element);

}  // namespace lode
