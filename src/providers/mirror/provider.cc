#include "providers/mirror/provider.h"

#include <utility>

namespace lode {
namespace {

Manifest make_manifest() {
  Tool read;
  read.name = "resource_read";
  read.description =
      "Read a resource by its URI. Directories answer with the URIs of their entries.";
  read.input_schema =
      JsonObject{{"type", "object"},
                 {"properties", JsonObject{{"uri", JsonObject{{"type", "string"}}}}},
                 {"required", JsonArray{"uri"}}};
  read.hints = ToolHints{true, false, true, false};
  Manifest manifest;
  manifest.name = "mirror";
  manifest.tools = {std::move(read)};
  manifest.calls_at_once = 0;  // the providers that it reads from have limits of their own
  return manifest;
}

}  // namespace

MirrorProvider::MirrorProvider(const Engine& engine)
    : engine_(engine), manifest_(make_manifest()) {}

Result<Page<Entry>> MirrorProvider::list(const Exchange&, const ListQuery&) {
  return Page<Entry>{};
}

Result<Outcome> MirrorProvider::read(const Exchange&, const Uri&) {
  return not_found("no such resource");
}

Result<Outcome> MirrorProvider::invoke(const Exchange& exchange, const Uri&,
                                       const Json& arguments) {
  const auto& uri = arguments.at("uri").as_string();
  auto reading = engine_.read(exchange, std::string_view(uri.data(), uri.size()));
  if (!reading) return std::move(reading).error();
  if (auto* needs = std::get_if<NeedsInput>(&*reading)) return std::move(*needs);
  Contents contents;
  if (auto* verbatim = std::get_if<Verbatim>(&*reading)) {
    contents.items.push_back(Content::text(std::move(verbatim->json)));
    return contents;
  }
  const auto& cached = *std::get<std::shared_ptr<const Cached>>(*reading);
  contents.items = cached.contents().items;
  contents.tokens = cached.tokens();
  return contents;
}

}  // namespace lode
