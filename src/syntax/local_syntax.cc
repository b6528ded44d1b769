#include "syntax/local_syntax.h"

#include <mutex>
#include <optional>
#include <utility>

#include "syntax/ast.h"
#include "syntax/macros.h"
#include "syntax/mentions.h"
#include "syntax/outline_build.h"
#include "syntax/outline_query.h"
#include "syntax/outline_record.h"
#include "syntax/parse_memory.h"
#include "syntax/parser.h"
#include "syntax/query.h"
#include "syntax/task.h"

namespace lode {

struct LocalSyntax::Compiled {
  std::once_flag once;
  std::optional<Result<OutlineQuery>> query;
};

LocalSyntax::LocalSyntax(const SyntaxLimits& limits)
    : limits_(limits), compiled_(std::make_unique<Compiled[]>(languages().size())) {
  ParseMemory::install();
}
LocalSyntax::~LocalSyntax() = default;

Result<const OutlineQuery*> LocalSyntax::compiled(const Language& language) const {
  auto& [once, query] = compiled_[static_cast<std::size_t>(&language - languages().data())];
  std::call_once(once, [&] { query.emplace(OutlineQuery::make(language)); });
  if (!*query) return query->error();
  return &**query;
}

Result<std::string> LocalSyntax::run(const SyntaxTask& task) const {
  switch (task.kind) {
    case SyntaxTask::Kind::outline: return outline_of(task);
    case SyntaxTask::Kind::ast: return ast_of(task);
    case SyntaxTask::Kind::query: return answer_of(task);
    case SyntaxTask::Kind::mentions: return mentions_of(task);
  }
  return internal("no such task");
}

std::size_t LocalSyntax::memory_for(const SyntaxTask& task) const {
  return limits_.memory + task.text.size() * limits_.memory_per_byte;
}

Result<std::string> LocalSyntax::outline_of(const SyntaxTask& task) const {
  const auto& language = *task.language;
  auto query = compiled(language);  // kept, so made while there is no ParseMemory
  if (!query) return std::move(query).error();
  const auto blanked = language.macros ? without_macros(task.text) : std::string();
  const ParseMemory memory(memory_for(task));
  auto tree = parse_tree(memory, language, blanked.empty() ? task.text : blanked, limits_);
  if (!tree) return std::move(tree).error();
  auto outline = build_outline(language, **query, *tree, task.text, limits_);
  if (!outline) return std::move(outline).error();
  return encode_outline(*outline);
}

Result<std::string> LocalSyntax::ast_of(const SyntaxTask& task) const {
  const auto options = decode_options(task.detail);
  if (!options) return internal("the options of a tree cannot be read");
  const ParseMemory memory(memory_for(task));
  auto tree = parse_tree(memory, *task.language, task.text, limits_);
  if (!tree) return std::move(tree).error();
  return write_ast(*task.language, *tree, task.text, *options, limits_);
}

Result<std::string> LocalSyntax::answer_of(const SyntaxTask& task) const {
  // First: the runtime loses some bytes of a query that it refuses.
  const ParseMemory memory(memory_for(task));
  auto query = make_query(*task.language, task.detail, limits_);
  if (!query) return std::move(query).error();
  auto tree = parse_tree(memory, *task.language, task.text, limits_);
  if (!tree) return std::move(tree).error();
  return encode_answer(run_query(*query, *tree, task.text, limits_));
}

Result<std::string> LocalSyntax::mentions_of(const SyntaxTask& task) const {
  const auto places = places_of(task.text, task.detail);
  const auto& language = *task.language;
  const auto blanked = language.macros ? without_macros(task.text) : std::string();
  const ParseMemory memory(memory_for(task));
  auto tree = parse_tree(memory, language, blanked.empty() ? task.text : blanked, limits_);
  if (!tree) return std::move(tree).error();
  return encode_mentions(
      mentions_at(*tree, places, static_cast<std::uint32_t>(task.detail.size())));
}

}  // namespace lode
