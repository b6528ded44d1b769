#include "syntax/parser.h"

#include <fmt/format.h>

#include <memory>

#include "syntax/text.h"

namespace lode {
namespace {

// Ends what a grammar's scanner keeps, in memory of its own. The rest of a parser is in
// ParseMemory.
struct ParserEnd {
  void operator()(TSParser* parser) const { ts_parser_reset(parser); }
};

// The whole text at once.
const char* read_text(void* payload, std::uint32_t offset, TSPoint /*position*/,
                      std::uint32_t* bytes) {
  const auto& text = *static_cast<const std::string_view*>(payload);
  *bytes = offset < text.size() ? static_cast<std::uint32_t>(text.size()) - offset : 0;
  return *bytes == 0 ? "" : text.data() + offset;
}

}  // namespace

Status check_length(std::string_view text, const SyntaxLimits& limits) {
  if (text.size() <= limits.bytes) return {};
  return Error{Code::unsupported,
               fmt::format("{} bytes; files to parse have at most {}", text.size(), limits.bytes),
               {}};
}

Result<Tree> parse_tree(const ParseMemory& /*memory*/, const Language& language,
                        std::string_view text, const SyntaxLimits& limits) {
  if (auto status = check_length(text, limits); !status) return std::move(status).error();
  if (auto status = check_text(text); !status) return std::move(status).error();

  const std::unique_ptr<TSParser, ParserEnd> parser(ts_parser_new());
  if (!ts_parser_set_language(parser.get(), language.grammar())) {
    return internal(fmt::format("the grammar of {} does not fit the runtime", language.name));
  }
  Deadline deadline(limits.time);
  const TSInput input{
      .payload = &text, .read = read_text, .encoding = TSInputEncodingUTF8, .decode = nullptr};
  const TSParseOptions options{.payload = &deadline, .progress_callback = [](TSParseState* state) {
                                 return static_cast<const Deadline*>(state->payload)->passed();
                               }};
  const auto* tree = ts_parser_parse_with_options(parser.get(), nullptr, input, options);
  if (tree == nullptr) {
    return Error{
        Code::timeout, fmt::format("parsing took more than {} ms", limits.time.count()), {}};
  }
  return Tree(tree, deadline);
}

Span span_of(TSNode node) {
  const auto begin = ts_node_start_point(node);
  const auto end = ts_node_end_point(node);
  return {.begin = ts_node_start_byte(node),
          .end = ts_node_end_byte(node),
          .line = begin.row + 1,
          .column = begin.column + 1,
          .end_line = end.row + 1,
          .end_column = end.column + 1};
}

}  // namespace lode
