#include "store/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "store/yaml_problem.h"
#include "store/yaml_write.h"

namespace lode {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Behind the line at an offset, and its line end.
std::size_t next_line(std::string_view text, std::size_t at) {
  const auto end = text.find('\n', at);
  return end == text.npos ? text.size() : end + 1;
}

bool is_fence(std::string_view text, std::size_t at, std::string_view fence) {
  const auto line = text.substr(at, next_line(text, at) - at);
  return line.starts_with(fence) &&
         line.substr(fence.size()).find_first_not_of(" \t\r\n") == line.npos;
}

}  // namespace

Result<Document> Document::parse(std::string text, DocumentForm form,
                                 const DocumentLimits& limits) {
  if (text.size() > limits.bytes) return invalid(fmt::format("over {} bytes", limits.bytes));
  Document document;
  document.text_ = std::move(text);
  document.form_ = form;
  document.limits_ = limits;
  if (auto status = document.split(); !status) return std::move(status).error();
  if (auto status = document.read_frontmatter(); !status) return std::move(status).error();
  return document;
}

// Between the fences no line can look like one: YAML itself ends there.
Status Document::split() {
  const std::string_view text = text_;
  const std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const bool opened = is_fence(text, begin, "---");
  std::size_t close = next_line(text, begin);
  while (opened && close < text.size() && !is_fence(text, close, "---") &&
         !is_fence(text, close, "...")) {
    close = next_line(text, close);
  }
  fenced_ = opened && close < text.size();
  if (fenced_) {
    yaml_begin_ = next_line(text, begin);
    yaml_end_ = close;
    body_begin_ = next_line(text, close);
  } else if (form_ == DocumentForm::yaml) {
    yaml_begin_ = begin;
    yaml_end_ = body_begin_ = text.size();
  } else if (opened) {
    return yaml_error(1, "the frontmatter that begins here has no end (---)");
  } else {
    yaml_begin_ = yaml_end_ = body_begin_ = begin;
  }
  return {};
}

Status Document::read_frontmatter() {
  if (fenced_ && frontmatter_text().size() > limits_.frontmatter_bytes) {
    return yaml_error(1,
                      fmt::format("the frontmatter is over {} bytes", limits_.frontmatter_bytes));
  }
  const YamlLimits limits{limits_.bytes, limits_.depth, limits_.nodes};
  auto root = parse_yaml(frontmatter_text(), limits, fenced_ ? 2 : 1);
  if (!root) return std::move(root).error();
  root_ = *std::move(root);
  if (root_.style == YamlStyle::empty) {
    root_ = YamlNode();
    root_.kind = YamlKind::map;
    root_.style = YamlStyle::block;
    root_.line = fenced_ ? 2 : 1;
  }
  if (!root_.is_map()) return yaml_error(root_.line, "keys and values are expected (key: value)");
  return {};
}

const YamlNode* Document::find(const YamlPath& path) const {
  const YamlNode* node = &root_;
  for (const auto& key : path) {
    if (!node->is_map() && !node->is_list()) return nullptr;
    const auto index = child_index(*node, key);
    if (index >= child_count(*node)) return nullptr;
    node = &child_at(*node, index);
  }
  return node;
}

Result<std::string> make_document(const JsonObject& frontmatter, std::string_view body,
                                  const DocumentLimits& limits) {
  std::string text;
  const bool taken_for_frontmatter = is_fence(body, 0, "---") || body.starts_with(kByteOrderMark);
  if (!frontmatter.empty() || taken_for_frontmatter) {
    text = "---\n" + to_yaml(frontmatter) + "---\n";
    if (!body.empty() && !body.starts_with('\n') && !body.starts_with("\r\n")) text += '\n';
  }
  text += body;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  auto document = Document::parse(text, DocumentForm::markdown, limits);
  if (!document) return std::move(document).error();
  if (!equal(document->frontmatter(), Json(frontmatter))) {
    return internal("the new document would not say what it should");
  }
  return text;
}

}  // namespace lode
