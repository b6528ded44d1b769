#include "syntax/task.h"

#include "base/varint.h"

namespace lode {
namespace {

enum : unsigned {
  kCompact = 1,
  kSymbolTable = 2,
  kSemanticHash = 4,
  kMaxDepth = 8,
  kAllFlags = 15
};

void put_span(std::string& out, const Span& span) {
  put_varint(out, span.begin);
  put_varint(out, span.end - span.begin);
  put_varint(out, span.line);
  put_varint(out, span.column);
  put_varint(out, span.end_line);
  put_varint(out, span.end_column);
}

Span take_span(VarintReader& in, std::string_view text) {
  Span span;
  span.begin = static_cast<std::uint32_t>(in.number(text.size()));
  span.end = span.begin + static_cast<std::uint32_t>(in.number(text.size() - span.begin));
  span.line = in.number32();
  span.column = in.number32();
  span.end_line = in.number32();
  span.end_column = in.number32();
  return span;
}

}  // namespace

std::string encode_options(const AstOptions& options) {
  std::string out;
  put_varint(out, (options.compact ? kCompact : 0U) |
                      (options.use_symbol_table ? kSymbolTable : 0U) |
                      (options.include_semantic_hash ? kSemanticHash : 0U) |
                      (options.max_depth ? kMaxDepth : 0U));
  if (options.max_depth) put_varint(out, *options.max_depth);
  return out;
}

std::optional<AstOptions> decode_options(std::string_view bytes) {
  VarintReader in(bytes);
  const auto flags = in.number(kAllFlags);
  AstOptions options;
  options.compact = (flags & kCompact) != 0;
  options.use_symbol_table = (flags & kSymbolTable) != 0;
  options.include_semantic_hash = (flags & kSemanticHash) != 0;
  if ((flags & kMaxDepth) != 0) options.max_depth = in.number32();
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return options;
}

std::string encode_answer(const QueryAnswer& answer) {
  std::string out;
  put_varint(out, answer.names.size());
  for (const auto& name : answer.names) put_text(out, name);
  put_varint(out, answer.matches);
  put_text(out, answer.incomplete);
  put_varint(out, answer.captures.size());
  for (const auto& capture : answer.captures) {
    put_varint(out, capture.match);
    put_varint(out, capture.name);
    put_span(out, capture.span);
  }
  return out;
}

std::optional<QueryAnswer> decode_answer(std::string_view bytes, std::string_view text) {
  VarintReader in(bytes);
  QueryAnswer answer;
  for (auto n = in.number(in.left()); n > 0 && in.ok(); --n) answer.names.emplace_back(in.text());
  answer.matches = in.number32();
  answer.incomplete = in.text();
  for (auto n = in.number(in.left()); n > 0 && in.ok(); --n) {
    QueryCapture capture;
    capture.match = in.number32();
    capture.name = in.number32();
    capture.span = take_span(in, text);
    if (capture.name >= answer.names.size() || capture.match >= answer.matches) in.fail();
    if (in.ok()) capture.text = capture.span.of(text);
    answer.captures.push_back(capture);
  }
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return answer;
}

std::string encode_mentions(const std::vector<Span>& spans) {
  std::string out;
  put_varint(out, spans.size());
  for (const auto& span : spans) put_span(out, span);
  return out;
}

std::optional<std::vector<Span>> decode_mentions(std::string_view bytes, std::string_view text) {
  VarintReader in(bytes);
  std::vector<Span> spans;
  for (auto n = in.number(in.left()); n > 0 && in.ok(); --n) spans.push_back(take_span(in, text));
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return spans;
}

}  // namespace lode
