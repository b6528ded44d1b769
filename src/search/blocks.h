// Memory of many small blocks that are let go together.
//
// A block costs its bytes and nothing else, and keeps its place. One that is not needed
// any more stays until all go: who adds many and needs few must begin anew some time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/buffer.h"

namespace lode {

class Blocks {
 public:
  // A block of so many bytes, which have no value yet.
  char* add(std::size_t bytes) {
    if (bytes > left_) grow(bytes);
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }
  // The block that was added last, of so many bytes, is not needed.
  void give_back(std::size_t bytes) {
    next_ -= bytes;
    left_ += bytes;
  }
  // Keeps bytes in which others see blocks.
  void adopt(Buffer bytes) {
    bytes_ += bytes.size();
    mapped_ += bytes.is_mapped() ? bytes.size() : 0;
    adopted_.push_back(std::move(bytes));
  }

  // Of memory.
  std::size_t bytes() const { return bytes_; }
  // Of these, in files that are mapped.
  std::size_t mapped() const { return mapped_; }

 private:
  static constexpr std::size_t kFirst = std::size_t{1} << 10;
  static constexpr std::size_t kLargest = std::size_t{1} << 18;

  // What is left of the chunk before is lost: each is at most twice as large as
  // the one before.
  void grow(std::size_t bytes) {
    const std::size_t size = std::max(std::clamp(bytes_, kFirst, kLargest), bytes);
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    next_ = chunks_.back().get();
    left_ = size;
    bytes_ += size;
  }

  std::vector<std::unique_ptr<char[]>> chunks_;
  std::vector<Buffer> adopted_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t bytes_ = 0;
  std::size_t mapped_ = 0;
};

}  // namespace lode
