#include "workspace/git_reference.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "workspace/workspace.h"

namespace lode {
namespace {

constexpr std::size_t kMaxReference = 4096;  // bytes of a file that holds one
constexpr int kMostSteps = 5;                // from one reference to the next, as in git
constexpr std::size_t kIdDigits = 40;
constexpr std::string_view kSymbolic = "ref:";

Error unreadable(std::string_view why) {
  return invalid("the repository cannot be read: " + std::string(why));
}

bool is_id(std::string_view text) {
  return text.size() == kIdDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// As git has it, where it matters to us: a name is a path below "refs" that does not
// climb. Names with ".invalid" stand where references are kept in a form of their own.
bool is_name(std::string_view name) {
  return name.starts_with("refs/") && !name.ends_with('/') && !name.ends_with("/.invalid") &&
         name.find("..") == name.npos && name.find("//") == name.npos &&
         std::ranges::none_of(name, [](char c) { return (c >= 0 && c <= ' ') || c == '\x7f'; });
}

// The trimmed text of a file that holds a reference; nothing: there is no such file.
Result<std::optional<std::string>> text_of(const Root& root, const std::string& path) {
  const auto file = root.open_without_links(path);
  if (!file || !file->is_regular()) return std::optional<std::string>();
  auto text = read_all(*file, kMaxReference);
  if (!text) return unreadable("a reference is too long");
  return std::optional(std::string(trimmed(*text)));
}

// Each line is an id, a space and a name.
Result<std::optional<std::string>> find_packed(const Root& root, const std::string& path,
                                               const std::string& name) {
  const auto file = root.open_without_links(path);
  if (!file || !file->is_regular()) return std::optional<std::string>();
  const auto text = read_all(*file, kMostPackedRefs);
  if (!text) return unreadable("packed-refs is too long");
  const std::string wanted = " " + name;
  for (auto at = text->find(wanted); at != std::string::npos; at = text->find(wanted, at + 1)) {
    const auto end = at + wanted.size();
    const bool whole = end == text->size() || (*text)[end] == '\n' || (*text)[end] == '\r';
    if (!whole || at < kIdDigits) continue;
    const auto id = std::string_view(*text).substr(at - kIdDigits, kIdDigits);
    const bool begins = at == kIdDigits || (*text)[at - kIdDigits - 1] == '\n';
    if (begins && is_id(id)) return std::optional(std::string(id));
  }
  return std::optional<std::string>();
}

// A work tree has some references of its own; a file counts before the packed list.
Result<std::optional<std::string>> find_reference(const Root& root, const GitPlace& place,
                                                  const std::string& name) {
  for (const auto& directory : {place.head, place.common}) {
    auto text = text_of(root, join_path(directory, name));
    if (!text || *text) return text;
  }
  return find_packed(root, join_path(place.common, "packed-refs"), name);
}

std::string short_name(std::string_view name) {
  for (const std::string_view prefix : {"refs/heads/", "refs/"}) {
    if (name.starts_with(prefix)) return std::string(name.substr(prefix.size()));
  }
  return std::string(name);
}

// Follows a reference, whose text was read from somewhere, to an id.
Result<GitReference> follow(const Root& root, const GitPlace& place,
                            Result<std::optional<std::string>> text) {
  if (!text) return std::move(text).error();
  GitReference found;
  for (int step = 0; step < kMostSteps; ++step) {
    if (!*text) return found;
    if (is_id(**text)) {
      found.id = std::move(**text);
      return found;
    }
    if (!(*text)->starts_with(kSymbolic)) return unreadable("a reference is malformed");
    const std::string name(trimmed(std::string_view(**text).substr(kSymbolic.size())));
    if (!is_name(name)) return unreadable("HEAD refers to no branch");
    found.branch = short_name(name);
    text = find_reference(root, place, name);
    if (!text) return std::move(text).error();
  }
  return unreadable("its references refer to each other");
}

}  // namespace

Result<GitReference> read_git_head(const Root& root, const GitPlace& place) {
  return follow(root, place, text_of(root, join_path(place.head, "HEAD")));
}

Result<std::string> read_git_reference(const Root& root, const GitPlace& place,
                                       const std::string& name) {
  if (!is_name(name)) return std::string();
  auto found = follow(root, place, find_reference(root, place, name));
  if (!found) return std::move(found).error();
  return std::move(found->id);
}

std::vector<std::string> read_git_incoming(const Root& root, const GitPlace& place) {
  std::vector<std::string> ids;
  for (const char* name : {"MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD"}) {
    const auto text = text_of(root, join_path(place.head, name));
    if (!text || !*text) continue;
    // A merge of several branches has a line for each.
    for (std::string_view rest = **text; !rest.empty();) {
      const auto line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (is_id(line) && std::ranges::find(ids, line) == ids.end()) ids.emplace_back(line);
    }
  }
  return ids;
}

}  // namespace lode
