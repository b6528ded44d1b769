// What a request wants to have only if it differs, and which part of it (RFC 9110, 13 and 14).
#pragma once

#include <cstddef>
#include <string_view>

#include "transport/http_server.h"

namespace lode {

// Whether one of the If-None-Match headers has the tag. They are compared weakly: a
// cache in between may have weakened it.
bool has_tag(const HttpRequest& request, std::string_view etag);

struct HttpRange {
  enum class Kind { whole, part, unsatisfiable };

  Kind kind = Kind::whole;
  std::size_t begin = 0;  // of a part
  std::size_t size = 0;
};

// Which bytes of a body of that size a request wants. Several ranges at once, those that are
// malformed or of another unit, and those of another version (If-Range) are the whole body.
// etag: strong.
HttpRange wanted_range(const HttpRequest& request, std::string_view etag, std::size_t size);

}  // namespace lode
