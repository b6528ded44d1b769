#include "syntax/parse_memory.h"

#include <tree_sitter/api.h>

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "syntax/arena.h"

namespace lode {
namespace {

// Whose memory is asked for is told by the thread alone: tree-sitter's allocator is four
// functions without a context.
constinit thread_local Arena* open_arena = nullptr;

Arena& arena_of_thread() {
  static thread_local Arena arena;
  return arena;
}

// Before a block of malloc: its alignment kept, the last eight bytes 0.
constexpr std::size_t kFront = alignof(std::max_align_t);

void* resize_on_heap(void* begin, std::size_t bytes) {
  if (bytes > PTRDIFF_MAX - kFront) end_without_memory(bytes);
  void* resized = std::realloc(begin, kFront + bytes);
  if (resized == nullptr) end_without_memory(bytes);
  std::memset(resized, 0, kFront);
  return static_cast<char*>(resized) + kFront;
}

void* begin_on_heap(void* block) { return static_cast<char*>(block) - kFront; }

bool is_of_arena(const void* block) { return Arena::capacity_of(block) != 0; }

void* allocate(std::size_t bytes) {
  return open_arena != nullptr ? open_arena->take(bytes) : resize_on_heap(nullptr, bytes);
}

void* allocate_zeros(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) end_without_memory(SIZE_MAX);
  return std::memset(allocate(bytes), 0, bytes);
}

void* resize(void* block, std::size_t bytes) {
  if (block == nullptr) return allocate(bytes);
  if (!is_of_arena(block)) return resize_on_heap(begin_on_heap(block), bytes);
  assert(open_arena != nullptr);
  return open_arena->resize(block, bytes);
}

void give_back(void* block) {
  if (block == nullptr) return;
  if (!is_of_arena(block)) return std::free(begin_on_heap(block));
  assert(open_arena != nullptr);
  open_arena->give_back(block);
}

}  // namespace

void ParseMemory::install() {
  static std::once_flag once;
  std::call_once(once, ts_set_allocator, allocate, allocate_zeros, resize, give_back);
}

ParseMemory::ParseMemory(std::size_t most) {
  assert(open_arena == nullptr);
  open_arena = &arena_of_thread();
  open_arena->limit(most);
}

ParseMemory::~ParseMemory() {
  open_arena->limit(Arena::kUnlimited);
  open_arena->clear();
  open_arena = nullptr;
}

std::size_t ParseMemory::mapped() { return arena_of_thread().mapped(); }

}  // namespace lode
