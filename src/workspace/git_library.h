// The functions of libgit2 that we call, found in the library on first use: the
// program does not link it, and works without it.
#pragma once

#include <git2.h>

#include <memory>
#include <string>

namespace lode {

struct GitLibrary {
  decltype(&::git_commit_free) commit_free;
  decltype(&::git_commit_lookup) commit_lookup;
  decltype(&::git_commit_parent_id) commit_parent_id;
  decltype(&::git_commit_parentcount) commit_parentcount;
  decltype(&::git_commit_summary) commit_summary;
  decltype(&::git_commit_time) commit_time;
  decltype(&::git_commit_tree) commit_tree;
  decltype(&::git_diff_free) diff_free;
  decltype(&::git_diff_options_init) diff_options_init;
  decltype(&::git_diff_tree_to_tree) diff_tree_to_tree;
  decltype(&::git_error_last) error_last;
  decltype(&::git_odb_free) odb_free;
  decltype(&::git_odb_read_header) odb_read_header;
  decltype(&::git_oid_fromstr) oid_fromstr;
  decltype(&::git_oid_tostr) oid_tostr;
  decltype(&::git_reference_free) reference_free;
  decltype(&::git_reference_lookup) reference_lookup;
  decltype(&::git_reference_shorthand) reference_shorthand;
  decltype(&::git_reference_symbolic_target) reference_symbolic_target;
  decltype(&::git_reference_target) reference_target;
  decltype(&::git_repository_free) repository_free;
  decltype(&::git_repository_head) repository_head;
  decltype(&::git_repository_head_detached) repository_head_detached;
  decltype(&::git_repository_odb) repository_odb;
  decltype(&::git_repository_open_ext) repository_open_ext;
  decltype(&::git_tree_free) tree_free;

  // Null: there is no such library, or it lacks a function. The library stays in
  // the process: threads that called it have destructors in it. No configuration
  // but a repository's own is read afterwards.
  static std::unique_ptr<const GitLibrary> open(const std::string& file);
};

}  // namespace lode
