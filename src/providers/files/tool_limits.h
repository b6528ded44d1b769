// How much the file tools take and give.
#pragma once

#include <chrono>
#include <cstddef>

namespace lode {

struct FileToolLimits {
  std::size_t file_bytes = std::size_t{16} << 20;  // longer files are neither searched nor edited
  std::size_t answer_bytes = 200'000;              // of what is found, or of a diff
  std::size_t line_bytes = 240;                    // shown of a line that is found
  std::size_t results = 100;                       // matches, or files, unless asked otherwise
  std::size_t most_results = 1000;
  std::size_t most_context = 10;  // lines before and after a match
  std::size_t depth = 128;        // directories below where a search begins
  // A search ends so long before the deadline, so that its answer is in time.
  std::chrono::milliseconds answer_time{500};
  // How long an edit waits for others that edit in the same directory.
  std::chrono::milliseconds patience{5000};
};

}  // namespace lode
