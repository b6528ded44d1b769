// Which commit a revision means. See Git::file() for what it may be.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "workspace/git_reading.h"

namespace lode {

// The reading has begun. Code::not_found: there is no such revision, or several objects begin
// with these digits. Code::invalid: the repository cannot be read. Code::timeout.
Result<git_oid> find_git_revision(const GitReading& reading, const std::string& revision);

// The last moment that a date means: the end of a day, or the time that it tells. Nothing:
// it is no date of the form 2026-01-22 or 2026-01-22T10:00[:00][Z|+02:00].
std::optional<std::chrono::sys_seconds> parse_git_date(std::string_view text);

}  // namespace lode
