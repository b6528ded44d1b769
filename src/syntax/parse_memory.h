// The memory in which a text is parsed: given at once, taken back at once.
//
//   const ParseMemory memory;
//   auto tree = parse_tree(memory, language, text, limits);
//
// While one is alive, all that tree-sitter asks for on this thread comes from the
// thread's arena (syntax/arena.h), and at its end all of that is gone: neither trees nor
// parsers nor cursors need be deleted, and the memory of the next text is the same,
// still in the processor's caches. Between texts a thread keeps one chunk; a thread that
// ends keeps nothing. Else tree-sitter uses malloc: a query that is compiled for good is
// compiled while no ParseMemory is alive.
//
// A grammar's scanner uses malloc at all times. It must be ended: parse_tree does.
//
// Invariants:
//  (1) The eight bytes before each block tell where it came from: the capacity of the
//      arena's, 0 of malloc's. So a block of malloc may be freed or resized at any time.
//  (2) A block of the arena is freed, if at all, while its ParseMemory is alive: it is
//      reached from a Tree, which parse_tree makes of a ParseMemory alone, or from what
//      is declared after the ParseMemory, in a call that gives none of these back.
//
// Each thread its own.
#pragma once

#include <cstddef>

#include "syntax/arena.h"

namespace lode {

class ParseMemory {
 public:
  // Gives tree-sitter its memory so, for the life of the process; again is nothing.
  // REQUIRES the first time: tree-sitter holds no memory.
  static void install();

  // A parse that needs more than `most` bytes ends the process, with
  // kNoMemoryStatus: there is no way out of tree-sitter's middle.
  // REQUIRES: install() was called; no other is alive on this thread.
  explicit ParseMemory(std::size_t most = Arena::kUnlimited);
  ~ParseMemory();
  ParseMemory(const ParseMemory&) = delete;
  ParseMemory& operator=(const ParseMemory&) = delete;

  // What this thread's arena has of the system.
  static std::size_t mapped();
};

}  // namespace lode
