#include "workspace/git_allowance.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace lode {
namespace {

thread_local GitAllowance* allowance = nullptr;

}  // namespace

// The functions of the allocator. Blocks are those of malloc(), so that what was taken
// without an allowance can be given back with one.
struct GitMemory {
  static bool may_take(std::size_t size) {
    if (allowance == nullptr) return true;
    if (size <= allowance->bytes_ && allowance->used_ <= allowance->bytes_ - size) return true;
    allowance->refused_ = true;
    return false;
  }

  static void* taken(void* block) {
    if (allowance != nullptr && block != nullptr) allowance->used_ += ::malloc_usable_size(block);
    return block;
  }

  static void give_back(std::size_t size) {
    if (allowance != nullptr) allowance->used_ -= std::min(size, allowance->used_);
  }

  static void* take(std::size_t size, const char*, int) {
    return may_take(size) ? taken(std::malloc(size)) : nullptr;
  }

  static void* take_zeroed(std::size_t count, std::size_t size, const char*, int) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || !may_take(bytes)) return nullptr;
    return taken(std::calloc(count, size));
  }

  static void* take_array(std::size_t count, std::size_t size, const char* file, int line) {
    std::size_t bytes = 0;
    return __builtin_mul_overflow(count, size, &bytes) ? nullptr : take(bytes, file, line);
  }

  static void* resize(void* block, std::size_t size, const char*, int) {
    const std::size_t before = block == nullptr ? 0 : ::malloc_usable_size(block);
    if (!may_take(size)) return nullptr;  // the old and the new may exist at once
    void* moved = std::realloc(block, size);
    if (moved == nullptr) return nullptr;
    give_back(before);
    return taken(moved);
  }

  static void* resize_array(void* block, std::size_t count, std::size_t size, const char* file,
                            int line) {
    std::size_t bytes = 0;
    return __builtin_mul_overflow(count, size, &bytes) ? nullptr : resize(block, bytes, file, line);
  }

  static char* copy_bytes(const char* text, std::size_t size, const char* file, int line) {
    if (size + 1 == 0) return nullptr;
    auto* copy = static_cast<char*>(take(size + 1, file, line));
    if (copy == nullptr) return nullptr;
    std::memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
  }

  static char* copy(const char* text, const char* file, int line) {
    return copy_bytes(text, std::strlen(text), file, line);
  }

  static char* copy_up_to(const char* text, std::size_t most, const char* file, int line) {
    return copy_bytes(text, ::strnlen(text, most), file, line);
  }

  static void free(void* block) {
    if (block == nullptr) return;
    give_back(::malloc_usable_size(block));
    std::free(block);
  }
};

GitAllowance::GitAllowance(std::size_t bytes, std::chrono::steady_clock::time_point deadline,
                           std::stop_token stop)
    : bytes_(bytes), deadline_(deadline), stop_(std::move(stop)) {
  allowance = this;
}

GitAllowance::~GitAllowance() { allowance = nullptr; }

bool GitAllowance::is_over() const {
  return stop_.stop_requested() || std::chrono::steady_clock::now() >= deadline_;
}

git_allocator GitAllowance::allocator() {
  return {GitMemory::take,         GitMemory::take_zeroed, GitMemory::copy,
          GitMemory::copy_up_to,   GitMemory::copy_bytes,  GitMemory::resize,
          GitMemory::resize_array, GitMemory::take_array,  GitMemory::free};
}

}  // namespace lode
