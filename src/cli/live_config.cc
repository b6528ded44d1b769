#include "cli/live_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/config_file.h"
#include "cli/config_keys.h"
#include "cli/trust_command.h"
#include "cli/workspace_policy.h"
#include "providers/capability/alias.h"

namespace lode {

using State = WorkspaceFile::State;

Result<Config> load_with_workspace(ConfigSources sources, const std::string& root,
                                   const WorkspaceStanding::Now& now) {
  sources.workspace = workspace_config(root, now.files, now.trusted());
  auto config = load_config(sources);
  if (config) note_workspace_files(*config, now);
  return config;
}

namespace {

// NEXS calls the pages of its index by their last word. An alias means the address that it
// stands for.
std::vector<std::string> in_full(std::vector<std::string> entries) {
  constexpr std::array<std::string_view, 3> kPages{"summary", "full", "stats"};
  for (auto& entry : entries) {
    if (std::ranges::find(kPages, entry) != kPages.end()) entry.insert(0, "capability-index://");
    entry = without_alias(entry);
  }
  return entries;
}

}  // namespace

Result<Exposure> exposure_of(const Config& config) {
  auto exposure = Exposure::parse(in_full(config.resources_expose));
  if (exposure) exposure->narrow(in_full(config.workspace_expose));
  return exposure;
}

LiveConfig::LiveConfig(ConfigSources sources, WorkspaceStanding& standing, const Config& started,
                       Now now, Log& log)
    : sources_(std::move(sources)),
      standing_(standing),
      started_(started),
      log_(log),
      now_(std::move(now)),
      kept_(now_->files.config),
      expose_(started.resources_expose),
      workspace_expose_(started.workspace_expose) {}

// Or what is wrong with the file, which is told once so.
std::string LiveConfig::user_text() const {
  if (sources_.user_file.empty()) return "";
  auto text = read_config_text(sources_.user_file);
  return text ? text->value_or("") : text.error().message;
}

// A file that is gone is not trusted any more: it can only tighten.
Result<Config> LiveConfig::load() const {
  auto now = *now_;
  now.files.config = kept_;
  if (has_gone(now_->files.config)) now.trust = Trust::changed;
  return load_with_workspace(sources_, standing_.workspace(), now);
}

void LiveConfig::note_gone(const Now& before) {
  const auto& file = now_->files.config;
  if (!has_gone(file)) kept_ = file;
  if (before->files.config.state != State::read || !has_gone(file)) return;
  log_.warning("configuration kept", {{"gone", file.path}, {"help", kGone}});
}

void LiveConfig::tell_waiting(const Config& config) {
  std::vector<std::string_view> keys;
  for (std::size_t i = 0; i < config.settings.size(); ++i) {
    const auto& setting = config.settings[i];
    if (setting.key->name == "resources.expose") continue;
    if (setting.text != started_.settings[i].text) keys.push_back(setting.key->name);
  }
  auto waiting = fmt::format("{}", fmt::join(keys, ", "));
  if (waiting == waiting_) return;
  waiting_ = std::move(waiting);
  if (waiting_.empty()) return;
  log_.warning("lode.toml changed; these keys change at the next start", {{"keys", waiting_}});
}

std::optional<Exposure> LiveConfig::look() {
  auto now = standing_.look();
  auto text = user_text();
  if (now == now_ && text == user_text_) return std::nullopt;
  const auto before = std::exchange(now_, std::move(now));
  user_text_ = std::move(text);
  note_gone(before);
  auto config = load();
  auto exposure = config ? exposure_of(*config) : Result<Exposure>(config.error());
  if (!exposure) {
    log_.warning("configuration kept", {{"problem", exposure.error().message}});
    return std::nullopt;
  }
  const auto& file = now_->files.config;
  if (before->files.config != file && !has_gone(file)) warn_of_ignored(*config, *now_, log_);
  tell_waiting(*config);
  if (config->resources_expose == expose_ && config->workspace_expose == workspace_expose_) {
    return std::nullopt;
  }
  expose_ = config->resources_expose;
  workspace_expose_ = config->workspace_expose;
  log_.info("exposure list changed");
  return std::move(*exposure);
}

}  // namespace lode
