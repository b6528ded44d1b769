#include "engine/provider.h"

#include <cassert>

namespace lode {
namespace {

Uri named(std::string_view kind, std::string_view name) {
  auto uri = Uri::parse("lode://" + std::string(kind) + "/" + encode_component(name));
  assert(uri.ok());
  return std::move(uri).value();
}

}  // namespace

Uri tool_uri(std::string_view name) { return named("tools", name); }
Uri prompt_uri(std::string_view name) { return named("prompts", name); }

std::string name_of(const Uri& uri) {
  auto segments = uri.segments();
  return segments.empty() ? std::string() : std::move(segments.back());
}

Result<Outcome> Provider::invoke(const Exchange&, const Uri& uri, const Json&) {
  return not_found("nothing to call at " + std::string(uri.text()));
}

Result<Completions> Provider::complete(const Exchange&, const CompletionQuery&) {
  return Completions{};
}

std::uint64_t Provider::stamp(const Uri&) const { return 0; }

std::optional<std::string> Provider::local_path(const Uri&) const { return std::nullopt; }

void Provider::watch(const Uri&, bool) {}

}  // namespace lode
