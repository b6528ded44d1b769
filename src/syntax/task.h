// One question about a text, and its answer, as bytes: the form in which both travel
// between a server and the process that parses for it.
//
// An answer may come from a process that hostile text has taken over. So decoding
// checks everything that its reader relies on: places lie within the text, numbers of
// captures exist.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/syntax.h"

namespace lode {

struct SyntaxTask {
  enum class Kind : std::uint8_t { outline, ast, query, mentions };

  Kind kind = Kind::outline;
  const Language* language = nullptr;
  std::string_view text;
  std::string_view detail;  // ast: encode_options(); query: the query; mentions: the name
};

std::string encode_options(const AstOptions& options);
std::optional<AstOptions> decode_options(std::string_view bytes);

std::string encode_answer(const QueryAnswer& answer);
std::string encode_mentions(const std::vector<Span>& spans);

// Nothing: the bytes are damaged, or not about this text.
std::optional<QueryAnswer> decode_answer(std::string_view bytes, std::string_view text);
std::optional<std::vector<Span>> decode_mentions(std::string_view bytes, std::string_view text);

}  // namespace lode
