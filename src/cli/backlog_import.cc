#include "cli/backlog_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/utf8.h"
#include "providers/backlog/manage_files.h"
#include "store/document.h"
#include "workspace/secrets.h"

namespace lode {
namespace {

constexpr std::size_t kArtifactBytes = std::size_t{16} << 20;

class BacklogImport {
 public:
  BacklogImport(const Command& command, const ImportWords& words, const SourceTree& tree,
                const BacklogSource& source)
      : tasks_(command.instance.tasks()),
        place_(command.instance.task_files()),
        words_(words),
        tree_(tree),
        source_(source) {
    report_.format = to_string(source.format);
    report_.dry_run = words.dry_run;
  }

  Result<TransferReport> run(const std::vector<SourceFile>& files) {
    tasks_.load_now();
    if (!words_.dry_run) {
      auto opened = TaskFiles::open(place_);
      if (!opened) return std::move(opened).error();
      files_.emplace(std::move(*opened));
    }
    // Of two with one id the one that is not archived counts: Backlog.md gives the id of an
    // archived task again.
    auto in_order = files;
    std::stable_partition(in_order.begin(), in_order.end(), [&](const SourceFile& file) {
      return !place_in_backlog(source_, file.path).archived;
    });
    for (const auto& file : in_order) {
      Moved moved{visible(file.path), Fate::skipped, "", {}};
      bring(file, moved);
      report_.moved.push_back(std::move(moved));
    }
    return std::move(report_);
  }

 private:
  static void end(Moved& moved, Fate fate, std::string note) {
    moved.fate = fate;
    moved.notes.push_back(std::move(note));
    if (fate == Fate::skipped || fate == Fate::broken) moved.to.clear();
  }

  void bring(const SourceFile& file, Moved& moved) {
    if (!file.left_out.empty()) return end(moved, Fate::skipped, file.left_out);
    auto place = place_in_backlog(source_, file.path);
    if (place.target.empty()) return end(moved, Fate::skipped, place.why);
    if (file.is_link) return end(moved, Fate::skipped, "it is a link, or no file");
    if (secret_path(file.path)) return end(moved, Fate::skipped, "its name is that of a secret");
    if (!valid_utf8(file.path)) return end(moved, Fate::broken, "its name is no UTF-8");
    moved.to = place.target;
    auto text = tree_.read(file.path, place.is_task ? DocumentLimits().bytes : kArtifactBytes);
    if (!text) return end(moved, Fate::broken, text.error().message);
    ImportedTask task;
    if (place.is_task) {
      auto read = import_task(source_, place, std::move(*text));
      if (!read) return end(moved, Fate::broken, read.error().message);
      task = std::move(*read);
      if (!settle_id(task, moved)) return;
    } else {
      task.text = std::move(*text);
    }
    write(task, moved);
  }

  // An id counts once, here and in the source. False: this one stays behind.
  bool settle_id(const ImportedTask& task, Moved& moved) {
    const auto [other, fresh] = taken_.try_emplace(task_key(task.id), moved.from);
    if (!fresh) {
      end(moved, Fate::conflict,
          fmt::format("its id {} is also that of {}", task.id, other->second));
      return false;
    }
    const auto there = tasks_.find(task.id);
    if (!there || there->file == moved.to) return true;
    moved.to = there->file;
    const auto bytes = tasks_.bytes_of(*there, DocumentLimits().bytes);
    const bool same = bytes && bytes->text == task.text;
    end(moved, same ? Fate::present : Fate::conflict,
        same ? "already there" : fmt::format("there is another task {}", task.id));
    return false;
  }

  std::optional<TaskFiles::Snapshot> look(const std::string& file) const {
    if (files_) {
      auto read = files_->read(file, kArtifactBytes);
      return read ? std::optional(std::move(*read)) : std::nullopt;
    }
    const auto folder = tasks_.folder();
    auto opened = folder ? folder->root().open_without_links(file) : not_found("");
    if (!opened || !opened->is_regular()) return std::nullopt;
    auto text = read_all(*opened, kArtifactBytes);
    return text ? std::optional(TaskFiles::Snapshot{std::move(*text), opened->info}) : std::nullopt;
  }

  void write(const ImportedTask& task, Moved& moved) {
    auto before = look(moved.to);
    if (before && before->text == task.text) return end(moved, Fate::present, "already there");
    if (before && !words_.replace) {
      return end(moved, Fate::conflict,
                 "already there and different, and left as it is; --replace overwrites it");
    }
    moved.notes = task.mended;
    moved.fate = task.mended.empty() ? Fate::kept : Fate::mended;
    if (before) moved.notes.emplace_back("replaced what was there");
    if (!files_) return;
    const auto done = files_->write({{moved.to, std::move(before), task.text}});
    if (!done) {
      const bool conflict = done.error().code == Code::conflict;
      return end(moved, conflict ? Fate::conflict : Fate::broken, done.error().message);
    }
    tasks_.refresh(moved.to);
  }

  Tasks& tasks_;
  const TaskFiles::Place place_;
  const ImportWords& words_;
  const SourceTree& tree_;
  const BacklogSource& source_;
  std::optional<TaskFiles> files_;            // nothing: of a dry run
  std::map<std::string, std::string> taken_;  // ids by key, and from which file
  TransferReport report_;
};

}  // namespace

Result<TransferReport> import_backlog(const Command& command, const ImportWords& words,
                                      const SourceTree& tree, const std::vector<SourceFile>& files,
                                      const BacklogSource& source) {
  return BacklogImport(command, words, tree, source).run(files);
}

}  // namespace lode
