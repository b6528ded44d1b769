#include "workspace/git_revision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "workspace/git_reference.h"

namespace lode {
namespace {

constexpr int kMostTags = 5;  // that stand for each other

Error no_such_revision() { return not_found("no such revision"); }

// So many digits at the beginning, which are taken off.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  int number = 0;
  if (text.size() < digits) return std::nullopt;
  const char* end = text.data() + digits;
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || number < 0) return std::nullopt;
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

std::optional<std::chrono::sys_days> take_day(std::string_view& text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

// "10:00".
std::optional<std::chrono::minutes> take_minutes(std::string_view& text) {
  const auto hours = take_number(text, 2);
  if (!hours || *hours > 23 || !take(text, ":")) return std::nullopt;
  const auto minutes = take_number(text, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
}

// What stands behind the time; empty is UTC.
std::optional<std::chrono::minutes> take_offset(std::string_view& text) {
  if (text.empty() || take(text, "Z")) return std::chrono::minutes(0);
  const bool east = text.starts_with('+');
  if (!east && !text.starts_with('-')) return std::nullopt;
  text.remove_prefix(1);
  const auto offset = take_minutes(text);
  if (!offset) return std::nullopt;
  return east ? *offset : -*offset;
}

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

// What a tag stands for, or the object itself if it is none: a tag's text begins with
// "object", an id and the end of the line.
Result<git_oid> peel(const GitReading& reading, git_oid id) {
  constexpr std::string_view kObject = "object ";
  const auto& repository = *reading.repository;
  const auto& git = repository.library();
  for (int step = 0; step <= kMostTags; ++step) {
    const auto object = repository.find_object(id);
    if (!object) return reading.unreadable("the revision cannot be read");
    const auto type = git.odb_object_type(object.get());
    if (type == GIT_OBJECT_COMMIT) return id;
    if (type != GIT_OBJECT_TAG) return no_such_revision();
    const std::string_view text(static_cast<const char*>(git.odb_object_data(object.get())),
                                git.odb_object_size(object.get()));
    if (!text.starts_with(kObject)) return invalid("the tag cannot be read");
    const auto next = repository.parse(std::string(text.substr(kObject.size(), GIT_OID_HEXSZ)));
    if (!next) return invalid("the tag cannot be read");
    id = *next;
  }
  return no_such_revision();
}

// Tags before branches, as git has it. Nothing: there is no such reference.
Result<std::optional<git_oid>> find_named(const GitReading& reading, const std::string& name) {
  for (const char* prefix : {"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"}) {
    const auto id = read_git_reference(*reading.base, reading.place, prefix + name);
    if (!id) return id.error();
    if (const auto found = reading.repository->parse(*id)) return std::optional(*found);
  }
  return std::optional<git_oid>();
}

// The newest commit of HEAD that is not later.
Result<git_oid> find_by_time(const GitReading& reading, std::chrono::sys_seconds until) {
  const auto& repository = *reading.repository;
  const auto& git = repository.library();
  GitCommitQueue queue(repository, reading.limits.commit_bytes, reading.limits.walk);
  if (const auto head = repository.parse(reading.head.id)) queue.add(*head);
  bool whole = true;
  while (!queue.empty() && !reading.allowance.is_over()) {
    const auto commit = queue.take();
    if (git.commit_time(commit.get()) <= until.time_since_epoch().count()) {
      return *git.commit_id(commit.get());
    }
    whole = queue.add_parents(*commit) && whole;
  }
  if (reading.allowance.is_over() || reading.allowance.memory_was_refused()) {
    return reading.unreadable("");
  }
  if (whole) return not_found("no such revision: HEAD has no commit that is so old");
  return not_found("no such revision: the commits before that time are not at hand");
}

// An id that somebody made up is of nothing.
Result<git_oid> find_by_id(const GitReading& reading, const std::optional<git_oid>& id) {
  if (id && reading.repository->find_object(*id)) return peel(reading, *id);
  return reading.allowance.memory_was_refused() ? reading.unreadable("") : no_such_revision();
}

Result<git_oid> find_by_prefix(const GitReading& reading, const std::string& digits) {
  git_oid found;
  switch (reading.repository->find_prefix(digits, found)) {
    case GitRepository::Unique::one: return peel(reading, found);
    case GitRepository::Unique::none: break;
    case GitRepository::Unique::several:
      return not_found("no such revision: several objects begin with these digits");
  }
  if (reading.allowance.memory_was_refused()) return reading.unreadable("");
  return no_such_revision();
}

}  // namespace

std::optional<std::chrono::sys_seconds> parse_git_date(std::string_view text) {
  using std::chrono::seconds;
  const auto day = take_day(text);
  if (!day) return std::nullopt;
  if (text.empty()) return std::chrono::sys_seconds(*day) + std::chrono::days(1) - seconds(1);
  if (!take(text, "T")) return std::nullopt;
  const auto minutes = take_minutes(text);
  if (!minutes) return std::nullopt;
  seconds rest(0);
  if (take(text, ":")) {
    const auto read = take_number(text, 2);
    if (!read || *read > 59) return std::nullopt;
    rest = seconds(*read);
  }
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  return std::chrono::sys_seconds(*day) + *minutes + rest - *offset;
}

Result<git_oid> find_git_revision(const GitReading& reading, const std::string& revision) {
  if (!reading.repository) return no_such_revision();  // there is no commit yet
  std::string digits = revision;
  std::ranges::transform(digits, digits.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c | 32) : c;
  });
  const bool hexadecimal = is_hexadecimal(digits) && digits.size() <= GIT_OID_HEXSZ;
  if (hexadecimal && digits.size() == GIT_OID_HEXSZ) {
    return find_by_id(reading, reading.repository->parse(digits));
  }
  if (revision == "HEAD") return find_by_id(reading, reading.repository->parse(reading.head.id));
  const auto named = find_named(reading, revision);
  if (!named) return named.error();
  if (*named) return peel(reading, **named);
  if (hexadecimal && digits.size() >= GIT_OID_MINPREFIXLEN) return find_by_prefix(reading, digits);
  if (const auto date = parse_git_date(revision)) return find_by_time(reading, *date);
  return no_such_revision();
}

}  // namespace lode
