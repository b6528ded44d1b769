// A task's file. Input: the name of the file, a newline, its text.
//
//  - A file always gives a task whose id an address can hold, and whose short texts are UTF-8
//    and bounded, so that a list of tasks is too.
//  - Its check-boxes are lines of the body; of a malformed file nothing but the text is taken.
#include "providers/backlog/task.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "fuzz.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/task_body.h"

namespace lode::fuzz {
namespace {

void check_head(const TaskHead& task) {
  check(valid_utf8(task.title) && task.title.size() <= kTitleBytes, "a title is bounded text");
  check(task.labels.size() <= kMostLabels, "labels are bounded");
  check(task.dependencies.size() <= kMostDependencies, "and dependencies");
  for (const auto* list : {&task.labels, &task.dependencies}) {
    check(std::all_of(list->begin(), list->end(),
                      [](const std::string& text) { return valid_utf8(text); }),
          "both are text");
  }
  for (const auto& text : {task.parent, task.assignee, task.due, task.created, task.updated}) {
    check(valid_utf8(text), "so is all that a list shows");
  }
}

}  // namespace

void run(std::string_view input) {
  const auto name = "tasks/" + std::string(take_until(input, '\n'));
  if (!valid_utf8(name) || !type_of_task_file(name)) return;
  const auto text = input.substr(0, kTaskTextBytes);
  const auto task = read_task({name, text, input.size(), {}});
  check_head(task);
  check(valid_utf8(task.body), "a body is text");
  check(task.acceptance.size() <= kMostCriteria, "criteria are bounded");
  const auto lines =
      static_cast<std::size_t>(std::count(task.body.begin(), task.body.end(), '\n')) + 1;
  for (const auto& criterion : task.acceptance) {
    check(criterion.line >= 1 && criterion.line <= lines, "a criterion is a line of the body");
  }
  if (task.malformed) check(!task.problems.empty(), "what is malformed says why");
}

}  // namespace lode::fuzz
