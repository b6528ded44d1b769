#include "viewer/viewer.h"

#include <string>

#include "base/uri.h"

namespace lode {
namespace {

constexpr std::string_view kIndex = "index.html";
constexpr std::string_view kImmutable = "assets/";
constexpr std::string_view kFrames = "frame/";

HttpHeaders headers_of_page() {
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
           "media-src blob:; object-src 'none'; connect-src 'self'; frame-src 'self' blob:; "
           "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"}};
}

// Scripts and styles that a diagram brings are run and used here, and reach nothing.
HttpHeaders headers_of_frame() {
  return {{"Content-Security-Policy",
           "sandbox allow-scripts; default-src 'none'; script-src 'self'; "
           "style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'none'; "
           "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"},
          {"Referrer-Policy", "no-referrer"},
          {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"}};
}

}  // namespace

void add_viewer(HttpRouter& router, std::span<const ViewerAsset> assets) {
  using Pages = HttpRoute::Pages;
  for (const auto& asset : assets) {
    const bool frame = asset.path.starts_with(kFrames);
    HttpAsset served{.bytes = asset.bytes, .gzip = asset.gzip, .brotli = asset.brotli};
    served.immutable = asset.path.starts_with(kImmutable);
    served.headers = frame ? headers_of_frame() : headers_of_page();
    const auto add = [&](std::string_view path) {
      router.add_asset("/" + encode_path(path), served, true, frame ? Pages::any : Pages::linked);
    };
    add(asset.path);
    if (asset.path == kIndex) {
      served.type = content_type_of(asset.path);
      add("");
    }
  }
}

}  // namespace lode
