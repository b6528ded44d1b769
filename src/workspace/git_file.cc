#include "workspace/git_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "workspace/git_tree_comparison.h"

namespace lode {
namespace {

bool same(const git_oid& a, const git_oid& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

// ---- looking a path up ----

GitPathLookup::GitPathLookup(const GitReading& reading, std::string_view path) : reading_(reading) {
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    const auto name = path.substr(0, end);
    possible_ = !name.empty() && name != "." && name != ".." && name.find('\0') == name.npos &&
                end + 1 != path.size() && names_.size() < GitTreeComparison::kMostDepth;
    if (!possible_) return;
    names_.emplace_back(name);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  last_.resize(names_.size());
}

GitPathLookup::Found GitPathLookup::find_from(const git_oid& tree, std::size_t level) {
  if (!possible_) return {};
  if (level == names_.size()) return {true, true, tree, GIT_FILEMODE_TREE};
  Last& last = last_[level];
  if (!last.known || !same(last.tree, tree)) last = {true, tree, look(tree, level)};
  if (!last.found.readable) last.known = false;
  return last.found;
}

GitPathLookup::Found GitPathLookup::look(const git_oid& tree, std::size_t level) {
  const auto& git = reading_.repository->library();
  Found found;
  const auto entries = reading_.repository->find_tree(tree);
  found.readable = entries != nullptr;
  const auto* entry =
      entries ? git.tree_entry_byname(entries.get(), names_[level].c_str()) : nullptr;
  if (entry == nullptr) return found;
  const git_oid id = *git.tree_entry_id(entry);
  const auto mode = git.tree_entry_filemode(entry);
  if (level + 1 == names_.size()) return {true, true, id, mode};
  return mode == GIT_FILEMODE_TREE ? find_from(id, level + 1) : found;
}

// ---- one revision ----

namespace {

Result<std::vector<GitFile::Entry>> read_entries(const GitReading& reading, const git_oid& id) {
  const auto& git = reading.repository->library();
  const auto tree = reading.repository->find_tree(id);
  if (!tree) return reading.unreadable("the directory cannot be read at this revision");
  const auto count = git.tree_entrycount(tree.get());
  if (count > reading.limits.entries) {
    return Error{Code::unsupported,
                 fmt::format("the directory has over {} entries", reading.limits.entries),
                 {}};
  }
  std::vector<GitFile::Entry> entries;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* entry = git.tree_entry_byindex(tree.get(), i);
    const auto mode = git.tree_entry_filemode(entry);
    const bool directory = mode == GIT_FILEMODE_TREE;
    const bool file = mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
    if (directory || file) entries.push_back({git.tree_entry_name(entry), directory});
  }
  return entries;
}

}  // namespace

Result<std::string> read_git_blob(const GitReading& reading, const git_oid& id,
                                  std::size_t most_bytes) {
  const auto& git = reading.repository->library();
  const auto object = reading.repository->find_object(id);
  if (!object || git.odb_object_type(object.get()) != GIT_OBJECT_BLOB) {
    return reading.unreadable("the file cannot be read at this revision");
  }
  const auto size = git.odb_object_size(object.get());
  if (size > most_bytes) {
    return Error{Code::unsupported, fmt::format("the file is over {} bytes", most_bytes), {}};
  }
  return std::string(static_cast<const char*>(git.odb_object_data(object.get())), size);
}

Result<GitFile> read_git_file(const GitReading& reading, const git_oid& commit,
                              std::string_view path) {
  const auto& repository = *reading.repository;
  const auto& git = repository.library();
  const auto opened = repository.find_commit(commit, reading.limits.commit_bytes);
  if (!opened) return reading.unreadable("the commit of the revision cannot be read");
  const auto found = GitPathLookup(reading, path).find(*git.commit_tree_id(opened.get()));
  if (!found.readable) return reading.unreadable("a directory cannot be read at this revision");
  if (!found.is_file() && !found.is_directory()) return not_found("no such file at this revision");
  GitFile file;
  file.commit = repository.hex(commit);
  file.id = repository.hex(found.id);
  file.time = repository.time_of(*opened);
  file.directory = found.is_directory();
  if (file.directory) {
    auto entries = read_entries(reading, found.id);
    if (!entries) return std::move(entries).error();
    file.entries = std::move(*entries);
    return file;
  }
  auto bytes = read_git_blob(reading, found.id, reading.limits.file_bytes);
  if (!bytes) return std::move(bytes).error();
  file.bytes = std::move(*bytes);
  return file;
}

// ---- the history ----

namespace {

// Walks from a commit to those before it, and stops when the page is full. A page is the same
// however much of the walk was skipped before it: its order is that of the walk alone.
class FileWalk {
 public:
  FileWalk(const GitReading& reading, const std::vector<std::string>& paths,
           const GitHistoryPage& page)
      : reading_(reading),
        repository_(*reading.repository),
        git_(repository_.library()),
        page_(page),
        queue_(repository_, reading.limits.commit_bytes, reading.limits.walk) {
    for (const auto& path : paths) lookups_.emplace_back(reading, path);
  }

