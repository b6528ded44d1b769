// `lode backlog edit` and `renumber`.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/backlog_command.h"
#include "cli/transfer_commands.h"
#include "providers/backlog/manage_files.h"
#include "store/document.h"

namespace lode {
namespace {

// A copy that an editor works on, in a directory that nobody else can read.
class EditedCopy {
 public:
  static Result<EditedCopy> make(const std::string& name, const std::string& text) {
    const auto base = std::filesystem::temp_directory_path().string();
    std::string pattern = base + "/lode-edit-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      return Error{Code::denied, fmt::format("there can be no copy in {}", base), {}};
    }
    EditedCopy copy(pattern, pattern + "/" + name);
    std::ofstream out(copy.file_, std::ios::binary);
    out << text;
    out.close();
    if (!out) return Error{Code::unavailable, "the copy cannot be written", {}};
    return copy;
  }

  const std::string& file() const { return file_; }

  Result<std::string> read() const {
    const Descriptor opened(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
    OpenFile file{Descriptor(::dup(opened.get()))};
    if (!opened.is_open() || ::fstat(opened.get(), &file.info) != 0 || !file.is_regular()) {
      return not_found("the copy has gone");
    }
    return read_all(file, DocumentLimits().bytes);
  }

  void remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

 private:
  EditedCopy(std::string directory, std::string file)
      : directory_(std::move(directory)), file_(std::move(file)) {}

  std::string directory_;
  std::string file_;
};

// $VISUAL and $EDITOR may have arguments of their own, so a shell takes them apart.
Status run_editor(const std::string& file) {
  const char* editor = std::getenv("VISUAL");
  if (editor == nullptr || *editor == '\0') editor = std::getenv("EDITOR");
  if (editor == nullptr || *editor == '\0') editor = "vi";
  const std::string line = fmt::format("{} \"$1\"", editor);
  const pid_t child = ::fork();
  if (child < 0) return Error{Code::unavailable, "the system gives no more processes", {}};
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", line.c_str(), "sh", file.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Error{Code::unavailable, fmt::format("the editor failed: {}", editor), {}};
}

// What may not be saved, and why.
Status check_edited(const TaskHead& task, const std::string& text) {
  if (!valid_utf8(text)) return invalid("it is no UTF-8 any more");
  if (auto parsed = Document::parse(text, DocumentForm::markdown); !parsed) {
    return std::move(parsed).error().in("it is malformed now");
  }
  const auto read = read_task({task.file, text, text.size(), std::chrono::system_clock::now()});
  if (read.malformed) {
    return invalid(read.problems.empty() ? "it is malformed now" : read.problems.front().text);
  }
  // The name of the file says the id too, and a file that says two is of no use.
  const auto* said = read.fields.if_contains("id");
  const auto* id = said == nullptr ? nullptr : said->if_string();
  if (id != nullptr && task_key({id->data(), id->size()}) != task_key(task.id)) {
    return invalid(fmt::format("its id is {} now, and was {}", std::string_view(*id), task.id));
  }
  return {};
}

Status save(const Command& command, const TaskHead& task, const TaskFiles::Snapshot& before,
            const std::string& text) {
  auto files = TaskFiles::open(command.instance.task_files());
  if (!files) return std::move(files).error();
  auto written = files->write({{task.file, before, text}});
  if (written) command.instance.tasks().refresh(task.file);
  return written;
}

int tell(const Command& command, const std::string& id, bool changed) {
  if (command.json) {
    std::string out;
    JsonWriter(out).begin_object().member("id", id).member("changed", changed).end_object();
    std::printf("%s\n", out.c_str());
  } else {
    std::printf("%s %s\n", visible(id).c_str(), changed ? "saved" : "unchanged");
  }
  return 0;
}

void print_renumbered_json(const TaskManager::Renumbering& plan) {
  std::string out;
  JsonWriter w(out);
  const auto list = [&](std::string_view name, const std::vector<std::string>& files) {
    w.key(name).begin_array();
    for (const auto& file : files) w.value(visible(file));
    w.end_array();
  };
  w.begin_object().member("applied", plan.written).key("renumbered").begin_array();
  for (const auto& each : plan.renumbered) {
    w.begin_object().member("file", visible(each.file)).member("id", each.id);
    w.member("kept", visible(each.kept)).member("new_id", each.new_id);
    w.member("new_file", visible(each.new_file));
    list("followed", each.followed);
    w.end_object();
  }
  w.end_array().key("unclear").begin_array();
  for (const auto& each : plan.unclear) {
    w.begin_object()
        .member("file", visible(each.file))
        .member("line", static_cast<std::int64_t>(each.line));
    w.member("text", visible(each.written)).member("id", each.id);
    w.member_if("kept", visible(each.kept)).end_object();
  }
  w.end_array();
  list("unmerged", plan.unmerged);
  w.end_object();
  std::printf("%s\n", out.c_str());
}

void print_renumbered(const TaskManager::Renumbering& plan) {
  const auto print = [](const std::string& line) { std::printf("%s\n", visible(line).c_str()); };
  for (const auto& each : plan.renumbered) {
    print(fmt::format("{} ({}) becomes {}; {} keeps {}", each.file, each.id, each.new_id, each.kept,
                      each.id));
    for (const auto& file : each.followed) print(fmt::format("  {} follows", file));
  }
  for (const auto& each : plan.unclear) {
    const auto fate = each.kept.empty()
                          ? fmt::format("may mean either task {}", each.id)
                          : fmt::format("may have meant either, and means {} now", each.kept);
    print(fmt::format("{}:{}: {}: {}", each.file, each.line, fate, each.written));
  }
  for (const auto& file : plan.unmerged) {
    print(fmt::format("{} has the conflict of a merge in one task: merge it by hand", file));
  }
  if (plan.renumbered.empty()) print("no id is used twice");
}

// The tasks that --keep may name, where it is needed.
std::string choices(const TaskManager::Renumbering& plan) {
  const auto& each = *std::find_if(
      plan.renumbered.begin(), plan.renumbered.end(), [&](const TaskManager::Renumbered& task) {
        return std::any_of(plan.unclear.begin(), plan.unclear.end(), [&](const auto& mention) {
          return mention.kept.empty() && mention.id == task.id;
        });
      });
  return fmt::format("--keep {} or --keep {}", each.kept, each.file);
}

}  // namespace

int run_backlog_edit(const Command& command, const BacklogWords& words) {
  auto& tasks = command.instance.tasks();
  tasks.load_now();
  const auto& id = words.ids.front();
  const auto task = tasks.find(id);
  if (!task) return report(not_found(fmt::format("there is no task {}", id)), command.json);
  const auto read_now = [&]() -> Result<TaskFiles::Snapshot> {
    auto files = TaskFiles::open(command.instance.task_files());
    if (!files) return std::move(files).error();
    return files->read(task->file, DocumentLimits().bytes);
  };
  const auto before = read_now();
  if (!before) return report(Error(before.error()).in(id), command.json);
  const auto copy = EditedCopy::make(task->file.substr(task->file.rfind('/') + 1), before->text);
  if (!copy) return report(copy.error(), command.json);
  auto done = run_editor(copy->file());
  const auto text = done ? copy->read() : Result<std::string>(Error(done.error()));
  if (text && *text == before->text) {
    copy->remove();
    return tell(command, task->id, false);
  }
  auto saved = text ? check_edited(*task, *text) : Status(Error(text.error()));
  if (saved) saved = save(command, *task, *before, *text);
  if (!saved) {
    auto error = std::move(saved).error().in(fmt::format("{} was not saved", task->id));
    error.message += fmt::format("; what you wrote is in {}", copy->file());
    return report(error, command.json);
  }
  copy->remove();
  return tell(command, task->id, true);
}

int run_backlog_renumber(const Command& command, const BacklogWords& words) {
  const auto plan = command.instance.task_manager().renumber({!words.apply, words.keep});
  if (!plan) return report_usage(plan.error(), command.json);
  if (command.json) {
    print_renumbered_json(*plan);
  } else {
    print_renumbered(*plan);
  }
  const auto undecided =
      std::any_of(plan->unclear.begin(), plan->unclear.end(),
                  [](const TaskManager::Unclear& each) { return each.kept.empty(); });
  if (undecided) {
    std::fprintf(stderr,
                 "nothing was written: say which task keeps its id, and with it the mentions that "
                 "are unclear, by %s; or change these by hand first\n",
                 visible(choices(*plan)).c_str());
  } else if (!plan->renumbered.empty() && !words.apply) {
    std::fprintf(stderr, "nothing was written; --apply does it\n");
  }
  if (undecided) return kFailed;
  return plan->unmerged.empty() ? 0 : kPartly;
}

}  // namespace lode
