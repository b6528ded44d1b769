#include "providers/backlog/task_history.h"

#include "base/utf8.h"

namespace lode {
namespace {

const JsonObject& fields_of(const std::optional<Task>& task) {
  static const JsonObject kNone;
  return task ? task->fields : kNone;
}

}  // namespace

std::vector<TaskFieldChange> changes_between(const std::optional<Task>& before,
                                             const std::optional<Task>& after) {
  std::vector<TaskFieldChange> out;
  const auto& old_fields = fields_of(before);
  const auto& new_fields = fields_of(after);
  for (const auto& [key, value] : new_fields) {
    const auto* old = old_fields.if_contains(key);
    if (old == nullptr || *old != value) {
      out.push_back({std::string(key), old == nullptr ? Json() : *old, value});
    }
  }
  for (const auto& [key, value] : old_fields) {
    if (!new_fields.contains(key)) out.push_back({std::string(key), value, Json()});
  }
  const bool was_malformed = before && before->malformed;
  const bool is_malformed = after && after->malformed;
  if (was_malformed != is_malformed) {
    out.push_back(
        {"frontmatter", was_malformed ? "malformed" : "read", is_malformed ? "malformed" : "read"});
  }
  const auto body = [](const std::optional<Task>& task) {
    return task ? std::string_view(task->body) : std::string_view();
  };
  if (body(before) != body(after)) out.push_back({"body", Json(), Json()});
  return out;
}

std::string task_history_page(const TaskHead& task, const std::vector<TaskRevision>& revisions,
                              std::string_view next, bool whole) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("id", task.id).member("uri", task.uri());
  w.key("history").begin_array();
  for (const auto& revision : revisions) {
    w.begin_object().member("commit", revision.commit).member("author", visible(revision.author));
    w.member("time", revision.time).member("subject", visible(revision.subject));
    w.key("changes").begin_array();
    for (const auto& change : revision.changes) {
      w.begin_object().member("field", change.field);
      if (!change.from.is_null()) w.member("from", change.from);
      if (!change.to.is_null()) w.member("to", change.to);
      w.end_object();
    }
    w.end_array().end_object();
  }
  w.end_array().member_if("next", next);
  if (!whole) w.member("incomplete", "older commits are not in this clone");
  w.end_object();
  return out;
}

}  // namespace lode