  Result<GitFileHistory> run(const git_oid& from) {
    history_.from = repository_.hex(from);
    if (!queue_.add(from)) return reading_.unreadable("the commit cannot be read");
    while (!queue_.empty() && !history_.more) {
      const auto commit = queue_.take();
      visit(*commit);
      if (reading_.allowance.is_over() || reading_.allowance.memory_was_refused()) {
        return reading_.unreadable("");
      }
    }
    return std::move(history_);
  }

 private:
  using Found = GitPathLookup::Found;

  // The file's id; null: there is none. Links and directories are none.
  static const git_oid* file_in(const Found& found) {
    return found.is_file() ? &found.id : nullptr;
  }
  static bool is_same(const Found& a, const Found& b) {
    const auto* x = file_in(a);
    const auto* y = file_in(b);
    return x == nullptr || y == nullptr ? x == y : same(*x, *y);
  }

  // What a commit, or one of its parents, has at each path.
  std::vector<Found> in(const git_commit& commit) {
    std::vector<Found> all;
    for (auto& lookup : lookups_) all.push_back(lookup.find(*git_.commit_tree_id(&commit)));
    return all;
  }
  std::vector<Found> in_parent(const git_commit& commit, unsigned number) {
    const auto id = *git_.commit_parent_id(&commit, number);
    const auto parent = repository_.find_commit(id, reading_.limits.commit_bytes);
    return parent ? in(*parent) : std::vector<Found>(lookups_.size(), Found{.readable = false});
  }
  static bool readable(const std::vector<Found>& all) {
    return std::ranges::all_of(all, &Found::readable);
  }

  // A commit whose neighbours are missing may or may not have changed the file. What a merge
  // has as one of its sides had it, it did not change.
  void visit(git_commit& commit) {
    const auto now = in(commit);
    const auto parents = git_.commit_parentcount(&commit);
    std::vector<Found> before(lookups_.size());
    std::vector<bool> changed(lookups_.size(), true);
    bool comparable = readable(now);
    for (unsigned i = 0; i < parents && !reading_.allowance.is_over(); ++i) {
      const auto then = in_parent(commit, i);
      const bool compared = readable(now) && readable(then);
      if (compared && std::ranges::equal(now, then, is_same)) {
        follow(*git_.commit_parent_id(&commit, i));
        return;
      }
      for (std::size_t path = 0; compared && path < now.size(); ++path) {
        if (is_same(now[path], then[path])) changed[path] = false;
      }
      comparable = comparable && compared;
      if (i == 0) before = then;
    }
    if (!comparable) {
      history_.whole = false;
    } else {
      add(commit, before, now, changed);
    }
    if (!queue_.add_parents(commit)) history_.whole = false;
  }

  void follow(const git_oid& parent) {
    if (!queue_.add(parent)) history_.whole = false;
  }

  void add(git_commit& commit, const std::vector<Found>& before, const std::vector<Found>& now,
           const std::vector<bool>& changed) {
    GitFileChange change;
    bool any = false;
    const auto first = [&](const std::vector<Found>& all, std::string& id) {
      for (std::size_t path = 0; path < all.size(); ++path) {
        const auto* file = changed[path] ? file_in(all[path]) : nullptr;
        if (file == nullptr) continue;
        any = true;
        if (id.empty()) id = repository_.hex(*file);
      }
    };
    first(before, change.before);
    first(now, change.after);
    if (!any || passed_++ < page_.skip) return;
    if (history_.changes.size() == page_.limit) {
      history_.more = true;
      return;
    }
    change.id = repository_.hex(*git_.commit_id(&commit));
    change.time = repository_.time_of(commit);
    const auto* author = git_.commit_author(&commit);
    const char* name = author == nullptr ? nullptr : author->name;
    change.author = cut(name);
    change.subject = cut(git_.commit_summary(&commit));
    history_.changes.push_back(std::move(change));
  }

  std::string cut(const char* text) const {
    if (text == nullptr) return "";
    return std::string(text, ::strnlen(text, reading_.limits.text_bytes));
  }

  const GitReading& reading_;
  const GitRepository& repository_;
  const GitLibrary& git_;
  const GitHistoryPage& page_;
  std::vector<GitPathLookup> lookups_;  // by path
  GitCommitQueue queue_;
  GitFileHistory history_;
  std::size_t passed_ = 0;
};

}  // namespace

Result<GitFileHistory> read_git_file_history(const GitReading& reading,
                                             const std::vector<std::string>& paths,
                                             const GitHistoryPage& page) {
  const auto& from = page.from.empty() ? reading.head.id : page.from;
  const auto id = reading.repository->parse(from);
  if (!id) return not_found("no such revision");
  return FileWalk(reading, paths, page).run(*id);
}

}  // namespace lode
