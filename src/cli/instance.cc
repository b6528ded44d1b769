#include "cli/instance.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "cli/state_dir.h"
#include "providers/capability/provider.h"
#include "providers/files/provider.h"
#include "providers/mirror/provider.h"

namespace lode {
namespace {

Result<std::unique_ptr<PolicySource>> open_policy(const std::string& file) {
  if (file.empty()) return std::make_unique<PolicySource>(Policy::local());
  return PolicySource::open(file);
}

std::unique_ptr<Cache> make_cache(const Config& config) {
  Cache::Limits limits;
  limits.bytes = config.limits_cache_bytes;
  return std::make_unique<Cache>(limits);
}

constexpr std::size_t kNamedActive = 8;  // elements, in the instructions

// Beside the user's own lode.toml.
std::string user_elements() {
  const auto file = user_config_file(process_environment());
  return file.empty() ? "" : file.substr(0, file.rfind('/')) + "/elements";
}

}  // namespace

Result<std::unique_ptr<Instance>> Instance::open(const Config& config,
                                                 const std::vector<std::string>& roots, Log& log) {
  std::unique_ptr<Instance> instance(new Instance(roots.front()));
  instance->cache_ = make_cache(config);
  auto policy = open_policy(config.policy_file);
  if (!policy) return std::move(policy).error();
  instance->policy_ = std::move(*policy);
  auto exposure = Exposure::parse(config.resources_expose);
  if (!exposure) return std::move(exposure).error();

  EngineOptions options;
  options.exposure = std::move(*exposure);
  options.list_max = config.resources_list_max;
  options.cache_ttl =
      std::chrono::duration_cast<std::chrono::milliseconds>(config.resources_cache_ttl);
  instance->engine_.emplace(EngineParts{instance->catalog_, instance->events_, *instance->policy_,
                                        *instance->cache_, log},
                            std::move(options));
  if (config.resources_enabled) {
    if (auto added = instance->add_providers(config, roots, log); !added) {
      return std::move(added).error();
    }
  }
  return instance;
}

Instance::~Instance() {
  if (index_file_.empty()) return;
  elements_.reset();  // nobody writes any more
  if (auto saved = index_.save(index_file_); !saved) ::unlink(index_file_.c_str());
}

Status Instance::add_providers(const Config& config, const std::vector<std::string>& roots,
                               Log& log) {
  auto workspace =
      Workspace::open(roots, SecretRules(config.workspace_show, config.workspace_hide));
  if (!workspace) return std::move(workspace).error();
  workspace_ = std::move(*workspace);
  FilesLimits limits;
  limits.file_bytes = config.limits_file_bytes;
  if (auto added = catalog_.add(std::make_unique<FilesProvider>(*workspace_, limits)); !added) {
    return added;
  }
  if (auto added = add_elements(config, roots, log); !added) return added;
  return catalog_.add(std::make_unique<MirrorProvider>(*engine_, index_));
}

void Instance::load() {
  if (!elements_) return;
  elements_->start();
  elements_->wait_loaded();
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

Status Instance::add_elements(const Config& config, const std::vector<std::string>& roots,
                              Log& log) {
  if (auto opened = open_records(log); !opened) {
    log.warning("there are no records", {{"problem", opened.error().message}});
  }
  elements_ = std::make_unique<Collection>(
      Collection::Folders{roots.front() + "/.lode/elements", user_elements()}, index_, log,
      [this](const std::set<Collection::Key>& changed) { publish_elements(changed, events_); });
  if (records_) active_.emplace(records_->database(), records_->feed());
  ActiveElements* active = active_ ? &*active_ : nullptr;
  manager_.emplace(*elements_, active, state_.empty() ? "" : state_ + "/trash");
  const auto facts = [this, ttl = config.resources_cache_ttl] { return serving_facts(ttl); };
  return catalog_.add(
      std::make_unique<CapabilityProvider>(*elements_, index_, *manager_, active, facts));
}

std::string Instance::instructions() const {
  if (!workspace_) return "";
  std::string text = "Everything about this workspace is readable at a URI: read resources";
  text += " (or call resource_read) instead of running commands. It begins at";
  for (const auto& tree : workspace_->trees()) text.append(" ").append(file_uri(tree.root.path()));
  text += "; a directory answers with the URIs of its entries. Subscribe to hear of changes.";
  std::vector<ActiveElements::Active> marks;
  if (active_) {
    if (auto listed = active_->list()) marks = std::move(*listed);
  }
  if (marks.empty()) return text;
  text += " Active here:";
  for (std::size_t i = 0; i < std::min(marks.size(), kNamedActive); ++i) {
    Element element;
    element.type = marks[i].type;
    element.id = marks[i].id;
    text += fmt::format("{} {}", i == 0 ? "" : ",", element.uri());
  }
  return text + ".";
}

Status Instance::follow_tree(Workspace::Tree& tree, const std::string& state, Log& log) {
  const Root& root = tree.root;
  const PathFilter filter{tree.ignore, workspace_->secrets()};
  const auto publish = [this, &root](const Changes& changes) {
    publish_changes(root, changes, events_);
  };
  auto& catch_up = catch_ups_.emplace_back(
      root, filter, fmt::format("{}/files-{}.snapshot", state, content_hash(root.path())), log,
      publish);
  auto& watcher = watchers_.emplace_back(root, filter, log, [&, publish](const Changes& changes) {
    if (changes.begun) catch_up.start();
    publish(changes);
  });
  return watcher.start();
}

Status Instance::follow(const Config& config, Log& log) {
  if (!workspace_) return {};
  if (!config.store_url.empty()) {
    return invalid("store.url: this version keeps its records in SQLite alone; leave it out");
  }
  if (!records_) {
    if (auto opened = open_records(log); !opened) return opened;
  }
  if (auto heard = records_->listen(); !heard) return heard;
  index_file_ = state_ + "/search.index";
  if (auto loaded = index_.load(index_file_); !loaded && loaded.error().code != Code::not_found) {
    log.info("the search index is made anew", {{"problem", loaded.error().message}});
  }
  elements_->start();
  for (auto& tree : workspace_->trees()) {
    if (auto started = follow_tree(tree, state_, log); !started) {
      log.warning("changes are not watched",
                  {{"root", tree.root.path()}, {"problem", started.error().message}});
    }
  }
  return {};
}

}  // namespace lode
