#include "syntax/parser.h"

#include <fmt/format.h>

#include "syntax/text.h"

namespace lode {
namespace {

struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

// The whole text at once.
const char* read_text(void* payload, std::uint32_t offset, TSPoint /*position*/,
                      std::uint32_t* bytes) {
  const auto& text = *static_cast<const std::string_view*>(payload);
  *bytes = offset < text.size() ? static_cast<std::uint32_t>(text.size()) - offset : 0;
  return *bytes == 0 ? "" : text.data() + offset;
}

}  // namespace

Result<Tree> parse_tree(const Language& language, std::string_view text,
                        const SyntaxLimits& limits) {
  if (text.size() > limits.bytes) {
    return Error{Code::unsupported,
                 fmt::format("{} bytes; files to parse have at most {}", text.size(), limits.bytes),
                 {}};
  }
  if (auto status = check_text(text); !status) return std::move(status).error();

  // Each thread keeps one: it reuses its memory from text to text.
  static thread_local std::unique_ptr<TSParser, ParserDeleter> parser(ts_parser_new());
  ts_parser_reset(parser.get());  // of what a deadline ended
  if (!ts_parser_set_language(parser.get(), language.grammar())) {
    return internal(fmt::format("the grammar of {} does not fit the runtime", language.name));
  }
  Deadline deadline(limits.time);
  const TSInput input{
      .payload = &text, .read = read_text, .encoding = TSInputEncodingUTF8, .decode = nullptr};
  const TSParseOptions options{.payload = &deadline, .progress_callback = [](TSParseState* state) {
                                 return static_cast<const Deadline*>(state->payload)->passed();
                               }};
  Tree tree(ts_parser_parse_with_options(parser.get(), nullptr, input, options));
  if (tree == nullptr) {
    return Error{
        Code::timeout, fmt::format("parsing took more than {} ms", limits.time.count()), {}};
  }
  return tree;
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
