#include "workspace/git_library.h"

#include <dlfcn.h>

#include "workspace/git_allowance.h"

namespace lode {
namespace {

constexpr ssize_t kCacheBytes = ssize_t{16} << 20;  // of objects, all repositories together

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

bool find_all(void* library, GitLibrary& git) {
  const auto has = [&](const char* name, auto& function) { return find(library, name, function); };
  return has("git_commit_author", git.commit_author) && has("git_commit_id", git.commit_id) &&
         has("git_odb_exists_prefix", git.odb_exists_prefix) &&
         has("git_odb_object_data", git.odb_object_data) &&
         has("git_oid_fromstrn", git.oid_fromstrn) &&
         has("git_tree_entry_byname", git.tree_entry_byname) &&
         has("git_commit_free", git.commit_free) && has("git_commit_lookup", git.commit_lookup) &&
         has("git_commit_parent_id", git.commit_parent_id) &&
         has("git_commit_parentcount", git.commit_parentcount) &&
         has("git_commit_summary", git.commit_summary) && has("git_commit_time", git.commit_time) &&
         has("git_commit_tree_id", git.commit_tree_id) &&
         has("git_odb_add_backend", git.odb_add_backend) &&
         has("git_odb_backend_data_alloc", git.odb_backend_data_alloc) &&
         has("git_odb_backend_data_free", git.odb_backend_data_free) &&
         has("git_odb_backend_pack", git.odb_backend_pack) && has("git_odb_free", git.odb_free) &&
         has("git_odb_new", git.odb_new) && has("git_odb_object_free", git.odb_object_free) &&
         has("git_odb_object_size", git.odb_object_size) &&
         has("git_odb_object_type", git.odb_object_type) && has("git_odb_read", git.odb_read) &&
         has("git_oid_fromstr", git.oid_fromstr) && has("git_oid_tostr", git.oid_tostr) &&
         has("git_repository_free", git.repository_free) &&
         has("git_repository_wrap_odb", git.repository_wrap_odb) &&
         has("git_tree_entry_byindex", git.tree_entry_byindex) &&
         has("git_tree_entry_filemode", git.tree_entry_filemode) &&
         has("git_tree_entry_id", git.tree_entry_id) &&
         has("git_tree_entry_name", git.tree_entry_name) &&
         has("git_tree_entry_type", git.tree_entry_type) &&
         has("git_tree_entrycount", git.tree_entrycount) && has("git_tree_free", git.tree_free) &&
         has("git_tree_lookup", git.tree_lookup) && has("inflate", git.inflate) &&
         has("inflateEnd", git.inflate_end) && has("inflateInit_", git.inflate_init);
}

// The allocator comes first: what is taken must be given back to where it is from.
bool set_up(void* library) {
  decltype(&::git_libgit2_init) init = nullptr;
  decltype(&::git_libgit2_opts) set = nullptr;
  if (!find(library, "git_libgit2_init", init) || !find(library, "git_libgit2_opts", set)) {
    return false;
  }
  git_allocator allocator = GitAllowance::allocator();
  if (set(GIT_OPT_SET_ALLOCATOR, &allocator) < 0) return false;
  if (init() < 0) return false;
  return set(GIT_OPT_SET_CACHE_MAX_SIZE, kCacheBytes) >= 0;
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
