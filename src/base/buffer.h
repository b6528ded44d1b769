// Bytes in one piece of memory that is not cleared first. A large one asks for large
// pages: to touch it for the first time costs a fraction then.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace lode {

class Buffer {
 public:
  Buffer() = default;
  // The bytes have no value yet.
  explicit Buffer(std::size_t size);
  static Buffer copy_of(std::string_view bytes);

  char* data() { return data_.get(); }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {data_.get(), size_}; }

  // Keeps only so many, perhaps at another place, and gives back the memory of the
  // others. REQUIRES: no more than there are.
  void truncate(std::size_t size);

 private:
  struct Free {
    void operator()(char* data) const;
  };

  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace lode
