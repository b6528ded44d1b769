#include "base/buffer.h"

#include <sys/mman.h>

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <new>

namespace lode {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

std::size_t memory_for(std::size_t size) {
  if (size < kLargePage) return size + 1;  // never nothing
  return (size + kLargePage - 1) / kLargePage * kLargePage;
}

}  // namespace

void Buffer::Free::operator()(char* data) const { std::free(data); }

Buffer::Buffer(std::size_t size) : size_(size) {
  const bool large = size >= kLargePage;
  void* data =
      large ? std::aligned_alloc(kLargePage, memory_for(size)) : std::malloc(memory_for(size));
  if (data == nullptr) throw std::bad_alloc();
  data_.reset(static_cast<char*>(data));
  if (large) ::madvise(data, size, MADV_HUGEPAGE);  // where there are none, it is as good
}

Buffer Buffer::copy_of(std::string_view bytes) {
  Buffer copy(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
  return copy;
}

void Buffer::truncate(std::size_t size) {
  assert(size <= size_);
  if (memory_for(size) < memory_for(size_)) {
    void* moved = std::realloc(data_.get(), memory_for(size));
    if (moved != nullptr) {
      static_cast<void>(data_.release());  // it is the other's now
      data_.reset(static_cast<char*>(moved));
    }
  }
  size_ = size;
}

}  // namespace lode
