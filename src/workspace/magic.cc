#include "workspace/magic.h"

#include <dlfcn.h>

namespace lode {
namespace {

constexpr int kMimeType = 0x10;  // MAGIC_MIME_TYPE

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Magic::~Magic() {
  const Lock lock(mutex_);
  if (cookie_ != nullptr) close_(cookie_);
  if (handle_ != nullptr) ::dlclose(handle_);
}

void Magic::open() {
  tried_ = true;
  if (library_.empty()) return;
  handle_ = ::dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) return;
  Cookie (*make)(int) = nullptr;
  int (*load)(Cookie, const char*) = nullptr;
  if (!find(handle_, "magic_open", make) || !find(handle_, "magic_load", load) ||
      !find(handle_, "magic_buffer", buffer_) || !find(handle_, "magic_close", close_)) {
    return;
  }
  cookie_ = make(kMimeType);
  if (cookie_ == nullptr || load(cookie_, nullptr) == 0) return;
  close_(cookie_);
  cookie_ = nullptr;
}

std::string Magic::type(std::string_view bytes) {
  const Lock lock(mutex_);
  if (!tried_) open();
  if (cookie_ == nullptr) return {};
  const char* type = buffer_(cookie_, bytes.data(), bytes.size());
  // What it says of trouble has no slash.
  if (type == nullptr || std::string_view(type).find('/') == std::string_view::npos) return {};
  return type;
}

}  // namespace lode
