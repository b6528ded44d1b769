// Where the text of a task refers to a task by its id. Pure functions on values.
//
// A mention is the bare id in the fields that hold ids (the parent, dependencies), or an
// address mcp://backlog/tasks/ID anywhere. Ids have nothing in them that means something to YAML or
// markdown, so one may be replaced by another without reading the text again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lode {

struct TaskMention {
  enum class In : std::uint8_t {
    parent,
    dependencies,
    text,       // an address
    malformed,  // the id, anywhere in a text that cannot be read
  };
  In in = In::text;
  std::size_t begin = 0;  // of the id, in bytes
  std::size_t line = 0;   // from 1
  std::string written{};  // that line, trimmed
};

// In the order of the text. "TASK-1" is not mentioned by "TASK-10" and "TASK-1.2".
std::vector<TaskMention> find_mentions(std::string_view text, std::string_view id);

// Whether another version of a text has the mention too: the field has the id, or there is the same
// line with its address.
bool has_mention(const std::vector<TaskMention>& others, const TaskMention& mention);

// One that find_mentions() found, replaced. Those behind it move.
void replace_mention(std::string& text, const TaskMention& mention, std::string_view old_id,
                     std::string_view new_id);

// What the two sides of a merge made of a text where git left both; two empty texts: it has no
// conflict.
struct ConflictSides {
  std::string ours;
  std::string theirs;
  bool empty() const { return ours.empty() && theirs.empty(); }
};
ConflictSides conflict_sides(std::string_view text);

}  // namespace lode
