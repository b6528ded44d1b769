#include "cli/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/config_keys.h"
#include "cli/instance.h"
#include "cli/live_config.h"
#include "cli/local_request.h"
#include "cli/serve_command.h"
#include "cli/state_dir.h"
#include "cli/workspace_choice.h"
#include "viewer/viewer.h"
#include "workspace/root.h"

namespace lode {
namespace {

// One thing that must be right, and the word for a person if it is not.
struct Check {
  std::string name;
  bool good;
  std::string word;
};

Check check_state(const std::vector<std::string>& roots) {
  auto directory = state_dir(process_environment(), roots.front());
  if (!directory) return {"state directory", false, directory.error().message};
  return {"state directory", true, *directory};
}

Check check_watches() {
  std::size_t most = 0;
  std::ifstream("/proc/sys/fs/inotify/max_user_watches") >> most;
  return {"file watches", most >= 8192,
          fmt::format("{} directories can be watched (fs.inotify.max_user_watches)", most)};
}

// What is amiss is the elements' affair, and no failure of ours.
Check check_elements(const Config& config, const Instance& instance) {
  if (!config.resources_enabled) return {"elements", true, "not read: resources are off"};
  LocalRequest request;
  const auto exchange = request.exchange();
  constexpr std::string_view kProblems = "capability-index://problems";
  auto reading = instance.engine().read(exchange, kProblems);
  if (!reading) return {"elements", true, reading.error().message};
  const auto& contents = std::get<std::shared_ptr<const Cached>>(*reading)->contents();
  auto problems = JsonDocument::parse(contents.items.front().bytes);
  const auto total = problems ? problems->root()["total"].integer().value_or(0) : 0;
  if (total == 0) return {"elements", true, "nothing is amiss"};
  return {"elements", true,
          fmt::format("{} problem{}: lode read {}", total, total == 1 ? "" : "s", kProblems)};
}

Check check_workspace(const std::vector<std::string>& roots) {
  return {"workspace", true, fmt::format("{}", fmt::join(roots, ", "))};
}

// Not a failure: an untrusted workspace is served, with what it may say.
Check check_trust(const Config& config) {
  const auto& notes = config.workspace_notes;
  const auto ignored = std::count_if(notes.begin(), notes.end(), [](const WorkspaceNote& note) {
    return note.effect == WorkspaceNote::Effect::ignored;
  });
  if (notes.empty()) return {"workspace files", true, "there are none"};
  if (ignored == 0) return {"workspace files", true, "all that they say counts"};
  return {"workspace files", true,
          fmt::format("{} of {} entries ignored; lode trust shows what they would change", ignored,
                      notes.size())};
}

// Where the viewer is while a server runs; the token is not for a terminal that others may see.
Check check_viewer(const Config& config) {
  if (viewer_assets().empty()) return {"viewer", true, "this program was built without it"};
  return {"viewer", true,
          fmt::format("http://{}/ (lode serve prints the link that may write)", config.http)};
}

// A value as it may be shown: an address without its password.
std::string shown(std::string text) {
  const auto scheme = text.find("://");
  if (scheme == std::string::npos) return text;
  const auto at = text.rfind('@', text.find('/', scheme + 3));
  const auto colon = text.find(':', scheme + 3);
  if (at == std::string::npos || colon == std::string::npos || colon > at) return text;
  return text.replace(colon + 1, at - colon - 1, "***");
}

// What the workspace's files say, and what becomes of it.
void print_workspace_notes(const Config& config) {
  if (!config.workspace_notes.empty()) std::printf("\n");
  for (const auto& note : config.workspace_notes) {
    std::printf("%-8s %-24s %-28s %s%s%s\n", std::string(to_string(note.effect)).c_str(),
                visible(note.key).c_str(), visible(shown(note.value)).c_str(),
                visible(note.origin.text()).c_str(), note.why.empty() ? "" : ": ",
                visible(note.why).c_str());
  }
}

void print_doctor_json(const Config& config, const std::vector<Check>& checks) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().key("settings").begin_array();
  for (const auto& setting : config.settings) {
    w.begin_object().member("key", setting.key->name).member("value", shown(setting.text));
    w.member("from", setting.origin.text()).end_object();
  }
  w.end_array().key("workspace").begin_array();
  for (const auto& note : config.workspace_notes) {
    w.begin_object().member("key", note.key).member("value", shown(note.value));
    w.member("from", note.origin.text()).member("effect", to_string(note.effect));
    w.member_if("why", note.why).end_object();
  }
  w.end_array().key("checks").begin_array();
  for (const auto& check : checks) {
    w.begin_object().member("name", check.name).member("good", check.good);
    w.member("word", check.word).end_object();
  }
  w.end_array().end_object();
  std::printf("%s\n", out.c_str());
}

// ---- what is wrong is told and left out, so that the rest can be looked at ----

using Checks = std::vector<Check>;

void find_fault(Checks& checks, std::string name, const Error& error) {
  checks.push_back({std::move(name), false, error.message});
}

// Each flag, each variable and the file by itself: one that is wrong hides no other.
void drop_wrong_sources(ConfigSources& sources, Checks& checks) {
  const auto wrong = [&](ConfigSources one) {
    one.user_file = one.flags.empty() && one.environment.empty() ? sources.user_file : "";
    auto config = load_config(one);
    auto fit = config ? check_has_effect(*config, one) : Status(std::move(config).error());
    if (!fit) find_fault(checks, "configuration", fit.error());
    return !fit;
  };
  std::erase_if(sources.flags, [&](const auto& flag) { return wrong({{flag}, {}, {}, {}}); });
  std::erase_if(sources.environment, [&](const auto& variable) {
    return wrong({{}, {variable}, {}, {}});
  });
  if (wrong({})) sources.user_file.clear();
}

// Without what else it says that cannot be used.
void drop_wrong_values(Config& config, Checks& checks) {
  if (auto exposure = exposure_of(config); !exposure) {
    find_fault(checks, "configuration", exposure.error());
    config.resources_expose.clear();
  }
  if (auto policy = PolicySource::open(config.policy_file); !policy) {
    find_fault(checks, "policy", policy.error());
    config.policy_file.clear();
  }
  if (auto fit = check_http_address(config.http); !fit) find_fault(checks, "http", fit.error());
}

// The directories to serve that are there.
std::vector<std::string> find_roots(const Config& config, Checks& checks) {
  auto roots = config.workspace;
  if (roots.empty()) {
    auto chosen = choose_workspace("");
    if (chosen) roots.push_back(std::move(*chosen));
    if (!chosen) find_fault(checks, "workspace", chosen.error());
  }
  std::erase_if(roots, [&](const std::string& path) {
    const auto root = Root::open(path);
    if (!root) find_fault(checks, "workspace", root.error());
    return !root;
  });
  return roots;
}

// With the files of the workspace; without them, if they are trusted and wrong.
Config load_usable(const ConfigSources& sources, WorkspaceStanding& standing, Checks& checks) {
  auto config = load_with_workspace(sources, standing.workspace(), *standing.look());
  if (config) return std::move(*config);
  find_fault(checks, "configuration", config.error());
  auto users = load_config(sources);
  return users ? std::move(*users) : Config();
}

void check_instance(const Config& config, const std::vector<std::string>& roots,
                    WorkspaceStanding& standing, Checks& checks) {
  auto log = Log::to_stderr(config.log_level);
  for (const auto& warning : config.warnings) log.warning("configuration", {{"word", warning}});
  auto instance = Instance::open(config, roots, standing, log);
  if (!instance) return find_fault(checks, "server", instance.error());
  (*instance)->load(log);
  checks.push_back(check_elements(config, **instance));
}

int print_doctor(const Config& config, const Checks& checks, bool json) {
  const bool good = std::ranges::all_of(checks, &Check::good);
  if (json) {
    print_doctor_json(config, checks);
    return good ? 0 : kFailed;
  }
  for (const auto& setting : config.settings) {
    const std::string name(setting.key->name);
    std::printf("%-24s %-28s %s\n", name.c_str(), visible(shown(setting.text)).c_str(),
                visible(setting.origin.text()).c_str());
  }
  print_workspace_notes(config);
  std::printf("\n");
  for (const auto& check : checks) {
    std::printf("%-4s %-16s %s\n", check.good ? "ok" : "BAD", check.name.c_str(),
                visible(check.word).c_str());
  }
  return good ? 0 : kFailed;
}

}  // namespace

int run_doctor(ConfigSources sources, bool json) {
  Checks checks;
  drop_wrong_sources(sources, checks);
  auto config = load_config(sources);
  if (!config) return report(config.error(), json);
  const auto roots = find_roots(*config, checks);
  if (roots.empty()) {
    drop_wrong_values(*config, checks);
    checks.push_back(check_watches());
    return print_doctor(*config, checks, json);
  }
  WorkspaceStanding standing(roots.front(), sources.environment);
  *config = load_usable(sources, standing, checks);
  drop_wrong_values(*config, checks);
  checks.insert(checks.end(), {check_workspace(roots), check_state(roots), check_watches()});
  check_instance(*config, roots, standing, checks);
  checks.push_back(check_trust(*config));
  if (!config->http.empty()) checks.push_back(check_viewer(*config));
  return print_doctor(*config, checks, json);
}

}  // namespace lode
