#include "cli/backlog_flags.h"

#include <CLI/CLI.hpp>

namespace lode {
namespace {

const std::vector<std::string> kStatuses{"open", "in_progress", "blocked", "done", "cancelled"};
const std::vector<std::string> kTypes{"task", "epic", "folder", "milestone", "artifact"};

// One value each time it is named, or several with commas.
CLI::Option* add_several(CLI::App& command, const char* name, std::vector<std::string>& values,
                         const char* help) {
  return command.add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
}

void add_list(CLI::App& backlog, BacklogWords& words) {
  auto* list = backlog.add_subcommand(
      "list", "Tasks, one a line: what is to be done first, and without what is over");
  add_several(*list, "--status", words.statuses, "open, in_progress, blocked, done, cancelled")
      ->check(CLI::IsMember(kStatuses));
  add_several(*list, "--type", words.types, "task, epic, folder, milestone, artifact")
      ->check(CLI::IsMember(kTypes));
  list->add_option("--parent", words.parent, "Those below a task, or none");
  list->add_option("--label", words.labels, "Those with a label")->expected(1);
  list->add_option("--assignee", words.assignee, "Those of somebody, or none");
  auto* ready = list->add_flag("--ready", words.ready, "What nothing blocks");
  list->add_flag("--waiting", words.waiting, "What is open, and not ready")->excludes(ready);
  list->add_option("-q,--query", words.query, "By words, best first");
  list->add_option("--sort", words.sort, "rank, id, priority, due, updated, created, title")
      ->check(CLI::IsMember({"rank", "id", "priority", "due", "updated", "created", "title"}));
  list->add_flag("--all", words.all, "With what is done or cancelled");
  list->add_option("--limit", words.limit, "At most so many (100)")
      ->check(CLI::Range(1, 1'000'000));
}

void add_new(CLI::App& backlog, BacklogWords& words) {
  auto* fresh = backlog.add_subcommand("new", "Make a task, and print its id");
  fresh->add_option("TITLE", words.title)->required();
  fresh->add_option("--type", words.types, "task, epic, folder, milestone, artifact")
      ->expected(1)
      ->check(CLI::IsMember(kTypes));
  fresh->add_option("--status", words.statuses, "open, if nothing is said")
      ->expected(1)
      ->check(CLI::IsMember(kStatuses));
  fresh->add_option("--parent", words.parent, "The id of a task, an epic, …");
  add_several(*fresh, "--label", words.labels, "May be repeated");
  add_several(*fresh, "--depends-on", words.dependencies, "Ids of tasks; may be repeated");
  fresh->add_option("--priority", words.priority, "critical, high, medium, low, lowest");
  fresh->add_option("--assignee", words.assignee);
  fresh->add_option("--due", words.due, "A date as 2026-12-01");
  fresh->add_option("--body", words.body, "Markdown; - reads standard input");
}

}  // namespace

void add_links(CLI::App& app, LinksWords& words) {
  auto* links = app.add_subcommand(
      "links", "Find links in markdown that do not work on every machine, and mend them");
  links->require_subcommand(1);
  auto* check = links->add_subcommand(
      "check",
      "Name machine-specific paths, dead links and addresses that do not resolve, with what would "
      "be right; the status is 1 if there are some");
  check->add_option("PATH", words.paths, "Files or directories; else the whole workspace");
  auto* convert = links->add_subcommand(
      "convert", "Turn file:// addresses and absolute paths into mcp://backlog/…: a diff");
  convert->add_option("PATH", words.paths, "Files or directories; else the whole workspace");
  convert->add_flag("--apply", words.apply, "Write it");
}

void add_backlog(CLI::App& app, BacklogWords& words) {
  auto* backlog = app.add_subcommand("backlog", "Work with the tasks of the backlog");
  backlog->require_subcommand(1);
  add_list(*backlog, words);
  auto* show = backlog->add_subcommand("show", "A task, whole");
  show->add_option("ID", words.ids)->required()->expected(1);
  add_new(*backlog, words);
  auto* done = backlog->add_subcommand("done", "Mark tasks as done, all or none");
  done->add_option("ID", words.ids)->required();
  done->add_option("--evidence", words.evidence, "What shows it");
  auto* board = backlog->add_subcommand("board", "The backlog in columns");
  board->add_option("--limit", words.limit, "In a column at most so many (100)")
      ->check(CLI::Range(1, 10'000));
  auto* edit = backlog->add_subcommand(
      "edit", "A task in $VISUAL or $EDITOR; what is malformed then is not saved");
  edit->add_option("ID", words.ids)->required()->expected(1);
  auto* renumber = backlog->add_subcommand(
      "renumber",
      "Say which tasks have the id of another, as after a merge, and what they would get");
  renumber->add_flag("--apply", words.apply, "Give it to them; references follow");
  renumber
      ->add_option("--keep", words.keep,
                   "The task that keeps its id, and all references of which it is unclear which "
                   "task they mean: FILE, FILE:ours or FILE:theirs; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace lode
