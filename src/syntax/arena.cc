#include "syntax/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

namespace lode {

void end_without_memory(std::size_t bytes) {
  std::fprintf(stderr, "no memory for %zu bytes of a syntax tree\n", bytes);
  ::_exit(kNoMemoryStatus);
}

Arena::~Arena() {
  clear();
  for (const auto& chunk : chunks_) unmap(chunk);
}

Arena::Mapping Arena::map(std::size_t bytes) {
  void* begin = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) end_without_memory(bytes);
  return {static_cast<char*>(begin), bytes};
}

void Arena::unmap(const Mapping& mapping) {
  // What is mapped there next is none of ours.
  ASAN_UNPOISON_MEMORY_REGION(mapping.begin, mapping.bytes);
  ::munmap(mapping.begin, mapping.bytes);
}

// Aligned to its length, so that it can be one huge page: a tree is walked all over.
Arena::Mapping Arena::map_chunk() {
  const auto wide = map(2 * kChunk);
  const auto before = kChunk - reinterpret_cast<std::uintptr_t>(wide.begin) % kChunk;
  char* begin = wide.begin + before;
  ::munmap(wide.begin, before);
  if (before != kChunk) ::munmap(begin + kChunk, kChunk - before);
  ::madvise(begin, kChunk, MADV_HUGEPAGE);
  return {begin, kChunk};
}

void Arena::begin(const Mapping& chunk) {
  ASAN_POISON_MEMORY_REGION(chunk.begin, chunk.bytes);
  at_ = chunk.begin + kUnit - kHeader;
  end_ = chunk.begin + chunk.bytes;
}

void Arena::count(std::size_t bytes) {
  mapped_ += bytes;
  if (mapped_ > most_) end_without_memory(bytes);
}

char* Arena::cut_anew(std::size_t bytes) {
  if (bytes > kChunk / 8) {
    count(bytes + kUnit);
    large_.push_back(map(bytes + kUnit));
    ASAN_POISON_MEMORY_REGION(large_.back().begin, large_.back().bytes);
    return large_.back().begin + kUnit - kHeader;
  }
  count(kChunk);
  chunks_.push_back(map_chunk());
  begin(chunks_.back());
  return cut(bytes);
}

void* Arena::resize(void* block, std::size_t bytes) {
  const auto capacity = capacity_of(block);
  if (bytes <= capacity) {
    ASAN_POISON_MEMORY_REGION(block, capacity);
    ASAN_UNPOISON_MEMORY_REGION(block, bytes);
    return block;
  }
  void* longer = take(bytes);
  ASAN_UNPOISON_MEMORY_REGION(block, capacity);
  std::memcpy(longer, block, capacity);
  give_back(block);
  return longer;
}

void Arena::clear() {
  for (const auto& mapping : large_) unmap(mapping);
  large_.clear();
  free_.fill(nullptr);
  mapped_ = 0;
  if (chunks_.empty()) return;
  std::for_each(chunks_.begin() + 1, chunks_.end(), unmap);
  chunks_.resize(1);
  mapped_ = kChunk;
  begin(chunks_.front());
}

}  // namespace lode
