// The viewer, as HTTP serves it: a page, its scripts, styles and pictures, built from web/ and
// part of the program.
//
//   /            index.html of the build, asked for each time
//   /assets/*    whose names change with their bytes: kept for ever
//   /frame/*     documents that run what is not trusted (diagrams), each in a sandbox
//   /…           whatever else the build has
//
// They hold no data, so anybody may have them. What the viewer shows it reads as every client
// does, with the rights of whoever it asks for. Its pages may run no script and load nothing but
// their own (Content-Security-Policy), and no other page can have them in a frame. The documents
// below /frame/ have no origin of their own: what they load comes to them as to a page of
// somebody else, so that the router must let it (HttpRoute::Pages::any).
#pragma once

#include <span>
#include <string_view>

#include "transport/http_router.h"

namespace lode {

// A file of the build, for as long as the program runs.
struct ViewerAsset {
  std::string_view path;      // "index.html", "assets/app-1f2e.js"
  std::string_view bytes;     //
  std::string_view gzip{};    // the same, compressed; empty: that is not shorter
  std::string_view brotli{};  //
};

// Those of this program. None: it was built without web/.
std::span<const ViewerAsset> viewer_assets();

// REQUIRES: the assets outlive the router.
void add_viewer(HttpRouter& router, std::span<const ViewerAsset> assets);

}  // namespace lode
