#include "engine/provider.h"

#include <algorithm>
#include <utility>

namespace lode {
namespace {

Result<Uri> named(std::string_view kind, std::string_view name) {
  return Uri::parse("lode://" + std::string(kind) + "/" + encode_component(name));
}

}  // namespace

Result<Uri> tool_uri(std::string_view name) { return named("tools", name); }
Result<Uri> prompt_uri(std::string_view name) { return named("prompts", name); }

std::optional<std::string> prompt_name(const Uri& uri) {
  constexpr std::string_view kPrompts = "lode://prompts/";
  const auto text = uri.text_without_query();
  if (!text.starts_with(kPrompts)) return std::nullopt;
  auto name = decode(text.substr(kPrompts.size()));
  return name ? std::optional(std::move(*name)) : std::nullopt;
}

Result<Page<Entry>> Resources::children(const Exchange&, const Uri&, const ListQuery&) {
  return invalid("not a directory");
}

Result<Completions> Resources::complete(const Exchange&, const CompletionQuery&) {
  return Completions{};
}

std::optional<FileBehind> Resources::file_behind(const Uri&) const { return std::nullopt; }

std::optional<std::string> Resources::local_path(const Uri&) const { return std::nullopt; }

Status Resources::watchable(const Uri&) const { return {}; }

void Resources::watch(const Uri&, bool) {}

std::optional<Uri> Prompts::source(std::string_view) const { return std::nullopt; }

Result<Completions> Prompts::complete(const Exchange&, const CompletionQuery&) {
  return Completions{};
}

Result<Page<Prompt>> page_of_prompts(const std::vector<Prompt>& all, const ListQuery& query) {
  const auto last = std::ranges::find(all, query.after, &Prompt::name);
  if (last == all.end() && !query.after.empty()) return invalid("no such prompt any more");
  const auto begin = query.after.empty() ? all.begin() : std::next(last);
  const auto count =
      std::min<std::size_t>(query.limit, static_cast<std::size_t>(all.end() - begin));
  Page<Prompt> page{{begin, begin + static_cast<std::ptrdiff_t>(count)}, ""};
  if (begin + static_cast<std::ptrdiff_t>(count) != all.end()) page.next = page.items.back().name;
  return page;
}

}  // namespace lode
