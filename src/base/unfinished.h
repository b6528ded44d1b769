// The names of files that are still being written. A process that was killed
// may leave one behind; they are not the user's, and nobody is shown them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace lode {

inline constexpr std::string_view kUnfinishedPrefix = ".lode-";
inline constexpr std::string_view kUnfinishedSuffix = ".unfinished";

inline bool is_unfinished_write(std::string_view name) {
  return name.starts_with(kUnfinishedPrefix) && name.ends_with(kUnfinishedSuffix);
}

// A name that no other file has.
std::string new_unfinished_name();

// Says that the file is being written: until the descriptor is closed, or the process
// ends however it ends, nobody takes it for abandoned.
void hold_unfinished(int file);

// A file is abandoned only if nothing was written to it for so long: its writer creates
// it first and holds it then.
inline constexpr std::chrono::seconds kUnfinishedAge{10};

// Removes a file whose writer has gone. Only a regular file with a name that was made
// here, that belongs to us and that nobody holds; else nothing happens. Whether it was
// removed. Any thread, any process.
bool remove_if_abandoned(int directory, const std::string& name,
                         std::chrono::seconds age = kUnfinishedAge);

}  // namespace lode
