// What became of each file of an import, and of each element of an export.
// Values; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace lode {

enum class Fate : std::uint8_t {
  kept,       // byte by byte
  mended,     // with what the notes say
  converted,  // into another form; the notes say what it could not hold
  present,    // it is there already
  skipped,    // it is none of what is moved; the note says why
  conflict,   // there is another in its place, which stays
  broken,     // malformed, too large or unreadable; the note says where
};
inline constexpr std::size_t kFateCount = 7;

// "kept", "mended", …
std::string_view to_string(Fate fate);

struct Moved {
  std::string from;  // a path below where it came from
  Fate fate = Fate::kept;
  std::string to;  // a path below where it went, or would go; empty: nowhere
  std::vector<std::string> notes;
};

struct TransferReport {
  std::string format;  // "dollhouse", …
  bool dry_run = false;
  std::vector<Moved> moved;  // by `from`; nothing is there twice

  std::size_t count(Fate fate) const;
  // Something that should have been moved was not.
  bool is_partial() const;

  // The first `most` of each list; how many were left off is said.
  JsonObject json(std::size_t most) const;
  // "12 kept, 1 mended, 3 skipped", or that there was nothing.
  std::string summary() const;
};

// "mended    memories/a.yaml → memory/a.yaml: name was missing"
std::string line_of(const Moved& moved);

}  // namespace lode
