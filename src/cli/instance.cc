#include "cli/instance.h"

#include <utility>

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

}  // namespace

Result<std::unique_ptr<Instance>> Instance::open(const Config& config,
                                                 const std::vector<std::string>& roots, Log& log) {
  std::unique_ptr<Instance> instance(new Instance());
  instance->cache_ = make_cache(config);
  auto policy = open_policy(config.policy_file);
  if (!policy) return std::move(policy).error();
  instance->policy_ = std::move(*policy);
  auto exposure = Exposure::parse(config.resources_expose);
  if (!exposure) return std::move(exposure).error();

  EngineOptions options;
  options.exposure = std::move(*exposure);
  options.cache_ttl =
      std::chrono::duration_cast<std::chrono::milliseconds>(config.resources_cache_ttl);
  instance->engine_.emplace(EngineParts{instance->catalog_, instance->events_, *instance->policy_,
                                        *instance->cache_, log},
                            std::move(options));
  if (config.resources_enabled) {
    if (auto added = instance->add_providers(config, roots); !added) {
      return std::move(added).error();
    }
  }
  return instance;
}

Status Instance::add_providers(const Config& config, const std::vector<std::string>& roots) {
  auto workspace =
      Workspace::open(roots, SecretRules(config.workspace_show, config.workspace_hide));
  if (!workspace) return std::move(workspace).error();
  workspace_ = std::move(*workspace);
  FilesLimits limits;
  limits.file_bytes = config.limits_file_bytes;
  if (auto added = catalog_.add(std::make_unique<FilesProvider>(*workspace_, limits)); !added) {
    return added;
  }
  return catalog_.add(std::make_unique<MirrorProvider>(*engine_));
}

Status Instance::watch(Log& log) {
  if (!workspace_) return {};
  for (auto& tree : workspace_->trees()) {
    const Root& root = tree.root;
    auto& watcher = watchers_.emplace_back(
        root, PathFilter{tree.ignore, workspace_->secrets()}, log,
        [this, &root](const Changes& changes) { publish_changes(root, changes, events_); });
    if (auto started = watcher.start(); !started) return started;
  }
  return {};
}

}  // namespace lode
