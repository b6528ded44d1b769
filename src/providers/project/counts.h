// The lines and the language of files, counted once for each state of a file.
//
// Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "workspace/root.h"

namespace lode {

inline constexpr std::string_view kOtherText = "Other text";

struct FileCount {
  std::uint64_t size = 0;
  std::uint64_t lines = 0;
  // What is text and in no language that is known is kOtherText; empty: it is no text, and
  // lines are not counted. There as long as the program.
  std::string_view language;
  bool in_depth = false;  // the language can be parsed (syntax/language.h)
  bool too_long = false;  // to be read
  bool starts = false;    // the text says that a program begins here
};

class FileCounts {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;  // of a file that is read
  static constexpr std::size_t kMostKept = 200'000;                // files

  // Of what stood at the path with that stamp; nothing: it cannot be opened. path:
  // relative to the root.
  std::optional<FileCount> of(const Root& root, const std::string& path, std::uint64_t stamp)
      LODE_EXCLUDES(mutex_);

 private:
  struct Key {
    std::size_t path;  // its hash, and that of the root's
    std::uint64_t stamp;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.path ^ key.stamp; }
  };

  Mutex mutex_;
  std::unordered_map<Key, FileCount, KeyHash> kept_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
