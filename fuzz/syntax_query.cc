// Queries that somebody asks about source code. Input: a language's id, a line end, the
// query in one line, and the text.
//
//  - A query is answered, or refused with what is wrong and where.
//  - An answer is bounded, and its captures are pieces of the text.
#include <string>

#include "fuzz.h"
#include "syntax/local_syntax.h"

namespace lode::fuzz {

void run(std::string_view input) {
  static const SyntaxLimits kLimits{.time = std::chrono::milliseconds(500), .captures = 1000};
  static const LocalSyntax kSyntax(kLimits);
  const auto* language = find_language(take_until(input, '\n'));
  if (language == nullptr) return;
  const auto query = take_until(input, '\n');
  const auto answer = kSyntax.query(*language, input, query);
  if (!answer) {
    const auto code = answer.error().code;
    check(code == Code::invalid || code == Code::unsupported || code == Code::timeout,
          "a refusal is about the query or the text");
    check(!answer.error().message.empty(), "and says why");
    return;
  }
  std::uint32_t last = 0;
  for (const auto& capture : answer->captures) {
    check(capture.match >= last && capture.match < answer->matches, "matches are numbered");
    last = capture.match;
    check(capture.name < answer->names.size(), "a capture has a name");
    check(capture.span.end <= input.size() && capture.span.of(input) == capture.text,
          "a capture is a piece of the text");
  }
  check(answer->captures.size() < kLimits.captures || !answer->incomplete.empty(),
        "an answer that is cut says so");
}

}  // namespace lode::fuzz
