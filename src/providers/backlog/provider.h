// The backlog as resources.
//
//   mcp://backlog/tasks/{id}                    a task as JSON
//   mcp://backlog/tasks/{id}/file               its markdown, byte for byte
//   mcp://backlog/tasks/{id}/history            who changed which field when, from git
//   mcp://backlog/tasks{?status,type,parent,…}  lists, filtered and in pages
//   mcp://backlog/board                         counts and the open tasks on one page
//   mcp://backlog/problems{?after}              what is wrong with which file
//   mcp://backlog/resources/{+path}             a file or directory of the repository
//   mcp://backlog/artifacts/{+path}             an artifact
//
// …@{rev} behind an address of a task, a file or an artifact is that version, from git.
//
// The addresses of backlog-mcp (tasks/TASK-0001.md, docs/tasks/TASK-0001.md, {+path}.md, paths
// without ".md") are spellings of these. A task that the policy hides from a caller is in none
// of its lists and pages, and blocks nothing there.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "engine/events.h"
#include "engine/provider.h"
#include "engine/watched.h"
#include "providers/backlog/backlog_files.h"
#include "providers/backlog/task_address.h"
#include "providers/backlog/task_gate.h"
#include "providers/backlog/tasks.h"
#include "workspace/changes.h"
#include "workspace/file_versions.h"
#include "workspace/git.h"
#include "workspace/workspace.h"

namespace lode {

class BacklogProvider final : public Provider, public Resources {
 public:
  // REQUIRES: all outlive it; the tasks tell their changes to a TaskNews with these addresses.
  BacklogProvider(Tasks& tasks, WatchedAddresses& watched, const BacklogFiles::Places& files);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }

  Uri canonical(const Uri& uri) const override;
  std::optional<FileBehind> file_behind(const Uri& uri) const override;
  std::vector<std::string> shown_at(std::string_view path) const override;
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Page<Entry>> children(const Exchange& exchange, const Uri& uri,
                               const ListQuery& query) override;
  std::optional<std::string> local_path(const Uri& uri) const override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;
  Status watchable(const Uri& uri) const override;
  void watch(const Uri& uri, bool on) override LODE_EXCLUDES(commits_, outside_);

  // Tells the events which files at these addresses changed, of those that somebody listens to.
  void publish(const Workspace::Tree& tree, const Changes& changes, Events& events) const;
  // Tells the events of histories that somebody listens to if HEAD is another commit than at the
  // last call: the repository itself is not followed. Reads nothing if nobody does.
  void look_at_commits(Events& events) const LODE_EXCLUDES(commits_);
  // The same for artifacts outside of the workspace, if they are others than at the last call:
  // nobody follows them.
  void look_at_artifacts(Events& events) const LODE_EXCLUDES(outside_);

 private:
  struct TaskAtRevision {
    TaskHead head;
    GitFile file;
  };
  using Answer = Result<Content> (BacklogProvider::*)(const Exchange& exchange,
                                                      const Address& address) const;

  Manifest make_manifest();
  Route route(TemplateEntry entry, Answer answer, bool listed = true);
  Result<Outcome> answer(const Exchange& exchange, const Address& address, Answer page) const;
  // The task of an address, once it is there; nothing: there is none.
  std::optional<TaskHead> wait_for(const Exchange& exchange, const std::string& id) const;
  Status wait_for_all(const Exchange& exchange) const;
  Status wait_for_index(const Exchange& exchange) const;

  Result<Outcome> task(const Exchange& exchange, const Address& address) const;
  Result<Outcome> task_file(const Exchange& exchange, const Address& address) const;
  Result<Outcome> file(const Exchange& exchange, const Address& address) const;
  Result<Content> task_list(const Exchange& exchange, const Address& address) const;
  Result<Content> board(const Exchange& exchange, const Address& address) const;
  Result<Content> problems(const Exchange& exchange, const Address& address) const;
  Result<Outcome> from_file(const TaskHead& task, Content content) const;

  // provider_versions.cc
  std::optional<Uri> with_revision(const Uri& uri) const;
  static std::optional<std::string> revision_of(const Uri& uri);
  Result<Outcome> file_version(const Exchange& exchange, const Uri& uri,
                               const std::string& revision) const;
  std::vector<TaskHead> places_of(const Exchange& exchange, const std::string& id) const;
  Result<TaskAtRevision> find_at_revision(const Exchange& exchange, const std::string& id,
                                          const std::string& revision) const;
  Result<Outcome> task_at_revision(const Exchange& exchange, const Address& address,
                                   const std::string& revision) const;
  static Result<GitHistoryPage> history_page(const Uri& uri);
  Result<GitFileHistory> history_of(const Exchange& exchange, const Root& root,
                                    const std::vector<TaskHead>& places,
                                    const GitHistoryPage& page) const;
  // What differs when an artifact outside of the workspace does; nothing: it is inside.
  std::optional<std::string> outside_stamp(const Uri& uri) const;
  std::vector<Uri> watched_histories() const;
  bool see_head() const LODE_REQUIRES(commits_);
  Result<Outcome> task_history(const Exchange& exchange, const Address& address) const;

  std::vector<Entry> fixed_entries() const;
  Freshness freshness() const;
  void add_tasks(const Exchange& exchange, std::string_view after, std::size_t limit,
                 Page<Entry>& page) const;
  void complete_ids(const Exchange& exchange, const std::string& begin, Completions& found) const;

  Tasks& tasks_;
  WatchedAddresses& watched_;
  const Workspace& workspace_;
  const BacklogFiles files_;
  const std::size_t file_bytes_;
  mutable Git git_;  // both do their own locking
  mutable FileVersions versions_{git_};
  // HEAD as it was last seen, while somebody listens to a history.
  struct SeenHead {
    std::string id;           //
    std::uint64_t stamp = 0;  // Git::stamp() then
    bool unsettled = true;    // it may still have been being written
  };
  mutable Mutex commits_;
  mutable std::optional<SeenHead> seen_ LODE_GUARDED_BY(commits_);
  mutable Mutex outside_;
  // outside_stamp() of those that somebody listens to, as last seen.
  mutable std::map<Uri, std::string> artifacts_ LODE_GUARDED_BY(outside_);
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode
