// What is known of tasks between runs.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

#include "base/varint.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/tasks.h"

namespace lode {
namespace {

// To be raised whenever read_task() reads a file otherwise than before.
constexpr int kFormat = 2;

void put_texts(std::string& out, const std::vector<std::string>& texts) {
  put_varint(out, texts.size());
  for (const auto& text : texts) put_text(out, text);
}

std::vector<std::string> take_texts(VarintReader& in) {
  std::vector<std::string> out;
  for (auto n = in.number(in.left()); n > 0 && in.ok(); --n) out.emplace_back(in.text());
  return out;
}

void put_head(std::string& out, const TaskHead& task) {
  put_text(out, task.file);
  put_varint(out, task.stamp);
  put_varint(out, task.bytes);
  put_varint(out, static_cast<std::uint64_t>(task.type));
  put_varint(out, static_cast<std::uint64_t>(task.status));
  put_varint(out, static_cast<std::uint64_t>(task.priority));
  put_varint(out, (task.malformed ? 1U : 0U) | (task.says_type ? 2U : 0U) | (task.order ? 4U : 0U));
  put_varint(out, task.criteria);
  put_varint(out, task.criteria_done);
  for (const auto* text : {&task.id, &task.title, &task.parent, &task.assignee, &task.due,
                           &task.created, &task.updated, &task.excerpt}) {
    put_text(out, *text);
  }
  put_texts(out, task.dependencies);
  put_texts(out, task.labels);
  put_varint(out, static_cast<std::uint64_t>(task.updated_at));
  if (task.order) put_varint(out, std::bit_cast<std::uint64_t>(*task.order));
}

TaskHead take_head(VarintReader& in) {
  TaskHead task;
  task.file = in.text();
  task.stamp = in.number(UINT64_MAX);
  task.bytes = in.number(UINT64_MAX);
  task.type = static_cast<TaskType>(in.number(kTaskTypeCount - 1));
  task.status = static_cast<TaskStatus>(in.number(kTaskStatusCount - 1));
  task.priority = static_cast<TaskPriority>(in.number(4));
  const auto flags = in.number(7);
  task.malformed = (flags & 1U) != 0;
  task.says_type = (flags & 2U) != 0;
  task.criteria = static_cast<std::uint16_t>(in.number(UINT16_MAX));
  task.criteria_done = static_cast<std::uint16_t>(in.number(UINT16_MAX));
  for (auto* text : {&task.id, &task.title, &task.parent, &task.assignee, &task.due, &task.created,
                     &task.updated, &task.excerpt}) {
    *text = in.text();
  }
  task.dependencies = take_texts(in);
  task.labels = take_texts(in);
  task.updated_at = static_cast<std::int64_t>(in.number(kLastTaskTime));
  if ((flags & 4U) != 0) {
    const auto order = std::bit_cast<double>(in.number(UINT64_MAX));
    if (std::isfinite(order)) task.order = order;
  }
  return task;
}

// The format names the directory: that of another backlog is another's file.
std::string format_of(const std::string& directory) {
  return fmt::format("tasks {} {}", kFormat, directory);
}

}  // namespace

// ---- the file ----

void Tasks::load_kept() {
  auto loaded = place_.kept_in.empty() ? Status() : load_file();
  if (loaded || loaded.error().code == Code::not_found) return;
  log_.info("made anew", {{"what", "what is known of tasks"}, {"problem", loaded.error().message}});
}

// A record counts at once, until a look at the directory says otherwise; what the index does not
// have alike it gets when all files have been looked at.
Status Tasks::load_file() {
  const auto body = index_.load(place_.kept_in, format_of(place_.directory));
  if (!body) return body.error();
  VarintReader in(*body);
  std::vector<Record> records;
  for (auto n = in.number(in.left()); n > 0 && in.ok(); --n) {
    Record record{take_head(in), {}, {}};
    for (auto m = in.number(in.left()); m > 0 && in.ok(); --m) {
      const auto line = static_cast<std::size_t>(in.number(UINT32_MAX));
      record.problems.push_back({line, std::string(in.text())});
    }
    const bool good = type_of_task_file(record.head.file) && is_task_id(record.head.id) &&
                      !(record.head.malformed && record.problems.empty());
    if (!good) in.fail();
    records.push_back(std::move(record));
  }
  if (!in.ok() || !in.at_end()) {
    index_.clear();
    return invalid("what is known of files is damaged");
  }
  const Lock lock(mutex_);
  for (auto& record : records) {
    const std::string file = record.head.file;
    if (files_.contains(file)) continue;  // it was looked at meanwhile
    keep(file, std::move(record));
  }
  touched_.clear();
  touched_many_ = false;
  return {};
}

void Tasks::save() {
  Index::Companion companion{format_of(place_.directory), {}};
  {
    const Lock lock(mutex_);
    if (place_.kept_in.empty() || loading_ || !std::exchange(changed_since_saved_, false)) return;
    auto& body = companion.bytes;
    put_varint(body, files_.size());
    for (const auto& [file, record] : files_) {
      put_head(body, record.head);
      put_varint(body, record.problems.size());
      for (const auto& problem : record.problems) {
        put_varint(body, problem.line);
        put_text(body, problem.text);
      }
    }
  }
  if (auto saved = index_.save(place_.kept_in, companion); !saved) {
    log_.info("what is known of tasks was not saved", {{"problem", saved.error().message}});
  }
}

}  // namespace lode
