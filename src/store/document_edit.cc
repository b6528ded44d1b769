// Edits of a document: a proposal is written, parsed and compared with what was
// wanted, until one is right.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "store/document.h"
#include "store/document_check.h"
#include "store/document_plan.h"

namespace lode {
namespace {

// A value that needs more steps than this, or more bytes to be parsed, each step
// being so, is written anew.
constexpr std::size_t kMaxSteps = 16;
constexpr std::size_t kMaxStepBytes = std::size_t{4} << 20;

std::string shown(const YamlPath& path) { return fmt::format("{}", fmt::join(path, ".")); }

bool ends_lines_with_crlf(std::string_view text) {
  if (text.find('\n') == text.npos) return false;
  for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') return false;
  }
  return true;
}

std::string with_crlf(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

}  // namespace

class DocumentEdit {
 public:
  explicit DocumentEdit(Document& document) : document_(document) {}

  Status set(YamlPath path, Json value);
  Status remove(const YamlPath& path);
  Status set_body(std::string_view body);

 private:
  struct Reached {
    const YamlNode* node;
    std::size_t steps;
  };
  Reached reach(const YamlPath& path) const;

  Status check_aliases(const YamlPath& path) const;
  Status shorten(YamlPath& path, Json& value) const;
  Status make(const YamlPath& path, const Json* value);
  std::vector<std::string> candidates(const YamlPath& path, const Json* value) const;
  Status step_by_step(const std::vector<DocumentStep>& steps);
  Status check_length(const YamlPath& path, std::size_t yaml_bytes) const;
  Result<Document> with_frontmatter(std::string yaml) const;
  std::string_view eol() const;

