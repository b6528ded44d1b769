#include "cli/transfer_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/json.h"
#include "cli/backlog_import.h"
#include "providers/capability/transfer/export.h"
#include "providers/capability/transfer/import.h"

namespace lode {
namespace {

constexpr std::size_t kLong = 200;  // files, from which on a person is told how far it is
constexpr std::size_t kBetween = 25;

// For a person who watches.
void tell_progress(std::size_t done, std::size_t all) {
  if (all < kLong || (done % kBetween != 0 && done != all)) return;
  std::fprintf(stderr, "\r%zu of %zu%s", done, all, done == all ? "\n" : "");
}

TransferProgress progress() {
  return ::isatty(STDERR_FILENO) != 0 ? TransferProgress(tell_progress) : TransferProgress();
}

int tell(const TransferReport& report, bool json) {
  if (json) {
    std::printf("%s\n", to_text(report.json(report.moved.size())).c_str());
  } else {
    for (const auto& moved : report.moved) std::printf("%s\n", line_of(moved).c_str());
    std::printf("%s%s\n", report.dry_run ? "nothing was written; would be: " : "",
                report.summary().c_str());
  }
  return report.is_partial() ? kPartly : 0;
}

// A backlog in the tree, if that is meant: it is asked for, or the tree looks like none of
// elements.
std::optional<BacklogSource> find_backlog(const ImportWords& words,
                                          const std::vector<SourceFile>& files) {
  const auto format = find_backlog_format(words.from);
  if (!words.from.empty() && !format) return std::nullopt;
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const auto& file : files) paths.push_back(file.path);
  auto found = find_backlog_source(paths, format);
  const bool sure = format || (found && found->format == BacklogFormat::backlog_md);
  return sure || !detect_format(files) ? found : std::nullopt;
}

}  // namespace

int run_import(const Command& command, const ImportWords& words) {
  auto source = SourceTree::open(words.path);
  if (!source) return report(std::move(source).error().in("importing"), command.json);
  const auto files = source->files();
  if (!files) return report(Error(files.error()).in("importing"), command.json);
  if (const auto backlog = find_backlog(words, *files)) {
    const auto done = import_backlog(command, words, *source, *files, *backlog);
    if (done) return tell(*done, command.json);
    return report(Error(done.error()).in(fmt::format("importing {}", words.path)), command.json);
  }
  if (find_backlog_format(words.from)) {
    return report(
        invalid(fmt::format("importing {}: there is no backlog of {}", words.path, words.from)),
        command.json);
  }
  const auto& folders = command.instance.elements().folders();
  const bool here = words.to == "workspace";
  const auto done = import_elements(
      {*source, find_transfer_format(words.from), here ? folders.workspace : folders.user, here,
       words.dry_run, words.replace, TransferAdmission(), command.instance.manager().keeper()},
      ElementGate::open(), progress());
  if (!done)
    return report(Error(done.error()).in(fmt::format("importing {}", words.path)), command.json);
  return tell(*done, command.json);
}

int run_export(const Command& command, const ExportWords& words) {
  const auto done = export_elements(
      {command.instance.elements(), words.path, "", *find_transfer_format(words.format),
       find_element_type(words.type), words.only, words.dry_run, words.replace},
      ElementGate::open(), progress());
  if (!done)
    return report(Error(done.error()).in(fmt::format("exporting to {}", words.path)), command.json);
  return tell(*done, command.json);
}

}  // namespace lode
