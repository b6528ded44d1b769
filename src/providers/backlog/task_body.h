// What a task's body says beside its prose. Pure functions on values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "providers/backlog/task.h"

namespace lode {

inline constexpr std::size_t kMostCriteria = 1000;

// The check-boxes ("- [ ] text", "* [x] text", "1. [ ] text") below a heading "Acceptance
// criteria", to the next one of its level; without such a heading, all. What is in a code block
// is none.
std::vector<TaskCriterion> criteria_in(std::string_view body);

// The text of the first heading of level 1; empty: there is none.
std::string first_heading(std::string_view body);

// The first words that are neither heading nor markup, on one line.
std::string excerpt_of(std::string_view body, std::size_t most);

}  // namespace lode
