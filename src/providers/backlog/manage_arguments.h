// The calls of backlog_manage: what they say, checked. Errors teach the right call. Values;
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "providers/backlog/task.h"
#include "providers/backlog/task_fields.h"

namespace lode {

inline constexpr std::size_t kMostOperations = 100;                   // in one call
inline constexpr std::size_t kMostCallBytes = std::size_t{16} << 20;  // of all that is written
inline constexpr std::size_t kMostReplacements = 100;                 // in one body
inline constexpr std::size_t kCommentBytes = 64 * 1024;

enum class TaskVerb : std::uint8_t {
  create,
  update,
  move,
  claim,
  comment,
  attach,
  remove,
  restore,
};

// One operation of a call.
struct TaskOperation {
  TaskVerb verb = TaskVerb::create;
  std::string id{};  // "#1": of what the first operation of this call made; empty: none was given
  TaskType type = TaskType::task;                    // of a new one
  std::vector<std::pair<TaskField, Json>> fields{};  // in the shape that is written; null removes
  JsonObject others{};                               // fields that Lode does not know
  std::optional<std::string> body{};                 //
  std::vector<std::pair<std::string, std::string>> replacements{};  // in the body, old and new
  std::string if_version{};                                         // of the file, or its beginning
  std::string text{};                                               // a comment
  std::string as{};                                                 // who speaks or claims
  std::string label{};                                              // claim: of which one
  std::string url{};                                                // attach: a reference
  std::string name{};                                               // attach: of a file
  std::string content{};                                            // attach: of that file
  std::string title{};                                              // attach: of the reference

  // Null: it is not given.
  const Json* find(TaskField field) const;
};

std::string_view to_string(TaskVerb verb);

// A call has `operations`, or is one operation itself.
Result<std::vector<TaskOperation>> parse_task_operations(const Json& arguments);

}  // namespace lode
