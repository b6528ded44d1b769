#include "cli/instance.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/live_config.h"
#include "cli/state_dir.h"
#include "cli/workspace_policy.h"
#include "providers/backlog/provider.h"
#include "providers/capability/provider.h"
#include "providers/capability/tool.h"
#include "providers/capability/transfer/operations.h"
#include "providers/code/provider.h"
#include "providers/code/tool.h"
#include "providers/files/provider.h"
#include "providers/files/tools.h"
#include "providers/mirror/provider.h"
#include "providers/project/provider.h"
#include "search/snippet.h"
#include "workspace/changes.h"

namespace lode {
namespace {

using Phase = WorkspaceChanges::Phase;

std::unique_ptr<Cache> make_cache(const Config& config) {
  Cache::Limits limits;
  limits.bytes = config.limits_cache_bytes;
  return std::make_unique<Cache>(limits);
}

// Tells the events which of a provider's addresses a change concerns.
template <class Publisher>
WorkspaceChanges::Listener announcer_of(const Publisher& provider, Events& events) {
  return [&](const Workspace::Tree& tree, const Changes& changes) {
    provider.publish(tree, changes, events);
  };
}

constexpr const char* kIndexFile = "/search.index";
constexpr const char* kElementsFile = "/elements.known";
constexpr const char* kTasksFile = "/tasks.index";

// Watching a large tree begins within a second or two. Whoever waits longer is served
// without the promise that changes of the first moments are told.
constexpr std::chrono::seconds kWaitFollowed{10};

constexpr std::size_t kNamedActive = 8;  // elements, in the instructions

// Beside the user's own lode.toml.
std::string user_elements() {
  const auto file = user_config_file(process_environment());
  return file.empty() ? "" : file.substr(0, file.rfind('/')) + "/elements";
}

std::string home_directory() {
  const auto environment = process_environment();
  const auto home = environment.find("HOME");
  return home == environment.end() ? "" : home->second;
}

// Those of elements, and those of agent skills that other programs use too.
Collection::Folders folders_of(const Config& config, const std::string& root) {
  Collection::Folders folders;
  folders.workspace = root + "/.lode/elements";
  folders.user = user_elements();
  for (const char* name : {".lode/skills", ".claude/skills"}) {
    folders.skills.push_back({root + "/" + name, name, true});
  }
  if (const auto home = home_directory(); !home.empty()) {
    folders.skills.push_back({home + "/.claude/skills", "~/.claude/skills", false});
    folders.home = home;
  }
  folders.root = root;
  folders.secrets = SecretRules(config.workspace_show, config.workspace_hide);
  return folders;
}

// What made the symbols change: who may see none of these files does not hear of it.
std::vector<Cause> files_in(const Workspace& workspace, const ToldChanges& told) {
  std::vector<Cause> files;
  for (const auto& [tree, changes] : told) {
    for (const auto& name : ChangedNames(changes).below("")) {
      files.push_back({"", {Workspace::absolute(workspace.trees()[tree], name), true}, true});
    }
  }
  return files;
}

// What the user says may begin with "~/"; what a workspace's file says is below the workspace,
// whatever it looks like.
std::string backlog_directory(const Config& config, const std::string& root) {
  const auto& origin = config.setting("backlog.dir").origin;
  const bool of_user =
      origin.kind != Origin::Kind::file || origin.name == user_config_file(process_environment());
  const std::string& said = config.backlog_dir;
  if (of_user && said.starts_with("~/")) return join_path(home_directory(), said.substr(2));
  auto path = said.starts_with('/') ? said : join_path(root, said);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// One that is in the workspace must not lead out of it.
Tasks::Place backlog_place(const Config& config, const std::string& root,
                           const std::string& state) {
  Tasks::Place place;
  place.directory = backlog_directory(config, root);
  place.secrets = SecretRules(config.workspace_show, config.workspace_hide);
  if (place.directory.starts_with(root + "/")) place.within = root;
  if (!state.empty()) place.kept_in = state + kTasksFile;
  return place;
}

// By what tasks are ranked by, and with the place that was found.
MirrorProvider::Searched search_of(const Tasks& tasks) {
  MirrorProvider::Searched searched{tasks.index(), Tasks::kIndexKind};
  searched.incomplete = [&tasks] {
    return tasks.searchable() ? "" : std::string("the backlog is still being read");
  };
  searched.search = [&tasks](std::string_view query, const Index::Options& options) {
    std::vector<Index::Hit> hits;
    const auto shows = [&](const TaskHead& task) { return options.permits(task.uri()); };
    for (const auto& [task, score] : tasks.search(query, {}, options.limit, shows)) {
      hits.push_back({task.uri(), std::string(Tasks::kIndexKind),
                      fmt::format("{} {}", task.id, task.title), score});
    }
    return hits;
  };
  searched.details = [&tasks](const Exchange&, std::string_view key, std::string_view query) {
    constexpr std::size_t kBytes = 160;
    const auto uri = Uri::parse(key);
    const auto address = uri ? parse_task_address(*uri) : std::nullopt;
    const auto task = address ? tasks.find(address->id) : std::nullopt;
    if (!task) return MirrorProvider::Details{};
    const auto whole = tasks.read_whole(*task);
    return MirrorProvider::Details{std::string(to_string(task->type)), "",
                                   whole ? snippet_of(whole->body, query, kBytes) : ""};
  };
  return searched;
}

}  // namespace

Result<std::unique_ptr<Instance>> Instance::open(const Config& config,
                                                 const std::vector<std::string>& roots,
                                                 WorkspaceStanding& standing, Log& log) {
  std::unique_ptr<Instance> instance(new Instance(roots.front(), config.resources_enabled));
  instance->cache_ = make_cache(config);
  auto policy = PolicySource::open(config.policy_file,
                                   follow_workspace_rules(standing, user_has_policy(config), log));
  if (!policy) return std::move(policy).error();
  instance->policy_ = std::move(*policy);
  auto exposure = exposure_of(config);
  if (!exposure) return std::move(exposure).error();

  EngineOptions options;
  options.exposure = std::move(*exposure);
  options.list_max = config.resources_list_max;
  options.cache_ttl =
      std::chrono::duration_cast<std::chrono::milliseconds>(config.resources_cache_ttl);
  if (auto opened = instance->open_workspace(config, roots); !opened) {
    return std::move(opened).error();
  }
  const auto real_path = [&workspace = *instance->workspace_](std::string_view path) {
    return workspace.real_path(path);
  };
  instance->engine_.emplace(EngineParts{instance->catalog_, instance->events_, *instance->policy_,
                                        *instance->cache_, log, real_path,
                                        [at = instance.get()](const Access& access) {
                                          if (at->access_) at->access_(access);
                                        },
                                        [at = instance.get()] { at->wait_followed(); }},
                            std::move(options));
  auto added = instance->add_tools(config, log);
  if (added && config.resources_enabled) added = instance->add_resources(config);
  if (!added) return std::move(added).error();
  return instance;
}

Instance::Instance(std::string root, bool resources)
    : root_(std::move(root)), resources_(resources), activity_([this] {
        const auto stats = cache_->stats();
        return Activity::CacheCounts{stats.hits, stats.misses};
      }) {}

void Instance::begin_stop() {
  if (code_) code_->symbols().request_stop();
}

Instance::~Instance() {
  begin_stop();
  if (changes_) changes_->stop();
  if (records_) records_->stop();
  if (tasks_) tasks_->stop();
  if (!elements_) return;
  elements_->stop();  // nobody writes or tells any more
  if (keeps_derived_) save_derived();
}

// What a later start is spared to work out again.
void Instance::load_derived(Log& log) {
  const auto load = [&](std::string_view what, const auto& loaded) {
    if (loaded || loaded.error().code == Code::not_found) return;
    log.info("made anew", {{"what", std::string(what)}, {"problem", loaded.error().message}});
  };
  load("the search index", index_.load(state_ + kIndexFile));
  load("what is known of elements", elements_->remember(state_ + kElementsFile));
}

void Instance::save_derived() {
  const auto keep = [](const Status& saved, const std::string& file) {
    if (!saved) ::unlink(file.c_str());
  };
  if (!index_.is_saved()) keep(index_.save(state_ + kIndexFile), state_ + kIndexFile);
  keep(elements_->save(state_ + kElementsFile), state_ + kElementsFile);
}

Status Instance::open_workspace(const Config& config, const std::vector<std::string>& roots) {
  auto workspace =
      Workspace::open(roots, SecretRules(config.workspace_show, config.workspace_hide));
  if (!workspace) return std::move(workspace).error();
  workspace_ = std::move(*workspace);
  return {};
}

Status Instance::add_tools(const Config& config, Log& log) {
  changes_.emplace(*workspace_, log);
  code_ = std::make_unique<SourceCode>(*workspace_, log);
  if (auto added = add_elements(config, log); !added) return added;
  open_backlog(config, log);
  if (auto added = catalog_.add(std::make_shared<BacklogTool>(*task_manager_, *tasks_)); !added) {
    return added;
  }
  if (auto added = catalog_.add(std::make_shared<CodeTool>(*workspace_, code_->syntax())); !added) {
    return added;
  }
  FileToolLimits limits;
  limits.file_bytes = config.limits_file_bytes;
  const auto wrote = [this](const std::string& path) {
    events_.publish({Change::Kind::resource, file_uri(path)});
  };
  return catalog_.add(std::make_shared<FileTools>(*workspace_, wrote, limits));
}

Status Instance::add_resources(const Config& config) {
  FilesLimits limits;
  limits.file_bytes = config.limits_file_bytes;
  auto files = std::make_shared<FilesProvider>(
      *workspace_, limits, [this] { return changes_->tells_all() ? changes_->revision() : 0; });
  if (auto added = catalog_.add(std::move(files)); !added) return added;
  changes_->listen(Phase::announce, [this](const Workspace::Tree& tree, const Changes& changes) {
    publish_changes(tree.root, changes, events_);
  });
  if (auto added = add_index(config); !added) return added;
  if (auto added = add_code(config); !added) return added;
  if (auto added = add_project(); !added) return added;
  if (auto added = add_backlog(config); !added) return added;
  if (auto added = add_search(); !added) return added;
  return add_activity();
}

Status Instance::add_activity() {
  activity_page_ = std::make_shared<ActivityProvider>([this] { return activity_.json(); },
                                                      [this] { return activity_.revision(); });
  return catalog_.add(activity_page_);
}

void Instance::tell_activity() {
  if (activity_page_) activity_page_->publish(std::chrono::steady_clock::now(), events_);
}

Status Instance::add_search() {
  static constexpr std::string_view kSymbols = "symbol";
  const auto details = [this](const Exchange& exchange, std::string_view key,
                              std::string_view query) {
    const auto found = index_pages_->details_of(exchange, key, query);
    return found ? MirrorProvider::Details{found->type, found->description, found->snippet}
                 : MirrorProvider::Details{};
  };
  mirror_ = std::make_shared<MirrorProvider>(
      *engine_, std::vector<MirrorProvider::Searched>{
                    search_of(*tasks_),
                    {index_, Collection::kIndexKind, {}, {}, details},
                    {code_->documents(), kSymbols, [this] { return missing_symbols(); }}});
  code_->symbols().listen([this](const ToldChanges& told) {
    mirror_->publish(kSymbols, files_in(*workspace_, told), events_);
  });
  return catalog_.add(mirror_);
}

// Who searches does not wait for those who work behind the first answer to rest.
std::string Instance::missing_symbols() {
  rest_.end();
  return code_->incomplete();
}

Status Instance::add_code(const Config& config) {
  auto& symbols = code_->symbols();
  changes_->listen(Phase::outdate, [&](const Workspace::Tree& tree, const Changes& changes) {
    symbols.changed(tree, changes);
  });
  changes_->listen_to_sweeps(
      [&](const Workspace::Tree& tree, const Snapshot& seen) { symbols.saw(tree, seen); });
  CodeProvider::Limits limits;
  limits.file_bytes = config.limits_file_bytes;
  auto provider = std::make_shared<CodeProvider>(
      CodeProvider::Parts{*workspace_, code_->syntax(), code_->outlines(),
                          [this] { return changes_->revision(); }},
      limits);
  changes_->listen(Phase::announce, announcer_of(*provider, events_));
  return catalog_.add(std::move(provider));
}

Status Instance::add_project() {
  auto provider = std::make_shared<ProjectProvider>(
      ProjectParts{*workspace_, [this] { return changes_->revision(); }});
  changes_->listen(Phase::announce, announcer_of(*provider, events_));
  return catalog_.add(std::move(provider));
}

void Instance::open_backlog(const Config& config, Log& log) {
  const std::string& root = workspace_->trees().front().root.path();
  tasks_ = std::make_unique<Tasks>(backlog_place(config, root, state_), log,
                                   [this](const Tasks::News& news) {
                                     if (task_news_) task_news_->publish(news);
                                   });
  // One counter and one trash for a backlog that several workspaces share.
  auto state = state_.empty() ? not_found("")
                              : backlog_state_dir(process_environment(), tasks_->directory());
  backlog_state_ = state ? std::move(*state) : "";
  TaskManager::Place place{backlog_state_, {}};
  place.resource_path = [this](std::string_view absolute) -> std::optional<std::string> {
    const auto found = workspace_->find(absolute);
    return found ? std::optional(workspace_->short_name(*found)) : std::nullopt;
  };
  task_manager_.emplace(*tasks_, place);
  const auto recovered = task_manager_->recover();
  if (!recovered) {
    log.warning("a call of backlog_manage that was cut short is not finished",
                {{"problem", recovered.error().message}});
  } else if (!recovered->finished.empty() || !recovered->left.empty()) {
    log.warning("a call of backlog_manage that was cut short is finished",
                {{"written", fmt::format("{}", fmt::join(recovered->finished, " "))},
                 {"left", fmt::format("{}", fmt::join(recovered->left, " "))}});
  }
}

TaskFiles::Place Instance::task_files() const {
  return {tasks_->directory(), tasks_->place().within, backlog_state_};
}

Status Instance::add_backlog(const Config& config) {
  task_news_.emplace(*tasks_, backlog_watched_, events_, [this](const TaskNews::Causes& because) {
    mirror_->publish(Tasks::kIndexKind, because, events_);
  });
  BacklogFiles::Places places{*workspace_, tasks_->directory(), home_directory(),
                              tasks_->place().secrets};
  places.file_bytes = config.limits_file_bytes;
  auto provider = std::make_shared<BacklogProvider>(*tasks_, backlog_watched_, places);
  changes_->listen(Phase::announce, announcer_of(*provider, events_));
  backlog_ = provider;
  return catalog_.add(std::move(provider));
}

void Instance::look_at_backlog() {
  if (!backlog_) return;
  backlog_->look_at_commits(events_);
  backlog_->look_at_artifacts(events_);
}

void Instance::wait_followed() {
  changes_->wait_begun(std::chrono::steady_clock::now() + kWaitFollowed);
}

void Instance::load(Log& log) {
  if (!resources_) return;
  const auto before = [this, &log] {
    if (!state_.empty()) load_derived(log);
  };
  elements_->start({before, {}});
  tasks_->start();
  elements_->wait_loaded();
  tasks_->wait_loaded();
}

void Instance::load_symbols(const std::function<void(SymbolIndex::Progress)>& tell) {
  if (!resources_) return;
  code_->load(state_, tell);
  tasks_->wait_searchable();
}

ServingFacts Instance::serving_facts(std::chrono::nanoseconds ttl) const {
  const auto stats = cache_->stats();
  ServingFacts facts;
  facts.cache_entries = stats.entries;
  facts.cache_hits = stats.hits;
  facts.cache_misses = stats.misses;
  facts.tokens_served = tokens_served_;
  facts.cache_ttl = std::chrono::duration_cast<std::chrono::seconds>(ttl);
  return facts;
}

// The state directory and the database in it.
Status Instance::open_records(Log& log) {
  auto state = state_dir(process_environment(), root_);
  if (!state) return std::move(state).error();
  if (auto made = make_state_dir(*state); !made) return made;
  auto records = Records::open(*state, lode_migrations(), events_, log);
  if (!records) return std::move(records).error();
  state_ = std::move(*state);
  records_ = std::move(*records);
  return {};
}

Status Instance::add_elements(const Config& config, Log& log) {
  // As it really is: rules about files are written so.
  const std::string& root = workspace_->trees().front().root.path();
  if (auto opened = open_records(log); !opened) {
    log.warning("there are no records", {{"problem", opened.error().message}});
  }
  elements_ = std::make_unique<Collection>(folders_of(config, root), index_, log,
                                           [this](const Collection::News& news) {
                                             if (news_) news_->publish(news);
                                           });
  if (records_) {
    active_.emplace(records_->database(), records_->feed());
    active_->refresh();
  }
  ActiveElements* active = active_ ? &*active_ : nullptr;
  manager_.emplace(*elements_, active, state_.empty() ? "" : state_ + "/trash");
  add_transfer(*manager_, *elements_, root);
  return catalog_.add(std::make_shared<ElementTool>(*manager_, *elements_, resources_));
}

Status Instance::add_index(const Config& config) {
  news_.emplace(*elements_, events_, [this](const ElementNews::Causes& because) {
    mirror_->publish(Collection::kIndexKind, because, events_);
  });
  const auto facts = [this, ttl = config.resources_cache_ttl] { return serving_facts(ttl); };
  index_pages_ = std::make_shared<CapabilityProvider>(
      *elements_, index_, active_ ? &*active_ : nullptr, facts, &*news_);
  return catalog_.add(index_pages_);
}

// Of addresses, those that are offered to the caller.
std::string Instance::instructions(const Principal& who) const {
  if (!resources_) return "";
  const auto gate = engine_->admission();
  const auto offers = [&](std::string_view uri_template) {
    return gate.offers_some(who, uri_template);
  };
  std::string text = "Everything about this workspace is readable at a URI: read resources";
  text += " (or call resource_read) instead of running commands.";
  std::string roots;
  const auto names = [&](std::string_view address) {
    const auto uri = Uri::parse(address);
    return uri && gate.exposes(*uri) && gate.may(who, Action::list, *uri) &&
           gate.may(who, Action::read, *uri);
  };
  for (const auto& tree : workspace_->trees()) {
    const std::string root = file_uri(tree.root.path());
    if (names(root)) roots.append(" ").append(root);
  }
  if (!roots.empty() && offers("file:///{+path}")) {
    text += " It begins at" + roots + "; a directory answers with the URIs of its entries.";
  }
  if (offers("resource://file/{+path}/{aspect}")) {
    text += " Of code read resource://file/PATH/symbols and …/source?symbol=NAME rather than";
    text += " whole files.";
  }
  if (names("resource://project/summary")) {
    text += " resource://project/summary tells what this is.";
  }
  if (offers("lode://search{?q}"))
    text += " lode://search?q=WORDS finds tasks, symbols and elements.";
  if (tasks_->size() > 0 && names(kBoard)) {
    text += fmt::format(" {} has the open tasks: read it before you begin.", kBoard);
  }
  text += " Subscribe to hear of changes.";
  std::vector<std::string> active;
  const auto marks = active_ ? active_->known() : nullptr;
  for (std::size_t i = 0; marks && i < marks->size(); ++i) {
    const auto& mark = (*marks)[i];
    Element element;
    element.type = mark.type;
    element.id = mark.id;
    const auto uri = Uri::parse(element.uri());
    if (uri && active.size() < kNamedActive && gate.exposes(*uri) &&
        gate.may(who, Action::list, *uri)) {
      active.push_back(element.uri());
    }
  }
  if (active.empty()) return text;
  text += fmt::format(" Active here: {}.", fmt::join(active, ", "));
  if (names(CapabilityPages::kActive)) {
    text += fmt::format(" What they say: {}.", CapabilityPages::kActive);
  }
  return text;
}

Status Instance::follow(const Config& config, Log& log) {
  if (!resources_) return {};
  if (!config.store_url.empty()) {
    return invalid("store.url: this version keeps its records in SQLite alone; leave it out");
  }
  if (!records_) {
    if (auto opened = open_records(log); !opened) return opened;
  }
  const auto refresh = [this] {
    if (active_) active_->refresh();
  };
  if (auto heard = records_->listen(refresh); !heard) return heard;
  refresh();  // what others did before
  keeps_derived_ = true;
  elements_->start(
      {[this, &log] { load_derived(log); }, [this] { save_derived(); }, kBehindFirstAnswer});
  tasks_->start(&rest_);
  code_->start(state_, &rest_);
  changes_->start(state_, rest_);
  return {};
}

}  // namespace lode
