#include "workspace/git_reading.h"

#include <utility>

#include "workspace/git_reference.h"
#include "workspace/workspace.h"

namespace lode {

// False: there is no such commit, or it cannot be read.
bool GitReading::describe(const std::string& id) {
  const auto& git = repository->library();
  const auto oid = repository->parse(id);
  if (!oid) return false;
  const auto commit = repository->find_commit(*oid, limits.commit_bytes);
  if (!commit) return false;
  const char* subject = git.commit_summary(commit.get());
  if (subject != nullptr) head.subject = subject;
  head.id = id;
  head.time = repository->time_of(*commit);
  return true;
}

Status GitReading::begin(const GitLibrary* git, const Root& root, const std::string& directory) {
  auto found = check_git_directory(root, directory);
  if (!found) return std::move(found).error();
  place = std::move(*found);
  if (git == nullptr) return Error{Code::unavailable, "libgit2 is not installed", {}};
  base = &place.root(root);
  auto reference = read_git_head(*base, place);
  if (!reference) return std::move(reference).error();
  head.branch = reference->branch;
  head.bare = place.kind == GitKind::bare;
  if (reference->id.empty()) return {};
  if (auto checked = check_git_packs(*base, place); !checked) return checked;
  repository = GitRepository::open(*git, *base, join_path(place.common, "objects"));
  if (repository && describe(reference->id)) return {};
  return invalid(allowance.memory_was_refused()
                     ? "the repository takes too much memory to be read"
                     : "the commit of the repository's head cannot be read");
}

Error GitReading::unreadable(const std::string& otherwise) const {
  if (allowance.is_over()) return {Code::timeout, "there was no time to read the repository", {}};
  if (allowance.memory_was_refused()) {
    return invalid("the repository takes too much memory to be read");
  }
  return invalid(otherwise);
}

}  // namespace lode
