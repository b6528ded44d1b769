// The functions of libgit2 that we call, found in the library on first use: the
// program does not link it, and works without it.
#pragma once

#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <zlib.h>

#include <memory>
#include <string>

namespace lode {

struct GitLibrary {
  decltype(&::git_commit_author) commit_author;
  decltype(&::git_commit_free) commit_free;
  decltype(&::git_commit_id) commit_id;
  decltype(&::git_commit_lookup) commit_lookup;
  decltype(&::git_commit_parent_id) commit_parent_id;
  decltype(&::git_commit_parentcount) commit_parentcount;
  decltype(&::git_commit_summary) commit_summary;
  decltype(&::git_commit_time) commit_time;
  decltype(&::git_commit_tree_id) commit_tree_id;
  decltype(&::git_odb_add_backend) odb_add_backend;
  decltype(&::git_odb_backend_data_alloc) odb_backend_data_alloc;
  decltype(&::git_odb_backend_data_free) odb_backend_data_free;
  decltype(&::git_odb_backend_pack) odb_backend_pack;
  decltype(&::git_odb_exists_prefix) odb_exists_prefix;
  decltype(&::git_odb_free) odb_free;
  decltype(&::git_odb_new) odb_new;
  decltype(&::git_odb_object_data) odb_object_data;
  decltype(&::git_odb_object_free) odb_object_free;
  decltype(&::git_odb_object_size) odb_object_size;
  decltype(&::git_odb_object_type) odb_object_type;
  decltype(&::git_odb_read) odb_read;
  decltype(&::git_oid_fromstr) oid_fromstr;
  decltype(&::git_oid_fromstrn) oid_fromstrn;
  decltype(&::git_oid_tostr) oid_tostr;
  decltype(&::git_repository_free) repository_free;
  decltype(&::git_repository_wrap_odb) repository_wrap_odb;
  decltype(&::git_tree_entry_byindex) tree_entry_byindex;
  decltype(&::git_tree_entry_byname) tree_entry_byname;
  decltype(&::git_tree_entry_filemode) tree_entry_filemode;
  decltype(&::git_tree_entry_id) tree_entry_id;
  decltype(&::git_tree_entry_name) tree_entry_name;
  decltype(&::git_tree_entry_type) tree_entry_type;
  decltype(&::git_tree_entrycount) tree_entrycount;
  decltype(&::git_tree_free) tree_free;
  decltype(&::git_tree_lookup) tree_lookup;

  // Of zlib, which comes with the library.
  decltype(&::inflate) inflate;
  decltype(&::inflateEnd) inflate_end;
  decltype(&::inflateInit_) inflate_init;

  // Null: there is no such library, or it lacks a function. The library stays in
  // the process: threads that called it have destructors in it. Its memory is
  // counted (git_allowance.h).
  static std::unique_ptr<const GitLibrary> open(const std::string& file);
};

}  // namespace lode
