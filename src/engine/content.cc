#include "engine/content.h"

#include <utility>

namespace lode {

Content Content::text(std::string text) {
  Content content;
  content.mime = "text/plain";
  content.bytes = std::move(text);
  return content;
}

Content Content::binary(std::string mime, std::string bytes) {
  Content content;
  content.form = Form::binary;
  content.mime = std::move(mime);
  content.bytes = std::move(bytes);
  return content;
}

TokenCount count_tokens(const Contents& contents, std::size_t limit) {
  if (contents.tokens) return *contents.tokens;
  TokenCount sum;
  const auto add = [&](std::string_view text) {
    const auto part = count_or_estimate(text, limit);
    sum.tokens += part.tokens;
    sum.estimated |= part.estimated;
  };
  for (const auto& item : contents.items) {
    if (item.form == Content::Form::text) add(item.bytes);
  }
  if (contents.structured && contents.items.empty()) add(to_text(*contents.structured));
  return sum;
}

bool is_as_read(const Contents& contents) {
  if (contents.stamp == 0) return true;
  return contents.stamp_now && contents.stamp_now() == contents.stamp;
}

}  // namespace lode
