#include "syntax/syntax.h"

#include <mutex>
#include <utility>

#include "syntax/ast.h"
#include "syntax/macros.h"
#include "syntax/mentions.h"
#include "syntax/outline_build.h"
#include "syntax/outline_query.h"
#include "syntax/parse_memory.h"
#include "syntax/parser.h"
#include "syntax/query.h"

namespace lode {

struct Syntax::Compiled {
  std::once_flag once;
  std::optional<Result<OutlineQuery>> query;
};

Syntax::Syntax(const SyntaxLimits& limits)
    : limits_(limits), compiled_(std::make_unique<Compiled[]>(languages().size())) {
  ParseMemory::install();
}
Syntax::~Syntax() = default;

Result<const OutlineQuery*> Syntax::compiled(const Language& language) const {
  auto& [once, query] = compiled_[static_cast<std::size_t>(&language - languages().data())];
  std::call_once(once, [&] { query.emplace(OutlineQuery::make(language)); });
  if (!*query) return query->error();
  return &**query;
}

Result<Outline> Syntax::outline(const Language& language, std::string_view text) const {
  auto query = compiled(language);  // kept, so made while there is no ParseMemory
  if (!query) return std::move(query).error();
  const auto blanked = language.macros ? without_macros(text) : std::string();
  const ParseMemory memory;
  auto tree = parse_tree(memory, language, blanked.empty() ? text : blanked, limits_);
  if (!tree) return std::move(tree).error();
  return build_outline(language, **query, *tree, text, limits_);
}

Result<std::string> Syntax::ast(const Language& language, std::string_view text,
                                const AstOptions& options) const {
  const ParseMemory memory;
  auto tree = parse_tree(memory, language, text, limits_);
  if (!tree) return std::move(tree).error();
  return write_ast(language, *tree, text, options, limits_);
}

Result<QueryAnswer> Syntax::query(const Language& language, std::string_view text,
                                  std::string_view query) const {
  const ParseMemory memory;  // first: the runtime loses some bytes of a query that it refuses
  auto made = make_query(language, query, limits_);
  if (!made) return std::move(made).error();
  auto tree = parse_tree(memory, language, text, limits_);
  if (!tree) return std::move(tree).error();
  return run_query(*made, *tree, text, limits_);
}

Result<std::vector<Span>> Syntax::mentions(const Language& language, std::string_view text,
                                           std::string_view name) const {
  const auto places = places_of(text, name);
  if (places.empty()) return std::vector<Span>();
  const auto blanked = language.macros ? without_macros(text) : std::string();
  const ParseMemory memory;
  auto tree = parse_tree(memory, language, blanked.empty() ? text : blanked, limits_);
  if (!tree) return std::move(tree).error();
  return mentions_at(*tree, places, static_cast<std::uint32_t>(name.size()));
}

}  // namespace lode
