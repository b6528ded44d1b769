// The keys of a task's frontmatter, in all spellings that are read.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/yaml.h"

namespace lode {

enum class TaskField : std::uint8_t {
  id,
  type,
  title,
  status,
  parent,
  dependencies,
  labels,
  priority,
  assignee,
  due,
  references,
  evidence,
  blocked_reason,
  created,
  updated,
  order,
};

// The key that says it in this frontmatter; if none does, the one that a writer adds.
std::string_view task_key_for(TaskField field, const YamlNode& frontmatter);
// Its value; null: it is not said.
const YamlNode* find_task_field(TaskField field, const YamlNode& frontmatter);
// Whether it is one of them, in any spelling.
bool is_task_key(std::string_view key);
// The same key, for a new file.
std::string_view task_key_for(TaskField field);

}  // namespace lode
