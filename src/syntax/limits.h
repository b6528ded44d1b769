// What one call of Syntax may cost.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace lode {

struct SyntaxLimits {
  std::size_t bytes = std::size_t{4} << 20;  // of a text
  std::chrono::milliseconds time{5000};      // of the processor, to parse it and to read the tree
  // Memory of its tree and of what reads it: trees take 11 to 28 times their text, but
  // text can be written so that a kilobyte takes a gigabyte.
  std::size_t memory = std::size_t{64} << 20;  // for any text, and for each byte of it
  std::size_t memory_per_byte = 64;            // so much more
  std::size_t symbols = 100'000;               // of an outline; the rest is counted
  std::size_t symbol_depth = 64;               // so are those with more around them
  std::size_t problems = 1000;                 // that are told; the rest is counted
  std::uint32_t ast_depth = 256;               // of a tree that is written out
  std::size_t nodes = 100'000;                 //
  std::size_t query_bytes = 4096;              // of a query that somebody asks
  std::size_t query_depth = 64;                // of its parentheses and brackets
  std::size_t captures = 10'000;               // of its answer
  std::uint32_t open_matches = 256;            // that a query may follow at a time
};

}  // namespace lode
