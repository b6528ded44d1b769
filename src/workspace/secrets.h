// Names that are never shown, at any address: version control's own files,
// keys, and the places where people keep passwords.
#pragma once

#include <string_view>

namespace lode {

// name: one segment of a path.
bool secret_name(std::string_view name);
// True if any segment of the path is.
bool secret_path(std::string_view path);

}  // namespace lode
