// A workspace made ready: everything that commands and the server work with.
//
// Resources off means that no thread is begun, and nothing of the workspace opened
// but its roots: the catalog holds only tools, which read what their own calls name.
// `main` owns the instance; its parts depend on each other in the order of their
// declaration.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/rest.h"
#include "base/result.h"
#include "cli/config.h"
#include "cli/records.h"
#include "cli/source_code.h"
#include "cli/trust.h"
#include "engine/engine.h"
#include "engine/watched.h"
#include "follow/workspace_changes.h"
#include "providers/activity/provider.h"
#include "providers/backlog/manage.h"
#include "providers/backlog/task_news.h"
#include "providers/backlog/tasks.h"
#include "providers/capability/active.h"
#include "providers/capability/collection.h"
#include "providers/capability/element_news.h"
#include "providers/capability/manage.h"
#include "providers/capability/pages.h"
#include "providers/capability/provider.h"
#include "providers/mirror/provider.h"
#include "search/index.h"
#include "server/activity.h"
#include "workspace/workspace.h"

namespace lode {

class BacklogProvider;

class Instance {
 public:
  // roots: the directories to serve, as chosen. standing: of the first; outlives the
  // instance.
  static Result<std::unique_ptr<Instance>> open(const Config& config,
                                                const std::vector<std::string>& roots,
                                                WorkspaceStanding& standing, Log& log);

  ~Instance();

  const Engine& engine() const { return *engine_; }
  Engine& engine() { return *engine_; }
  Events& events() { return events_; }
  Cache& cache() { return *cache_; }
  PolicySource& policy() { return *policy_; }
  Collection& elements() { return *elements_; }
  const ElementManager& manager() const { return *manager_; }
  const Workspace& workspace() const { return *workspace_; }
  Tasks& tasks() { return *tasks_; }
  const TaskManager& task_manager() const { return *task_manager_; }
  // Tells who listens to what nobody follows, if it has changed: histories of tasks, and
  // artifacts outside of the workspace. May block on the disk.
  void look_at_backlog();
  // For who writes whole files of the backlog.
  TaskFiles::Place task_files() const;
  // How many tokens answers have cost, for whoever counts them.
  std::atomic<std::uint64_t>& tokens_served() { return tokens_served_; }
  // The last hour of it, which is a resource too.
  Activity& activity() { return activity_; }
  // Tells who listens to it that there is something new, not too often.
  void tell_activity();
  // What the engine tells its requests to. Set before the first, or by nobody.
  AccessLog& access() { return access_; }
  // What the model of this caller is told when it connects; empty when resources are off.
  // Asks the policy, and with it providers: not for the thread of a transport.
  std::string instructions(const Principal& who) const;

  // Begins to tell the events what changes: in the files of the workspace, now
  // and since the last run, and in the records, through other processes. Nothing
  // to do when resources are off. Files that cannot be watched are only warned
  // about: each reading looks for itself.
  Status follow(const Config& config, Log& log);
  // The threads that look for symbols are told to stop, and not waited for: answers
  // do without what they have not found yet. Any thread.
  void begin_stop();
  // For a command that looks once: everything that is derived is there when it
  // returns, but what searches need besides.
  void load(Log& log);
  // That: symbols, and the words of tasks. tell: how far it is, now and then.
  void load_symbols(const std::function<void(SymbolIndex::Progress)>& tell);

 private:
  // How long what goes on behind the answers rests at first.
  static constexpr std::chrono::milliseconds kBehindFirstAnswer{50};

  Instance(std::string root, bool resources);
  void wait_followed();
  Status add_resources(const Config& config);
  Status open_workspace(const Config& config, const std::vector<std::string>& roots);
  Status add_tools(const Config& config, Log& log);
  Status add_code(const Config& config);
  Status add_project();
  Status open_records(Log& log);
  Status add_elements(const Config& config, Log& log);
  Status add_index(const Config& config);
  Status add_search();
  Status add_activity();
  void open_backlog(const Config& config, Log& log);
  Status add_backlog(const Config& config);
  void load_derived(Log& log);
  void save_derived();
  std::string missing_symbols();
  ServingFacts serving_facts(std::chrono::nanoseconds ttl) const;

  const std::string root_;     // the first: the state is kept by its name
  std::string state_;          // the directory of the state, once it is there
  std::string backlog_state_;  // of the backlog, whoever uses it; empty: there is none

  Events events_;
  std::atomic<std::uint64_t> tokens_served_{0};
  std::unique_ptr<PolicySource> policy_;
  std::unique_ptr<Workspace> workspace_;
  const bool resources_;  // they are on
  Rest rest_{kBehindFirstAnswer};
  std::optional<WorkspaceChanges> changes_;  // stopped before any of its listeners ends
  Index index_;
  std::shared_ptr<MirrorProvider> mirror_;  // null: resources are off; the code's threads tell it
  std::unique_ptr<SourceCode> code_;
  std::unique_ptr<Records> records_;  // null: there is no place for them
  std::unique_ptr<Collection> elements_;
  std::shared_ptr<CapabilityProvider> index_pages_;  // null: resources are off
  WatchedAddresses backlog_watched_;
  std::shared_ptr<const BacklogProvider> backlog_;  // null: resources are off
  std::unique_ptr<Tasks> tasks_;
  std::optional<TaskManager> task_manager_;
  std::unique_ptr<Cache> cache_;       // what it keeps of skills holds folders of the elements
  std::optional<ElementNews> news_;    // nothing: resources are off
  std::optional<TaskNews> task_news_;  // the same
  std::optional<ActiveElements> active_;
  std::optional<ElementManager> manager_;
  Activity activity_;
  std::shared_ptr<ActivityProvider> activity_page_;  // null: resources are off
  CatalogSource catalog_{events_};
  AccessLog access_;
  std::optional<Engine> engine_;
  bool keeps_derived_ = false;
};

}  // namespace lode
