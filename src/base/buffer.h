// The bytes of a file, in memory of their own or, of a large file, where the system keeps
// them for all processes: then nothing is copied, and several programs share them.
//
// A file that is mapped must not be written to, only replaced: derived files
// (base/derived_file.h) are so. Of a file system that is not this machine's own, where
// somebody else may break that, all is copied.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace lode {

class Buffer {
 public:
  static Buffer copy_of(std::string_view bytes);
  // The first bytes of a file. Code::internal: they cannot be read, or are fewer.
  static Result<Buffer> of_file(const Descriptor& file, std::size_t size);

  std::string_view view() const { return {data_.get(), size_}; }
  std::size_t size() const { return size_; }
  bool is_mapped() const { return data_.get_deleter().mapped > 0; }

  // Keeps only the first; views of these stay good. REQUIRES: no more than there are.
  void truncate(std::size_t size);

 private:
  struct Release {
    std::size_t mapped = 0;  // bytes; 0: of the heap
    void operator()(char* data) const;
  };
  using Data = std::unique_ptr<char[], Release>;

  Buffer(Data data, std::size_t size) : data_(std::move(data)), size_(size) {}
  static Buffer of_heap(std::size_t size);

  Data data_;
  std::size_t size_ = 0;
};

}  // namespace lode
