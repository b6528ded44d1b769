// Files that hold what was worked out from others: each may be thrown away, and
// is made anew when it is missing, damaged or of another version.
//
// Such a file is a line that names its format, a hash of what follows, and that.
// It is replaced as a whole and never written to, so that a reader sees the old or
// the new and may keep it mapped, and is readable by its owner alone. It is not
// synced: what a power failure leaves is found out by the hash.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "base/result.h"

namespace lode {

// format: what is in it and by which version of the program's parts it was made:
// "search index 1 utf8proc 2.8.0".
std::string seal(std::string_view format, std::string_view body);

// The body, in the given bytes. Code::invalid: of another format or version, or
// damaged.
Result<std::string_view> unseal(std::string_view format, std::string_view bytes);

Status write_derived(const std::string& file, std::string_view bytes);

// Code::not_found: no such file. Code::invalid: it is larger, or no file.
Result<Buffer> read_derived(const std::string& file, std::size_t most);

}  // namespace lode
