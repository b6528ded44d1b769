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

}  // namespace lode
