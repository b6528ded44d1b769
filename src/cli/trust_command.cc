#include "cli/trust_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/config_keys.h"
#include "cli/workspace_policy.h"
#include "workspace/root.h"

namespace lode {
namespace {

using Effect = WorkspaceNote::Effect;
using State = WorkspaceFile::State;

// A key whose value the workspace's file changes.
struct ChangedKey {
  std::string key, now, then, where;
};

// What trust would change, and the notes on everything that the files say.
struct Preview {
  std::vector<ChangedKey> changes;
  std::vector<WorkspaceNote> notes;  // as they would be
};

bool is_nothing(const WorkspaceFiles& files) {
  return files.config.state == State::absent && files.policy.state == State::absent;
}

// A file that is not understood cannot be judged, so it cannot be trusted.
Status check_files(const Config& then) {
  for (const auto& note : then.workspace_notes) {
    if (note.origin.line != 0 || note.effect != Effect::ignored) continue;
    return invalid(
        fmt::format("{}: {}; it cannot be trusted as it is", note.origin.name, note.why));
  }
  return {};
}

Result<Preview> preview_of(ConfigSources sources, const std::string& root,
                           const WorkspaceFiles& files) {
  sources.workspace = workspace_config(root, files, false);
  auto now = load_config(sources);
  if (!now) return std::move(now).error();
  sources.workspace = workspace_config(root, files, true);
  auto then = load_config(sources);
  if (!then) return std::move(then).error().in("it cannot be trusted as it is");
  note_workspace_files(*then, {files, Trust::holds});
  if (auto good = check_files(*then); !good) return std::move(good).error();
  Preview preview;
  for (std::size_t i = 0; i < then->settings.size(); ++i) {
    const auto& to = then->settings[i];
    if (to.text == now->settings[i].text) continue;
    preview.changes.push_back(
        {std::string(to.key->name), now->settings[i].text, to.text, to.origin.text()});
  }
  if (files.policy.state == State::read && !user_has_policy(*then)) {
    preview.changes.push_back(
        {"policy", "built-in", "only what its rules allow, for you too", files.policy.path});
  }
  preview.notes = std::move(then->workspace_notes);
  return preview;
}

void print_preview(const std::string& workspace, const Preview& preview) {
  std::printf("The files of %s would change:\n", visible(workspace).c_str());
  for (const auto& change : preview.changes) {
    std::printf("  %s: %s -> %s   (%s)\n", change.key.c_str(), visible(change.now).c_str(),
                visible(change.then).c_str(), visible(change.where).c_str());
  }
  bool changes = !preview.changes.empty();
  for (const auto& note : preview.notes) {
    if (note.key != "allow" || note.effect != Effect::counts) continue;
    changes = true;
    std::printf("  policy: %s   (%s)\n", visible(note.value).c_str(),
                visible(note.origin.text()).c_str());
  }
  if (!changes) std::printf("  nothing\n");
  for (const auto& note : preview.notes) {
    if (note.effect != Effect::ignored) continue;
    std::printf("Still ignored: %s (%s): %s\n", visible(note.key).c_str(),
                visible(note.origin.text()).c_str(), note.why.c_str());
  }
  std::fflush(stdout);
}

std::string_view name_of(Trust trust) {
  if (trust == Trust::holds) return "trusted";
  return trust == Trust::changed ? "changed" : "untrusted";
}

void print_json(const std::string& workspace, Trust trust, const Preview& preview) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("workspace", workspace).member("trust", name_of(trust));
  w.key("changes").begin_array();
  for (const auto& change : preview.changes) {
    w.begin_object().member("key", change.key).member("now", change.now);
    w.member("then", change.then).member("where", change.where).end_object();
  }
  w.end_array().key("entries").begin_array();
  for (const auto& note : preview.notes) {
    w.begin_object().member("key", note.key).member("value", note.value);
    w.member("where", note.origin.text()).member("effect", to_string(note.effect));
    w.member_if("why", note.why).end_object();
  }
  w.end_array().end_object();
  std::printf("%s\n", out.c_str());
}

// A person must say yes in so many letters.
bool confirmed() {
  std::fprintf(stderr, "Trust these files as they are now? [y/N] ");
  std::string answer;
  for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) {
    answer += static_cast<char>(c);
  }
  return answer == "y" || answer == "Y" || answer == "yes";
}

int revoke(const WorkspaceStanding& standing, bool json) {
  if (auto done = revoke_trust(standing.environment(), standing.workspace()); !done) {
    return report(done.error(), json);
  }
  if (json) {
    print_json(standing.workspace(), Trust::none, {});
  } else {
    std::printf("The files of %s are not trusted.\n", visible(standing.workspace()).c_str());
  }
  return 0;
}

}  // namespace

std::optional<WorkspaceConfig> workspace_config(const std::string& root,
                                                const WorkspaceFiles& files, bool trusted) {
  if (files.config.state != State::read) return std::nullopt;
  return WorkspaceConfig{
      files.config.path, files.config.text, trusted,
      [root](const std::string& path) { return check_stays_inside(root, path); }};
}

int run_trust(const ConfigSources& sources, WorkspaceStanding& standing, const TrustWords& words,
              bool json) {
  if (words.revoke) return revoke(standing, json);
  if (const auto root = Root::open(standing.workspace()); !root) return report(root.error(), json);
  const auto now = standing.look();
  auto preview = preview_of(sources, standing.workspace(), now->files);
  if (!preview) return report(preview.error(), json);
  if (!json) print_preview(standing.workspace(), *preview);
  const bool needless = words.dry_run || is_nothing(now->files) || now->trusted();
  if (!needless && !words.yes) {
    if (::isatty(STDIN_FILENO) == 0) {
      return report_usage(invalid("nobody is there to ask; to trust these files, add --yes"), json);
    }
    if (!confirmed()) return kFailed;
  }
  if (!needless) {
    auto done = record_trust(standing.environment(), standing.workspace(), now->files);
    if (!done) return report(done.error(), json);
  }
  const auto trust = needless ? now->trust : Trust::holds;
  if (json) print_json(standing.workspace(), trust, *preview);
  if (!json && trust == Trust::holds) std::printf("Trusted, until one of them changes.\n");
  return 0;
}

}  // namespace lode
