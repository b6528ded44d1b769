#include "cli/workspace_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "engine/policy_file.h"

namespace lode {
namespace {

using Effect = WorkspaceNote::Effect;
using State = WorkspaceFile::State;
using Weight = WorkspaceRules::Weight;

constexpr std::size_t kMostNamed = 20;  // entries of one file, in a line of the log
constexpr std::size_t kKeyBytes = 64;   // of a key that is named there
constexpr std::string_view kHelp = "lode trust shows what they would change";

Origin origin_of(const std::string& path, std::size_t line) {
  return {Origin::Kind::file, path, line};
}

// The line in "policy.toml:12".
std::size_t line_of(std::string_view where) {
  std::size_t line = 0;
  const auto digits = where.substr(where.rfind(':') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), line);
  return line;
}

void note_unread(Config& config, const WorkspaceFile& file, std::string_view what) {
  if (file.state == State::absent || file.state == State::read) return;
  const bool closes = file.state == State::unreadable && what == "policy";
  config.workspace_notes.push_back({"the whole file", "", origin_of(file.path, 0), Effect::ignored,
                                    file.problem + (closes ? "; nothing is permitted" : ""),
                                    false});
}

std::string rule_text(const Rule& rule) {
  std::vector<std::string> on;
  for (const auto* globs : {&rule.uris, &rule.tools}) {
    for (const auto& glob : *globs) on.push_back(glob.text());
  }
  std::vector<std::string_view> actions;
  actions.reserve(rule.actions.size());
  for (const auto action : rule.actions) actions.push_back(to_string(action));
  return fmt::format("{} may {} {}", fmt::join(rule.roles, ","), fmt::join(actions, ","),
                     fmt::join(on, ","));
}

void note_policy(Config& config, const WorkspaceStanding::Now& now) {
  const auto& file = now.files.policy;
  if (file.state != State::read) return;
  const auto policy = parse_policy(file.text, file.path);
  if (!policy) {
    config.workspace_notes.push_back({"the whole file", "", origin_of(file.path, 0),
                                      Effect::ignored,
                                      policy.error().message + "; nothing is permitted", false});
    return;
  }
  const bool own = user_has_policy(config);
  for (const auto& rule : policy->rules()) {
    WorkspaceNote note{rule.allow ? "allow" : "deny",
                       rule_text(rule),
                       origin_of(file.path, line_of(rule.where)),
                       rule.allow ? Effect::counts : Effect::added,
                       "",
                       false};
    if (rule.allow && (own || !now.trusted())) {
      note.effect = Effect::ignored;
      note.why = own ? "you have a policy of your own" : "the workspace is not trusted";
      note.for_trust = !own;
    }
    config.workspace_notes.push_back(std::move(note));
  }
}

// "http, http.hosts, 2 × allow"
std::string named(const std::vector<std::string>& words) {
  std::vector<std::string> told;
  std::map<std::string, std::size_t> counts;
  for (const auto& word : words) {
    if (counts[word]++ == 0) told.push_back(word);
  }
  const std::size_t more = told.size() - std::min(told.size(), kMostNamed);
  told.resize(told.size() - more);
  for (auto& word : told) {
    const auto count = counts[word];
    if (count > 1) word = fmt::format("{} × {}", count, word);
  }
  auto text = fmt::format("{}", fmt::join(told, ", "));
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

}  // namespace

bool user_has_policy(const Config& config) {
  return config.setting("policy.file").origin.kind != Origin::Kind::fallback;
}

WorkspaceRules workspace_rules(const WorkspaceStanding::Now& now, bool user_has_policy) {
  const auto& file = now.files.policy;
  if (has_gone(file)) return {};
  if (file.state == State::unreadable) {
    return {Weight::closed, nullptr, fmt::format("{}: {}", file.path, file.problem)};
  }
  auto policy = parse_policy(file.text, file.path);
  if (!policy) return {Weight::closed, nullptr, policy.error().message};
  return {now.trusted() && !user_has_policy ? Weight::whole : Weight::denies,
          std::make_shared<const Policy>(std::move(*policy)), ""};
}

void note_workspace_files(Config& config, const WorkspaceStanding::Now& now) {
  note_unread(config, now.files.config, "config");
  note_unread(config, now.files.policy, "policy");
  note_policy(config, now);
}

void warn_of_ignored(const Config& config, const WorkspaceStanding::Now& now, Log& log) {
  std::map<std::string, std::vector<std::string>> by_file;
  for (const auto& note : config.workspace_notes) {
    if (note.effect != Effect::ignored) continue;
    const bool whole = note.origin.line == 0;
    const bool long_key = note.key.size() > kKeyBytes;
    by_file[note.origin.name].push_back(whole ? fmt::format("{} ({})", note.key, note.why)
                                        : long_key
                                            ? fmt::format("a key of {} bytes", note.key.size())
                                            : note.key);
  }
  if (by_file.empty()) return;
  std::vector<std::string> files;
  files.reserve(by_file.size());
  for (const auto& [file, words] : by_file) {
    files.push_back(fmt::format("{}: {}", file, named(words)));
  }
  const auto ignored = fmt::format("{}", fmt::join(files, "; "));
  const std::string_view event = now.trusted() ? "ignored in the workspace's files"
                                 : now.trust == Trust::changed
                                     ? "the workspace's files have changed and are not trusted"
                                     : "the workspace's files are not trusted";
  log.warning(event, {{"ignored", ignored}, {"help", kHelp}});
}

namespace {

// The rules now, of a file that had some before.
WorkspaceRules following_rules(const WorkspaceRules& before, const WorkspaceStanding::Now& now,
                               bool user_has_policy) {
  if (!has_gone(now.files.policy)) return workspace_rules(now, user_has_policy);
  WorkspaceRules kept = before;
  if (kept.weight == Weight::whole && now.trust == Trust::none) kept.weight = Weight::denies;
  return kept;
}

}  // namespace

bool has_gone(const WorkspaceFile& file) {
  return file.state == State::absent || file.state == State::foreign;
}

PolicySource::ReadWorkspaceRules follow_workspace_rules(WorkspaceStanding& standing,
                                                        bool user_has_policy, Log& log) {
  struct Followed {
    std::shared_ptr<const WorkspaceStanding::Now> now;
    std::shared_ptr<const WorkspaceRules> rules;
  };
  auto last = std::make_shared<Followed>();
  return [&standing, user_has_policy, &log, last] {
    auto now = standing.look();
    const bool same =
        last->now && last->now->files.policy == now->files.policy && last->now->trust == now->trust;
    if (same) return last->rules;
    auto rules = std::make_shared<const WorkspaceRules>(
        last->now ? following_rules(*last->rules, *now, user_has_policy)
                  : workspace_rules(*now, user_has_policy));
    if (has_gone(now->files.policy) && rules->weight != Weight::none) {
      log.warning("policy kept", {{"gone", now->files.policy.path}, {"help", kGone}});
    }
    if (last->now && last->now->trusted() && !now->trusted()) {
      log.warning("the workspace's files have changed and are not trusted any more",
                  {{"workspace", standing.workspace()}, {"help", kHelp}});
    }
    if (last->now && rules->weight == Weight::closed && !has_gone(now->files.policy)) {
      log.warning("nothing is permitted: a policy that cannot be read might deny",
                  {{"problem", rules->where}});
    }
    *last = {std::move(now), std::move(rules)};
    return last->rules;
  };
}

}  // namespace lode
