#include "providers/backlog/manage_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/utf8.h"
#include "providers/backlog/task.h"

namespace lode {
namespace {

constexpr std::array<TaskField, 16> kAllFields{TaskField::id,
                                               TaskField::type,
                                               TaskField::title,
                                               TaskField::status,
                                               TaskField::parent,
                                               TaskField::dependencies,
                                               TaskField::labels,
                                               TaskField::priority,
                                               TaskField::assignee,
                                               TaskField::due,
                                               TaskField::references,
                                               TaskField::evidence,
                                               TaskField::blocked_reason,
                                               TaskField::created,
                                               TaskField::updated,
                                               TaskField::order};
constexpr std::size_t kHashLetters = 16;
constexpr std::string_view kLetters = "0123456789abcdefghijkmnpqrstuvwx";

Result<bool> set_key(Document& document, const std::string& key, const Json& value) {
  const auto* there = document.find({key});
  if (value.is_null()) {
    if (there == nullptr) return false;
    auto removed = document.remove({key});
    if (!removed) return std::move(removed).error();
    return true;
  }
  if (there != nullptr && equal(*there, value)) return false;
  auto set = document.set({key}, value);
  if (!set) return std::move(set).error();
  return true;
}

char letter_of(std::string_view bytes) { return kLetters[table_hash(bytes) % kLetters.size()]; }

// A letter for each field, one for what Lode does not know, and two for the body.
std::string letters_of(const Document& document) {
  std::string out;
  for (const auto field : kAllFields) {
    const auto* value = find_task_field(field, document.frontmatter());
    out.push_back(value == nullptr ? '-' : letter_of(to_text(to_json(*value))));
  }
  std::string others;
  const auto all = to_json(document.frontmatter());
  if (const auto* map = all.if_object()) {
    for (const auto& member : *map) {
      const std::string_view key(member.key().data(), member.key().size());
      if (!is_task_key(key)) others.append(key).append(to_text(member.value()));
    }
  }
  out.push_back(letter_of(others));
  const auto body = table_hash(document.body());
  out.push_back(kLetters[body % kLetters.size()]);
  out.push_back(kLetters[(body >> 32U) % kLetters.size()]);
  return out;
}

std::string hash_of(std::string_view text) { return content_hash(text).substr(0, kHashLetters); }

}  // namespace

Result<bool> set_task_field(Document& document, TaskField field, const Json& value) {
  const std::string key(task_key_for(field, document.frontmatter()));
  const auto* there = document.find({key});
  if (field == TaskField::assignee && there != nullptr && there->is_list()) {
    return set_key(document, key, value.is_null() ? Json(JsonArray()) : Json(JsonArray{value}));
  }
  return set_key(document, key, value);
}

Result<bool> set_other_field(Document& document, std::string_view key, const Json& value) {
  return set_key(document, std::string(key), value);
}

JsonArray task_list_field(const Document& document, TaskField field) {
  const auto* there = find_task_field(field, document.frontmatter());
  if (there == nullptr || there->kind == YamlKind::null) return {};
  auto value = to_json(*there);
  return value.is_array() ? std::move(value.get_array()) : JsonArray{std::move(value)};
}

Status set_task_body(Document& document, std::string_view body) {
  const auto old = document.body();
  const auto before = old.substr(0, std::min(old.find_first_not_of("\r\n"), old.size()));
  std::string text(static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')), '\n');
  if (text.empty() && old.empty()) text.push_back('\n');
  text.append(body);
  if (!text.ends_with('\n')) text += '\n';
  return document.set_body(text);
}

Status replace_in_body(Document& document,
                       const std::vector<std::pair<std::string, std::string>>& replacements) {
  std::string body(document.body());
  for (const auto& [old, now] : replacements) {
    if (old.empty()) return invalid("\"old\" is empty");
    const auto at = body.find(old);
    const auto shown = visible(cut_text(old, 80));
    if (at == body.npos) {
      return Error{
          Code::conflict, fmt::format("the body does not have the text \"{}\"", shown), {}};
    }
    if (body.find(old, at + 1) != body.npos) {
      return Error{Code::conflict,
                   fmt::format("the body has the text \"{}\" more than once; give more of what "
                               "stands around it",
                               shown),
                   {}};
    }
    body.replace(at, old.size(), now);
  }
  return document.set_body(body);
}

Status add_task_comment(Document& document, std::string_view who, std::string_view when,
                        std::string_view text) {
  constexpr std::string_view kHeading = "## Comments\n";
  std::string body(document.body());
  const bool crlf = body.find("\r\n") != body.npos;
  if (!body.empty() && !body.ends_with('\n')) body += crlf ? "\r\n" : "\n";
  auto line_begins = body.rfind(kHeading.substr(0, kHeading.size() - 1));
  while (line_begins != body.npos && line_begins != 0 && body[line_begins - 1] != '\n') {
    line_begins = body.rfind(kHeading.substr(0, kHeading.size() - 1), line_begins - 1);
  }
  // The end of that section: where the next heading of its level begins.
  auto at = body.size();
  if (line_begins != body.npos) {
    for (const std::string_view next : {"\n## ", "\n# "}) {
      const auto found = body.find(next, line_begins + kHeading.size() - 1);
      if (found != body.npos) at = std::min(at, found + 1);
    }
  }
  std::string added;
  if (line_begins == body.npos) added.append("\n").append(kHeading).append("\n");
  added += fmt::format("- **{}** {}: ", who, when);
  // A list item: what follows its first line is indented, so that no heading is one.
  std::string_view rest = text;
  while (rest.ends_with('\n') || rest.ends_with('\r')) rest.remove_suffix(1);
  for (char c : rest) {
    if (c == '\r') continue;
    added.push_back(c);
    if (c == '\n') added.append("  ");
  }
  added.push_back('\n');
  if (at < body.size()) added.push_back('\n');
  if (crlf) {
    std::string lines;
    for (char c : added) {
      if (c == '\n') lines.push_back('\r');
      lines.push_back(c);
    }
    added = std::move(lines);
  }
  while (at < body.size() && at >= 2 && body[at - 1] == '\n' && body[at - 2] == '\n') --at;
  body.insert(at, added);
  return document.set_body(body);
}

Status mark_task_changed(Document& document, std::chrono::system_clock::time_point now) {
  const auto* there = find_task_field(TaskField::updated, document.frontmatter());
  if (there == nullptr) return {};
  const auto before = parse_task_time(there->text);
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  if (before && *before >= seconds) return {};
  auto set = set_task_field(document, TaskField::updated, Json(task_time(now)));
  if (!set) return std::move(set).error();
  return {};
}

std::string task_version(std::string_view text) {
  const auto document = Document::parse(std::string(text), DocumentForm::markdown);
  return document ? hash_of(text) + letters_of(*document) : hash_of(text);
}

bool is_task_version(std::string_view version, std::string_view text) {
  const auto hash = content_hash(text);
  if (version.size() < kHashLetters) return false;
  return version == hash || version.substr(0, kHashLetters) == hash.substr(0, kHashLetters);
}

std::vector<std::string> changed_since(std::string_view version, std::string_view text) {
  const auto document = Document::parse(std::string(text), DocumentForm::markdown);
  if (!document || version.size() < kHashLetters) return {};
  const auto letters = letters_of(*document);
  const auto old = version.substr(kHashLetters);
  if (old.size() != letters.size()) return {};
  std::vector<std::string> out;
  for (std::size_t i = 0; i < kAllFields.size(); ++i) {
    if (old[i] != letters[i]) {
      out.emplace_back(task_key_for(kAllFields[i], document->frontmatter()));
    }
  }
  constexpr std::size_t kOthers = kAllFields.size();
  if (old[kOthers] != letters[kOthers]) out.emplace_back("fields of its own");
  if (old.substr(kOthers + 1) != std::string_view(letters).substr(kOthers + 1)) {
    out.emplace_back("body");
  }
  return out;
}

}  // namespace lode
