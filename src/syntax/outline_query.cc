#include "syntax/outline_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace lode {
namespace {

struct RoleWord {
  std::string_view word;
  Role role;
};
constexpr auto kRoleWords = std::to_array<RoleWord>({
    {"name", Role::name},
    {"qualified", Role::qualified},
    {"scope", Role::scope},
    {"body", Role::body},
    {"doc", Role::doc},
    {"comment", Role::comment},
    {"attribute", Role::attribute},
    {"decorated", Role::decorated},
    {"outer", Role::outer},
    {"exported", Role::exported},
    {"confined", Role::confined},
    {"access", Role::access},
    {"modifier", Role::modifier},
    {"import", Role::import},
    {"import.source", Role::import_source},
    {"import.name", Role::import_name},
    {"import.alias", Role::import_alias},
    {"import.names", Role::import_names},
    {"import.prefix", Role::import_prefix},
    {"import.list", Role::import_list},
    {"export", Role::export_},
    {"export.name", Role::export_name},
    {"export.alias", Role::export_alias},
    {"export.source", Role::export_source},
    {"export.names", Role::export_names},
});

Result<OutlineQuery::Capture> capture_of(std::string_view word) {
  if (word.starts_with('_')) return OutlineQuery::Capture{};
  const auto found = std::ranges::find(kRoleWords, word, &RoleWord::word);
  if (found != kRoleWords.end()) return OutlineQuery::Capture{.role = found->role};
  if (const auto kind = find_symbol_kind(word)) {
    return OutlineQuery::Capture{.role = Role::definition, .kind = *kind};
  }
  return internal(fmt::format("@{} means nothing", word));
}

std::string text_of_files(std::string_view names) {
  std::string text;
  while (!names.empty()) {
    const auto end = std::min(names.find(' '), names.size());
    text += query_file(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return text;
}

}  // namespace

Result<OutlineQuery> OutlineQuery::make(const Language& language) {
  auto query = PatternQuery::make(language, text_of_files(language.queries));
  if (!query) return internal(query.error().message).in(language.queries);
  OutlineQuery outline{.query = *std::move(query), .captures = {}, .patterns = {}};
  for (std::uint32_t i = 0; i < outline.query.capture_count(); ++i) {
    auto capture = capture_of(outline.query.capture_name(i));
    if (!capture) return std::move(capture).error().in(language.queries);
    outline.captures.push_back(*capture);
  }
  for (std::uint32_t i = 0; i < ts_query_pattern_count(outline.query.get()); ++i) {
    outline.patterns.push_back(
        {.name = outline.query.setting(i, "name"),
         .source = outline.query.setting(i, "source"),
         .alias = outline.query.setting(i, "alias"),
         .strip = outline.query.setting(i, "strip"),
         .divider = outline.query.setting(i, "divider"),
         .named_like_type = outline.query.setting(i, "named") == "like its type",
         .members = visibility_of(outline.query.setting(i, "members")),
         .visibility = visibility_of(outline.query.setting(i, "visibility")),
         .outside_types = outline.query.setting(i, "where") == "outside types"});
  }
  return outline;
}

}  // namespace lode
