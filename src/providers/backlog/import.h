// Trees of other backlogs, as files of this one.
//
//   backlog.md    backlog/tasks/task-1 - Title.md of the npm package backlog.md: tasks,
//                 completed/, drafts/, milestones/ and archive/; documents and decisions
//                 become artifacts
//   backlog-mcp   tasks/TASK-0001.md of a home, or docs/tasks/TASK-0001.md
//
// A file is taken byte for byte, with its id, so that dependencies, parents and criteria stay
// what they are; only these keys of Backlog.md's are changed or added, and the notes say so:
//
//   a milestone's task without a parent    parent_id: the milestone
//   a status of the project's own          in_progress, the old one is original_status
//   a draft                                open, with the label draft
//   what was archived and not done         cancelled, with the label archived
//
// Pure functions on values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode {

enum class BacklogFormat : std::uint8_t { backlog_md, backlog_mcp };
// "backlog.md", "backlog-mcp"
std::string_view to_string(BacklogFormat format);
std::optional<BacklogFormat> find_backlog_format(std::string_view name);

// A backlog in a tree: its form, and the directory that holds it ("backlog/", "").
struct BacklogSource {
  BacklogFormat format = BacklogFormat::backlog_md;
  std::string prefix;
};
// By the paths of all files, and, if it is given, of that form. Nothing: there is none.
std::optional<BacklogSource> find_backlog_source(const std::vector<std::string>& paths,
                                                 std::optional<BacklogFormat> format = {});

// Where a file of such a tree goes, below the backlog's directory.
struct BacklogPlacement {
  std::string target;  // empty: nowhere
  std::string why;     // then
  bool is_task = false;
  bool draft = false;
  bool archived = false;
};
// path: below the tree.
BacklogPlacement place_in_backlog(const BacklogSource& source, std::string_view path);

struct ImportedTask {
  std::string id;
  std::string text;
  std::vector<std::string> mended;  // empty: the text is as it was
};
// Code::invalid: it is malformed; the message names the line.
Result<ImportedTask> import_task(const BacklogSource& source, const BacklogPlacement& place,
                                 std::string text);

}  // namespace lode
