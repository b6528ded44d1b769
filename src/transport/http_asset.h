// Bytes that are part of the program, served as they are: pages, scripts, pictures. They are
// copied while somebody is sent them, once for all.
//
// Each form of an asset (plain, gzip, brotli) has a strong ETag of its own; who has the
// one that it would get is answered 304. The form is chosen by Accept-Encoding, which
// caches are told.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "transport/http.h"

namespace lode {

struct HttpAsset {
  std::string_view bytes;     // like the others, outlives the router
  std::string_view gzip{};    // the same, compressed; empty: there is none
  std::string_view brotli{};  //
  std::string_view type{};    // empty: by the ending of its path
  // Its path changes whenever its bytes do, so it may be kept and never asked for again.
  // Else a cache asks each time whether it has changed.
  bool immutable = false;
  HttpHeaders headers{};  // more of them, of every answer
};

// Answers GET and HEAD of an asset. shared: caches that serve others may keep it too.
std::function<void(HttpContext)> asset_handler(std::string_view path, const HttpAsset& asset,
                                               bool shared);

// "text/css; charset=utf-8" of "/a/b.css"; "application/octet-stream" of what is not
// known.
std::string_view content_type_of(std::string_view path);

enum class HttpCoding { identity, gzip, brotli };

// The best of what is there, by an Accept-Encoding header (null: none): what the client
// wants most, and of equals the smallest. Identity if it accepts nothing.
HttpCoding choose_coding(const std::string* accepted, bool has_gzip, bool has_brotli);

}  // namespace lode