  Document& document_;
};

std::string_view DocumentEdit::eol() const {
  const auto end = document_.text_.find('\n');
  return end != std::string::npos && end > 0 && document_.text_[end - 1] == '\r' ? "\r\n" : "\n";
}

// How far a path leads to something.
DocumentEdit::Reached DocumentEdit::reach(const YamlPath& path) const {
  Reached at{&document_.root_, 0};
  for (; at.steps < path.size(); ++at.steps) {
    const auto index = child_index(*at.node, path[at.steps]);
    if (index >= child_count(*at.node)) break;
    at.node = &child_at(*at.node, index);
  }
  return at;
}

// An alias can be replaced, but what it copies stands elsewhere.
Status DocumentEdit::check_aliases(const YamlPath& path) const {
  for (std::size_t steps = 1; steps < path.size(); ++steps) {
    const YamlPath part(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(steps));
    const auto* node = document_.find(part);
    if (node == nullptr) break;
    if (node->style == YamlStyle::alias) {
      return Error{Code::unsupported,
                   fmt::format("cannot change {}: {} is an alias", shown(path), shown(part)),
                   {}};
    }
  }
  return {};
}

Result<Document> DocumentEdit::with_frontmatter(std::string yaml) const {
  if (document_.form_ == DocumentForm::markdown && !document_.fenced_) {
    yaml = fmt::format("---{0}{1}---{0}", eol(), yaml);
  }
  const std::string_view text = document_.text_;
  return Document::parse(fmt::format("{}{}{}", text.substr(0, document_.yaml_begin_), yaml,
                                     text.substr(document_.yaml_end_)),
                         document_.form_, document_.limits_);
}

// A text that is too long now is no matter of how it is written.
Status DocumentEdit::check_length(const YamlPath& path, std::size_t yaml_bytes) const {
  const auto& limits = document_.limits_;
  const bool fenced = document_.fenced_ || document_.form_ == DocumentForm::markdown;
  const auto others = document_.text_.size() - document_.frontmatter_text().size();
  if (fenced && yaml_bytes > limits.frontmatter_bytes) {
    return invalid(fmt::format("{}: the frontmatter would be over {} bytes", shown(path),
                               limits.frontmatter_bytes));
  }
  if (others + yaml_bytes > limits.bytes) {
    return invalid(fmt::format("{}: the file would be over {} bytes", shown(path), limits.bytes));
  }
  return {};
}

// What the frontmatter might become. Proposals are for texts that end with a
// line end; one that does not gets it for the while, and keeps it only if what
// it says depends on it.
std::vector<std::string> DocumentEdit::candidates(const YamlPath& path, const Json* value) const {
  std::string yaml(document_.frontmatter_text());
  const bool unended = !yaml.empty() && !yaml.ends_with('\n');
  if (unended) yaml += eol();
  const YamlSource source{yaml, document_.root_, eol()};
  std::vector<std::string> ended;
  for (const auto& rewrite :
       value != nullptr ? propose_set(source, path, *value) : propose_removal(source, path)) {
    ended.push_back(rewritten(yaml, rewrite));
  }
  if (!unended) return ended;
  std::vector<std::string> out;
  for (auto text : ended) {
    if (text.ends_with(eol())) text.resize(text.size() - eol().size());
    while (text.ends_with('\n')) text.resize(text.size() - (text.ends_with("\r\n") ? 2 : 1));
    out.push_back(std::move(text));
  }
  std::move(ended.begin(), ended.end(), std::back_inserter(out));
  return out;
}

Status DocumentEdit::make(const YamlPath& path, const Json* value) {
  std::string reason;
  for (auto& yaml : candidates(path, value)) {
    if (auto status = check_length(path, yaml.size()); !status) return status;
    auto changed = with_frontmatter(std::move(yaml));
    if (changed && changed->body() == document_.body() &&
        changed_only(document_.root_, changed->root_, path, value)) {
      document_ = *std::move(changed);
      return {};
    }
    if (reason.empty()) reason = changed ? "other values would change" : changed.error().message;
  }
  return Error{
      Code::unsupported,
      fmt::format("cannot change {} without rewriting more of the file: {}", shown(path), reason),
      {}};
}

// On a copy: all steps or none.
Status DocumentEdit::step_by_step(const std::vector<DocumentStep>& steps) {
  Document changed = document_;
  for (const auto& step : steps) {
    auto status = DocumentEdit(changed).make(step.path, step.value ? &*step.value : nullptr);
    if (!status) return status;
  }
  document_ = std::move(changed);
  return {};
}

// Part of a path may lead to nothing: then a value that holds the rest of it is
// set where it ends.
Status DocumentEdit::shorten(YamlPath& path, Json& value) const {
  const auto [node, steps] = reach(path);
  if (steps == path.size()) return {};
  const YamlPath reached(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(steps));
  const bool holds = node->is_map() || node->is_list();
  if (!holds && node->kind != YamlKind::null) {
    return invalid(fmt::format("{} is neither a map nor a list", shown(reached)));
  }
  if (holds && child_index(*node, path[steps]) == std::string::npos) {
    return invalid(fmt::format("{} has no item {}", shown(reached), path[steps]));
  }
  while (path.size() > steps + (holds ? 1 : 0)) {
    value = JsonObject{{path.back(), std::move(value)}};
    path.pop_back();
  }
  return {};
}

Status DocumentEdit::set(YamlPath path, Json value) {
  if (path.empty()) return invalid("an empty path");
  if (auto status = check_value(path, value, document_.limits_.depth); !status) return status;
  if (auto status = check_aliases(path); !status) return status;
  if (auto status = shorten(path, value); !status) return status;
  if (const auto* node = document_.find(path)) {
    const auto steps = plan_steps(*node, path, value);
    if (steps.empty()) return {};
    const bool few = steps.size() <= kMaxSteps &&
                     steps.size() * document_.frontmatter_text().size() <= kMaxStepBytes;
    if (few && step_by_step(steps)) return {};
  }
  return make(path, &value);
}

Status DocumentEdit::remove(const YamlPath& path) {
  if (path.empty()) return invalid("an empty path");
  if (document_.find(path) == nullptr) return not_found(fmt::format("there is no {}", shown(path)));
  if (auto status = check_aliases(path); !status) return status;
  return make(path, nullptr);
}

Status DocumentEdit::set_body(std::string_view body) {
  if (body == document_.body()) return {};
  if (document_.form_ == DocumentForm::yaml && !document_.fenced_) {
    return Error{Code::unsupported, "a YAML document has no body", {}};
  }
  std::string head = document_.text_.substr(0, document_.body_begin_);
  if (document_.fenced_ && !head.ends_with('\n')) head += eol();
  std::string text(body);
  const std::string_view model =
      document_.body().find('\n') == std::string::npos ? document_.text_ : document_.body();
  if (ends_lines_with_crlf(model) && text.find('\r') == text.npos) text = with_crlf(text);
  auto changed = Document::parse(head + text, document_.form_, document_.limits_);
  if (!changed) return std::move(changed).error();
  if (changed->body() != text || !identical(changed->root_, document_.root_)) {
    return Error{Code::unsupported, "the body would be taken for frontmatter", {}};
  }
  document_ = *std::move(changed);
  return {};
}

Status Document::set(const YamlPath& path, const Json& value) {
  return DocumentEdit(*this).set(path, value);
}
Status Document::remove(const YamlPath& path) { return DocumentEdit(*this).remove(path); }
Status Document::set_body(std::string_view text) { return DocumentEdit(*this).set_body(text); }

}  // namespace lode
