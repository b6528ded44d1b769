// The documents that have a term, and how often each has it.
//
// Documents are numbered and appended in ascending order; each takes the
// distance from the one before and the count, both as variable-length numbers:
// two or three bytes. Most terms occur in one document or two, so that a short
// list needs no memory of its own: 16 bytes in all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/varint.h"

namespace lode {

struct Posting {
  std::uint32_t document = 0;
  std::uint32_t count = 0;
};

class PostingList {
 public:
  PostingList() = default;
  PostingList(PostingList&& other) noexcept { swap(other); }
  PostingList& operator=(PostingList&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PostingList() { release(); }

  // REQUIRES: posting.document > last, the document appended before; zero if
  // the list is empty.
  void append(const Posting& posting, std::uint32_t last) {
    put_varint(*this, posting.document - last);
    put_varint(*this, posting.count);
  }
  // Makes an empty list one of so many bytes, which are to be written there.
  char* fill(std::uint32_t size) {
    if (size > kInline) {
      heap_ = new char[size];
      capacity_ = size;
    }
    size_ = size;
    return bytes();
  }

  // Of memory besides the object itself.
  std::size_t heap_bytes() const { return capacity_ > kInline ? capacity_ : 0; }

  void push_back(char byte) {
    if (size_ == capacity_) grow();
    bytes()[size_++] = byte;
  }

  // Walks along a list, which must not change meanwhile.
  class Cursor {
   public:
    explicit Cursor(const PostingList& list) : at_(list.bytes()), end_(list.bytes() + list.size_) {}
    // False: there is no more.
    bool next(Posting& posting) {
      if (at_ == end_) return false;
      posting.document += next_varint(at_);
      posting.count = next_varint(at_);
      return true;
    }

   private:
    const char* at_;
    const char* end_;
  };

 private:
  static constexpr std::uint32_t kInline = sizeof(char*);

  const char* bytes() const { return capacity_ > kInline ? heap_ : inline_; }
  char* bytes() { return capacity_ > kInline ? heap_ : inline_; }

  void grow() {
    const std::uint32_t capacity = capacity_ + capacity_ / 2 + kInline;
    char* larger = new char[capacity];
    std::memcpy(larger, bytes(), size_);
    release();
    heap_ = larger;
    capacity_ = capacity;
  }
  void release() {
    if (capacity_ > kInline) delete[] heap_;
  }
  void swap(PostingList& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    char kept[kInline];
    std::memcpy(kept, inline_, kInline);
    std::memcpy(inline_, other.inline_, kInline);
    std::memcpy(other.inline_, kept, kInline);
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = kInline;
  union {
    char inline_[kInline] = {};
    char* heap_;
  };
};

}  // namespace lode
