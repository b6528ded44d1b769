// The files of one elements folder, for who writes them.
//
// From open() until it is destroyed nobody else has the folder open this way,
// in this process or another: what is read, changed and written meanwhile is
// not lost. Editors know nothing of that; a file that one of them changed since
// it was read is not overwritten.
//
// Every path is below the folder and resolved without links; in the workspace
// the folder itself, and the one that holds it, must be no links either: a
// repository cannot send a write elsewhere. What git or Lode obeys is not written
// (workspace/write_rule.h), but for the folder of elements itself. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "workspace/root.h"

namespace lode {

class ElementFiles {
 public:
  // How long it waits for others.
  static constexpr std::chrono::milliseconds kPatience{5000};

  // What is missing of the folder is made, and on stable storage. Code::denied:
  // there is a link, or no permission. Code::unavailable: others had it all the
  // time.
  static Result<ElementFiles> open(const std::string& folder, bool of_workspace,
                                   std::chrono::milliseconds patience = kPatience);

  // The same for any directory below another, and without links on the way.
  // below: empty: the other itself, which must be there.
  static Result<ElementFiles> open_below(const std::string& base, std::string below,
                                         std::chrono::milliseconds patience = kPatience);

  struct Snapshot {
    std::string text;
    std::uint64_t stamp = 0;
    std::chrono::system_clock::time_point modified;
  };
  // Code::not_found. Code::denied: it is behind a link. Code::unsupported: it has
  // more bytes, without a number over Collection::kFileBytes.
  Result<Snapshot> read(const std::string& file) const;
  Result<Snapshot> read(const std::string& file, std::size_t most) const;
  bool exists(const std::string& file) const;

  // Each is on stable storage when it returns. Code::conflict: there is one
  // already; it is not the one that had the stamp. A new file has the mode, as far
  // as the umask lets it.
  Status create(const std::string& file, std::string_view text, mode_t mode = 0666) const;
  Status replace(const std::string& file, std::string_view text, std::uint64_t stamp) const;

  // The directory that holds the file; `make`: with what is missing of it.
  Result<OpenFile> directory_of(const std::string& file, bool make) const;

 private:
  struct Place {
    Root base;
    std::string prefix;    // from the base to the folder; empty: they are the same
    bool is_ours = false;  // the folder is one of elements, and may be in .lode
  };

  ElementFiles(Place place, OpenFile folder)
      : place_(std::move(place)), folder_(std::move(folder)) {}
  static Result<Place> place_of(const std::string& folder, bool of_workspace);
  static Result<ElementFiles> open(Place place, std::chrono::milliseconds patience);

  std::string below_base(std::string_view file) const;
  Status check_file(const std::string& file) const;
  Status write(const std::string& file, std::string_view text, std::uint64_t stamp,
               mode_t mode) const;

  Place place_;
  OpenFile folder_;  // holds the lock
};

// The last segment of a path.
std::string last_segment(std::string_view path);

}  // namespace lode
