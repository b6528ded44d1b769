#include "workspace/git_library.h"

#include <dlfcn.h>

namespace lode {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

bool find_all(void* library, GitLibrary& git) {
  const auto has = [&](const char* name, auto& function) { return find(library, name, function); };
  return has("git_commit_free", git.commit_free) && has("git_commit_lookup", git.commit_lookup) &&
         has("git_commit_parent_id", git.commit_parent_id) &&
         has("git_commit_parentcount", git.commit_parentcount) &&
         has("git_commit_summary", git.commit_summary) && has("git_commit_time", git.commit_time) &&
         has("git_commit_tree", git.commit_tree) && has("git_diff_free", git.diff_free) &&
         has("git_diff_options_init", git.diff_options_init) &&
         has("git_diff_tree_to_tree", git.diff_tree_to_tree) &&
         has("git_error_last", git.error_last) && has("git_odb_free", git.odb_free) &&
         has("git_odb_read_header", git.odb_read_header) &&
         has("git_oid_fromstr", git.oid_fromstr) && has("git_oid_tostr", git.oid_tostr) &&
         has("git_reference_free", git.reference_free) &&
         has("git_reference_lookup", git.reference_lookup) &&
         has("git_reference_shorthand", git.reference_shorthand) &&
         has("git_reference_symbolic_target", git.reference_symbolic_target) &&
         has("git_reference_target", git.reference_target) &&
         has("git_repository_free", git.repository_free) &&
         has("git_repository_head", git.repository_head) &&
         has("git_repository_head_detached", git.repository_head_detached) &&
         has("git_repository_odb", git.repository_odb) &&
         has("git_repository_open_ext", git.repository_open_ext) &&
         has("git_tree_free", git.tree_free);
}

// The user's and the system's configuration have no say. Git refuses the
// repositories of other people because their configuration may name programs to
// run; none is run here.
bool set_up(void* library) {
  decltype(&::git_libgit2_init) init = nullptr;
  decltype(&::git_libgit2_opts) set = nullptr;
  if (!find(library, "git_libgit2_init", init) || !find(library, "git_libgit2_opts", set)) {
    return false;
  }
  if (init() < 0) return false;
  for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                          GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL}) {
    if (set(GIT_OPT_SET_SEARCH_PATH, level, "") < 0) return false;
  }
  return set(GIT_OPT_SET_OWNER_VALIDATION, 0) >= 0;
}

}  // namespace

std::unique_ptr<const GitLibrary> GitLibrary::open(const std::string& file) {
  void* library = file.empty() ? nullptr : ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto git = std::make_unique<GitLibrary>();
  if (!find_all(library, *git) || !set_up(library)) return nullptr;
  return git;
}

}  // namespace lode
