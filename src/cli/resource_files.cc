#include "cli/resource_files.h"

#include <algorithm>
#include <string>
#include <utility>

#include "store/document.h"

namespace lode {
namespace {

// Only the beginning can be frontmatter, but a document is read as a whole.
Result<MarkdownParts> split_markdown(std::string_view text) {
  DocumentLimits limits;
  limits.bytes = std::max(limits.bytes, text.size());
  auto document = Document::parse(std::string(text), DocumentForm::markdown, limits);
  if (!document) return std::move(document).error();
  Json values = to_json(document->frontmatter());
  MarkdownParts parts;
  if (values.is_object()) parts.frontmatter = std::move(values.as_object());
  parts.body = text.size() - document->body().size();
  return parts;
}

}  // namespace

ResourceFiles make_resource_files(const Workspace& workspace) {
  ResourceFiles files;
  files.split_markdown = split_markdown;
  files.short_path = [&workspace](const std::string& absolute) -> std::string {
    const auto place = workspace.find(absolute);
    if (!place) return "";
    auto name = workspace.short_name(*place);
    return name.empty() ? "." : name;
  };
  return files;
}

}  // namespace lode
