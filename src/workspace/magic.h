// MIME types by content, from libmagic.
//
// The library is opened on first use, so that the program does not link it; on
// a system without it, or without its database, nothing is known. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/mutex.h"

namespace lode {

class Magic {
 public:
  // library: as for dlopen(); empty: none.
  explicit Magic(std::string library) : library_(std::move(library)) {}
  ~Magic();
  Magic(const Magic&) = delete;
  Magic& operator=(const Magic&) = delete;

  // What the bytes, the first of a file, are; empty: not known.
  std::string type(std::string_view bytes) LODE_EXCLUDES(mutex_);

 private:
  using Cookie = void*;

  void open() LODE_REQUIRES(mutex_);

  const std::string library_;
  Mutex mutex_;
  bool tried_ LODE_GUARDED_BY(mutex_) = false;
  void* handle_ LODE_GUARDED_BY(mutex_) = nullptr;
  Cookie cookie_ LODE_GUARDED_BY(mutex_) = nullptr;
  const char* (*buffer_)(Cookie, const void*, std::size_t)LODE_GUARDED_BY(mutex_) = nullptr;
  void (*close_)(Cookie) LODE_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace lode
