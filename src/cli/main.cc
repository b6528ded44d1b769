// lode: the program. Flags, then one file for each group of commands.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "cli/backlog_flags.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/config_keys.h"
#include "cli/doctor.h"
#include "cli/instance.h"
#include "cli/live_config.h"
#include "cli/serve_command.h"
#include "cli/transfer_commands.h"
#include "cli/trust.h"
#include "cli/trust_command.h"
#include "cli/version.h"
#include "cli/workspace_choice.h"
#include "cli/workspace_policy.h"
#include "syntax/worker.h"

namespace {

using namespace lode;

struct Words {
  std::string uri, tool, arguments, who, action;
  ImportWords import_words;
  ExportWords export_words;
  TrustWords trust_words;
  LinksWords links_words;
  BacklogWords backlog_words;
  bool json = false;
};

ConfigSources users_sources(const FlagValues& flags) {
  ConfigSources sources;
  for (const auto& [flag, values] : flags) {
    if (!values.empty()) sources.flags[flag] = values;
  }
  sources.environment = process_environment();
  sources.user_file = user_config_file(sources.environment);
  return sources;
}

// What was typed wrong; what files and the environment say is not looked at.
Status check_flags(const ConfigSources& sources) {
  ConfigSources typed;
  typed.flags = sources.flags;
  auto config = load_config(typed);
  if (!config) return std::move(config).error();
  if (auto exposure = exposure_of(*config); !exposure) return std::move(exposure).error();
  return check_has_effect(*config, typed);
}

// By what the user says alone: the workspace's own files are known only afterwards.
Result<std::vector<std::string>> choose_roots(const ConfigSources& sources) {
  auto config = load_config(sources);
  if (!config) return std::move(config).error();
  if (auto fit = check_has_effect(*config, sources); !fit) return std::move(fit).error();
  if (!config->workspace.empty()) return std::move(config->workspace);
  auto chosen = choose_workspace("");
  if (!chosen) return std::move(chosen).error();
  return std::vector<std::string>{std::move(*chosen)};
}

constexpr const char* kConfigurationGroup =
    "Configuration (also LODE_… in the environment, and lode.toml)";

void add_flags(CLI::App& app, FlagValues& flags) {
  for (const auto& key : config_keys()) {
    // Help does not show an option without a group.
    app.add_option(key.flag(), flags[key.flag()], std::string(key.help))
        ->type_name(std::string(key.type()))
        ->allow_extra_args(false)  // the next word is another's
        ->group(key.without_effect ? "" : kConfigurationGroup);
  }
}

// Whether the command needs the symbols of the whole workspace.
bool searches(const CLI::App& app, const Words& words) {
  if (app.got_subcommand("search")) return true;
  if (app.got_subcommand("read")) return words.uri.starts_with("lode://search");
  return app.got_subcommand("call") && words.tool == "resource_find";
}

// For a person who waits.
void tell_symbols(SymbolIndex::Progress progress) {
  if (::isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r\033[Klooking for symbols: %zu files, %zu to go", progress.files,
               progress.waiting);
  std::fflush(stderr);
}

int run_links(const CLI::App& links, const Command& command, const LinksWords& words) {
  if (links.got_subcommand("check")) return run_links_check(command, words);
  return run_links_convert(command, words);
}

int run_backlog(const CLI::App& backlog, const Command& command, const BacklogWords& words) {
  if (backlog.got_subcommand("list")) return run_backlog_list(command, words);
  if (backlog.got_subcommand("show")) return run_backlog_show(command, words);
  if (backlog.got_subcommand("new")) return run_backlog_new(command, words);
  if (backlog.got_subcommand("done")) return run_backlog_done(command, words);
  if (backlog.got_subcommand("board")) return run_backlog_board(command, words);
  if (backlog.got_subcommand("edit")) return run_backlog_edit(command, words);
  return run_backlog_renumber(command, words);
}

int run(const CLI::App& app, const Words& words, const FlagValues& flags) {
  const auto sources = users_sources(flags);
  if (app.got_subcommand("doctor")) return run_doctor(sources, words.json);
  if (auto fit = check_flags(sources); !fit) return report_usage(fit.error(), words.json);
  const auto chosen = choose_roots(sources);
  if (!chosen) return report(chosen.error(), words.json);
  const auto& roots = *chosen;
  WorkspaceStanding standing(roots.front(), sources.environment);
  if (app.got_subcommand("trust")) {
    return run_trust(sources, standing, words.trust_words, words.json);
  }
  if (app.got_subcommand("token")) return run_token_rotate(roots.front(), words.json);
  const auto now = standing.look();
  auto config = load_with_workspace(sources, roots.front(), *now);
  if (!config) return report(config.error(), words.json);
  // What is asked of the policy is what a server with resources would answer.
  if (app.got_subcommand("policy")) config->resources_enabled = true;
  auto log = Log::to_stderr(config->log_level);
  for (const auto& warning : config->warnings) log.warning("configuration", {{"word", warning}});
  warn_of_ignored(*config, *now, log);
  auto instance = Instance::open(*config, roots, standing, log);
  if (!instance) return report(instance.error(), words.json);
  const Command command{**instance, *config, log, words.json};
  if (app.got_subcommand("serve")) {
    LiveConfig live(sources, standing, *config, now, log);
    return run_serve(**instance, *config, live, roots, log);
  }
  for (const char* once :
       {"read", "list", "search", "call", "path", "policy", "links", "backlog"}) {
    if (app.got_subcommand(once)) (*instance)->load(log);
  }
  if (searches(app, words)) (*instance)->load_symbols(tell_symbols);
  if (app.got_subcommand("read")) return run_read(command, words.uri);
  if (app.got_subcommand("list")) return run_list(command, words.uri);
  if (app.got_subcommand("search")) return run_search(command, words.uri);
  if (app.got_subcommand("watch")) return run_watch(command, words.uri);
  if (app.got_subcommand("path")) return run_path(command, words.uri);
  if (app.got_subcommand("call")) return run_call(command, words.tool, words.arguments);
  if (app.got_subcommand("import")) return run_import(command, words.import_words);
  if (app.got_subcommand("export")) return run_export(command, words.export_words);
  if (app.got_subcommand("tokens")) return run_tokens(command);
  if (app.got_subcommand("links")) {
    return run_links(*app.get_subcommand("links"), command, words.links_words);
  }
  if (app.got_subcommand("backlog")) {
    return run_backlog(*app.get_subcommand("backlog"), command, words.backlog_words);
  }
  return run_policy_test(command, words.who, words.action, words.uri);
}

void add_import(CLI::App& app, ImportWords& words) {
  auto* command = app.add_subcommand(
      "import",
      "Bring in the elements of a Dollhouse portfolio, a NEXS data directory or a folder of Agent "
      "Skills, or the tasks of Backlog.md or backlog-mcp; what is brought in is only read");
  command->add_option("PATH", words.path)->required();
  command
      ->add_option("--from", words.from,
                   "dollhouse, nexs, skills, backlog.md or backlog-mcp, if the folder does not "
                   "show it")
      ->check(CLI::IsMember({"dollhouse", "nexs", "skills", "backlog.md", "backlog-mcp"}));
  command->add_option("--to", words.to, "Elements: workspace or user")
      ->check(CLI::IsMember({"workspace", "user"}));
  command->add_flag("--dry-run", words.dry_run, "Tell what would be done, and write nothing");
  command->add_flag("--replace", words.replace, "Overwrite what is there and different");
}

void add_export(CLI::App& app, ExportWords& words) {
  auto* command =
      app.add_subcommand("export", "Write elements as another system reads them, into a directory");
  command->add_option("PATH", words.path)->required();
  command->add_option("--format", words.format, "dollhouse, nexs or skills")
      ->required()
      ->check(CLI::IsMember({"dollhouse", "nexs", "skills"}));
  command->add_option("--type", words.type, "One type of elements alone")
      ->check([](const std::string& word) {
        return find_element_type(word) ? "" : word + " is no type of elements";
      });
  command->add_option("--only", words.only, "An element, by its id or type:id; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--dry-run", words.dry_run, "Tell what would be done, and write nothing");
  command->add_flag("--replace", words.replace, "Overwrite what is there and different");
}

void add_trust(CLI::App& app, TrustWords& words) {
  auto* command = app.add_subcommand(
      "trust",
      "Show what the workspace's .lode/lode.toml and policy.toml would change, and let them, as "
      "long as they stay as they are");
  command->add_flag("--yes", words.yes, "Do not ask");
  auto* dry_run = command->add_flag("--dry-run", words.dry_run, "Show it, and record nothing");
  command->add_flag("--revoke", words.revoke, "Trust them no more")->excludes(dry_run);
}

void add_commands(CLI::App& app, Words& words) {
  app.add_subcommand("serve",
                     "Serve the workspace over MCP: on standard input and output, and "
                     "with --http over HTTP too");
  auto* read = app.add_subcommand("read", "Print what stands at a URI");
  read->add_option("URI", words.uri)->required();
  auto* list = app.add_subcommand("list", "List resources, all or those that begin so");
  list->add_option("PREFIX", words.uri);
  auto* search = app.add_subcommand("search",
                                    "Find tasks, elements and symbols by words, best first; for "
                                    "the text of files call find_files");
  search->add_option("QUERY", words.uri)->required();
  auto* watch = app.add_subcommand("watch", "Print a line whenever what stands at a URI changes");
  watch->add_option("URI", words.uri)->required();
  auto* path = app.add_subcommand("path", "Print the local path behind a URI");
  path->add_option("URI", words.uri)->required();
  auto* call = app.add_subcommand("call", "Call a tool");
  call->add_option("TOOL", words.tool)->required();
  call->add_option("JSON", words.arguments, "Its arguments, as a JSON object");
  add_import(app, words.import_words);
  add_export(app, words.export_words);
  add_links(app, words.links_words);
  add_backlog(app, words.backlog_words);
  add_trust(app, words.trust_words);
  auto* token = app.add_subcommand("token", "Work with the token that makes its holder the owner");
  token->add_subcommand("rotate", "Make a new one, print the file that has it, end the old one");
  token->require_subcommand(1);
  app.add_subcommand("tokens", "Count what the registration costs a model, item by item");
  app.add_subcommand("doctor", "Show the configuration, where it comes from, and what is amiss");
  auto* policy = app.add_subcommand("policy", "Work with the policy");
  auto* test = policy->add_subcommand("test", "Explain a decision, rule by rule");
  policy->require_subcommand(1);
  test->add_option("WHO", words.who, "local, owner, visitor, …")->required();
  test->add_option("ACTION", words.action, "list, read, subscribe, complete, call, write, admin")
      ->required();
  test->add_option("URI", words.uri)->required();
  app.add_subcommand("version", "Print the version");
}

// The last of the commands that were named, or the program itself.
const CLI::App& last_command(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? app : last_command(*named.front());
}

// What may stand behind this one.
std::vector<std::string> command_names(const CLI::App& before) {
  std::vector<std::string> names;
  for (const auto* command : before.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string missing_command(const CLI::App& before) {
  const std::string whole = before.get_parent() == nullptr ? "lode" : "lode " + before.get_name();
  return fmt::format("\"{}\" needs a command: {}", whole, fmt::join(command_names(before), ", "));
}

// before: what the word stands behind.
std::string unknown_command(const CLI::App& before, const std::string& word) {
  const auto names = command_names(before);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string whole = before.get_parent() == nullptr ? word : before.get_name() + " " + word;
  return "there is no command \"" + whole + "\"" + did_you_mean(word, known);
}

// Help and the version are no errors; a word that is none of ours is answered
// with the nearest that is.
int wrong_usage(const CLI::App& app, const CLI::ParseError& error, bool json) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const auto extra = app.remaining(true);
  const auto& before = last_command(app);
  const bool wants_command = !before.get_subcommands({}).empty();
  const bool stray = !extra.empty() && (wants_command || extra.front()[0] == '-');
  std::string what = error.what();
  if (stray) {
    const std::string& word = extra.front();
    const bool flag = word[0] == '-';
    what = flag ? unknown_flag(word.substr(0, word.find('='))) : unknown_command(before, word);
  } else if (wants_command && before.get_subcommands().empty()) {
    what = missing_command(before);
  }
  const int status = report_usage(invalid(std::move(what)), json);
  std::fprintf(stderr, "Run lode --help for more.\n");
  return status;
}

bool is_truth_value(std::string_view word) {
  Config scratch;
  return set_config_value(scratch, *find_config_key("resources.enabled"), word).ok();
}

// The words of the command line, a truth value written out where a flag leaves it unsaid:
// "--resources-enabled" alone means true.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const bool alone = i + 1 == words.size() || !is_truth_value(words[i + 1]);
    const bool truth = std::ranges::any_of(config_keys(), [&](const ConfigKey& key) {
      return std::holds_alternative<bool Config::*>(key.field) && key.flag() == words[i];
    });
    if (truth && alone) words[i] += "=true";
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  // This program, started by itself (syntax/worker_process.h); no command for people.
  if (argc == 2 && std::string_view(argv[1]) == kSyntaxWorkerWord) return run_syntax_worker();
  // A thread, memory or a descriptor that the system refuses where nobody can go on.
  std::set_terminate([] {
    std::fputs("lode: the system gives no more threads, memory or descriptors\n", stderr);
    ::_exit(kFailed);
  });
  // A write over RLIMIT_FSIZE is an error like any other, not the end.
  ::signal(SIGXFSZ, SIG_IGN);
  CLI::App app{"Makes a workspace readable to AI assistants: one URI for everything, over MCP."};
  app.name("lode");
  app.require_subcommand(1);
  app.fallthrough();  // flags may stand behind the command
  app.set_version_flag("--version", "lode " + std::string(kVersion));
  app.footer(
      "A client starts `lode serve` by itself. To look around:\n"
      "  lode list --resources-enabled\n"
      "  lode serve --http 127.0.0.1:7345 --resources-enabled\n"
      "Exit status: 0 done, 1 failed, 2 wrong usage, 3 no such thing, 4 not permitted,\n"
      "5 done in part.");
  Words words;
  FlagValues flags;
  app.add_flag("--json", words.json, "Answer in JSON, for scripts");
  add_flags(app, flags);
  add_commands(app, words);
  auto typed = words_of(argc, argv);
  const bool json = std::ranges::find(typed, "--json") != typed.end();
  std::ranges::reverse(typed);  // as the library wants them
  try {
    app.parse(std::move(typed));
  } catch (const CLI::ParseError& error) {
    return wrong_usage(app, error, json);
  }
  if (app.got_subcommand("version")) {
    std::printf("lode %s\n", std::string(kVersion).c_str());
    return 0;
  }
  return run(app, words, flags);
}
