#include "providers/backlog/task_fields.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lode {
namespace {

constexpr std::size_t kMostSpellings = 5;
using Spellings = std::array<std::string_view, kMostSpellings>;

// By field. The first is written; the others are backlog-mcp's of other times, those of
// Backlog.md, and what people write by hand.
constexpr std::array<Spellings, 16> kSpellings{{
    {"id"},
    {"type"},
    {"title", "name"},
    {"status", "state"},
    {"parent_id", "epic_id", "parent", "parent_task_id", "epic"},
    {"dependencies", "depends_on", "blocked_by"},
    {"labels", "tags"},
    {"priority"},
    {"assignee", "assignees", "owner"},
    {"due_date", "due"},
    {"references"},
    {"evidence"},
    {"blocked_reason"},
    {"created_at", "created", "created_date", "date"},
    {"updated_at", "updated", "updated_date"},
    {"order", "ordinal"},
}};

const Spellings& spellings_of(TaskField field) {
  return kSpellings[static_cast<std::size_t>(field)];
}

}  // namespace

bool is_task_key(std::string_view key) {
  return !key.empty() && std::any_of(kSpellings.begin(), kSpellings.end(), [&](const auto& each) {
    return std::find(each.begin(), each.end(), key) != each.end();
  });
}

std::string_view task_key_for(TaskField field) { return spellings_of(field).front(); }

std::string_view task_key_for(TaskField field, const YamlNode& frontmatter) {
  for (const auto key : spellings_of(field)) {
    if (!key.empty() && frontmatter.find(key) != nullptr) return key;
  }
  return task_key_for(field);
}

const YamlNode* find_task_field(TaskField field, const YamlNode& frontmatter) {
  return frontmatter.find(task_key_for(field, frontmatter));
}

}  // namespace lode
