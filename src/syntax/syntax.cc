#include "syntax/syntax.h"

#include "syntax/mentions.h"
#include "syntax/outline_record.h"
#include "syntax/task.h"

namespace lode {
namespace {

using Kind = SyntaxTask::Kind;

Error damaged() { return internal("the parser's answer cannot be read"); }

template <class T>
Result<T> decoded(std::optional<T> answer) {
  if (!answer) return damaged();
  return std::move(*answer);
}

}  // namespace

thread_local bool GuestTasks::asks_for_guest = false;

Result<std::string> Syntax::outline_record(const Language& language, std::string_view text) const {
  return run({.kind = Kind::outline, .language = &language, .text = text, .detail = {}});
}

Result<Outline> Syntax::outline(const Language& language, std::string_view text) const {
  const auto record = outline_record(language, text);
  if (!record) return record.error();
  return decoded(decode_outline(*record, language, text));
}

Result<std::string> Syntax::ast(const Language& language, std::string_view text,
                                const AstOptions& options) const {
  const auto detail = encode_options(options);
  return run({.kind = Kind::ast, .language = &language, .text = text, .detail = detail});
}

Result<QueryAnswer> Syntax::query(const Language& language, std::string_view text,
                                  std::string_view query) const {
  const auto answer =
      run({.kind = Kind::query, .language = &language, .text = text, .detail = query});
  if (!answer) return answer.error();
  return decoded(decode_answer(*answer, text));
}

Result<std::vector<Span>> Syntax::mentions(const Language& language, std::string_view text,
                                           std::string_view name) const {
  if (places_of(text, name).empty()) return std::vector<Span>();
  const auto answer =
      run({.kind = Kind::mentions, .language = &language, .text = text, .detail = name});
  if (!answer) return answer.error();
  return decoded(decode_mentions(*answer, text));
}

}  // namespace lode
