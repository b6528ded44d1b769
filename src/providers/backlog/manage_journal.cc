// The journal of several changes: see manage_files.h.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/varint.h"
#include "providers/backlog/layout.h"
#include "providers/backlog/manage_files.h"
#include "store/durable_file.h"
#include "store/private_directory.h"

namespace lode {
namespace {

constexpr std::string_view kFormat = "lode backlog journal 1";
constexpr const char* kFile = "backlog-journal";

std::string hash_before(const TaskFiles::Change& change) {
  return change.before ? content_hash(change.before->text) : std::string();
}

// Whoever finishes it takes no more.
Status check_size(const std::vector<TaskFiles::Change>& changes, std::size_t bytes) {
  if (changes.size() <= TaskFiles::kMostChanges && bytes <= TaskFiles::kMostJournalBytes) return {};
  return Error{
      Code::unsupported,
      fmt::format("{} files with {} bytes are too many to be written as one: at most {} "
                  "files and {} bytes are",
                  changes.size(), bytes, TaskFiles::kMostChanges, TaskFiles::kMostJournalBytes),
      {}};
}

}  // namespace

bool TaskFiles::has_journal(const std::string& state) {
  const auto root = Root::open(state);
  return root && root->stamp(kFile) != 0;
}

Status TaskFiles::write_journal(const std::vector<Change>& changes) const {
  if (place_.state.empty()) return {};
  std::size_t bytes = 0;
  for (const auto& change : changes) bytes += change.after ? change.after->size() : 0;
  if (auto fits = check_size(changes, bytes); !fits) return fits;
  std::string text;
  put_text(text, kFormat);
  put_text(text, place_.directory);
  put_varint(text, changes.size());
  for (const auto& change : changes) {
    put_text(text, change.file);
    put_text(text, hash_before(change));
    put_varint(text, change.after ? 1 : 0);
    put_text(text, change.after ? *change.after : change.entry);
  }
  put_text(text, content_hash(text));
  if (auto fits = check_size(changes, text.size()); !fits) return fits;
  auto state = open_private_directory(place_.state);
  if (!state) return std::move(state).error();
  auto written = write_durably(state->get(), kFile, text, 0600);
  if (!written) return std::move(written).error().in("writing the journal");
  return {};
}

void TaskFiles::remove_journal() const {
  if (place_.state.empty()) return;
  auto state = open_private_directory(place_.state);
  if (!state) return;
  ::unlinkat(state->get(), kFile, 0);
  // If it comes back after a crash, it finds its changes made.
  static_cast<void>(sync_directory(state->get()).ok());
}

// Code::unavailable: there is a journal that cannot be read, so that it is not known what
// somebody wanted.
Status TaskFiles::finish_journal() {
  if (place_.state.empty()) return {};
  const auto root = Root::open(place_.state);
  const auto file = root ? root->open_without_links(kFile) : not_found("");
  if (!file || !file->is_regular()) return {};
  auto text = read_all(*file, kMostJournalBytes);
  if (!text) return std::move(text).error().in("reading the journal");
  VarintReader in(*text);
  const bool ours = in.text() == kFormat && in.text() == place_.directory;
  std::vector<Change> changes;
  std::vector<std::string> hashes;
  for (auto n = in.number(kMostChanges); ours && n > 0 && in.ok(); --n) {
    Change change;
    change.file = in.text();
    hashes.emplace_back(in.text());
    const bool stays = in.number(1) == 1;
    const std::string value(in.text());
    if (stays) {
      change.after = value;
    } else {
      change.entry = value;
    }
    changes.push_back(std::move(change));
  }
  const auto covered = text->size() - in.left();
  const bool whole =
      ours && in.ok() && in.text() == content_hash(std::string_view(*text).substr(0, covered));
  // The journal of another directory, as after backlog.dir was changed, waits for that one.
  if (!ours && in.ok()) return {};
  for (std::size_t i = 0; whole && i < changes.size(); ++i) {
    finish(hashes[i], changes[i]);
  }
  remove_journal();
  return {};
}

// What fails here was not acknowledged, and each file stays whole: the old one or the new.
void TaskFiles::finish(std::string_view before_hash, const Change& change) {
  auto now = read(change.file, kMostBytes);
  const bool absent = !now && now.error().code == Code::not_found;
  const bool as_before =
      before_hash.empty() ? absent : now && content_hash(now->text) == before_hash;
  const bool as_after = change.after ? now && now->text == *change.after : absent;
  if (as_after) return;
  Change again = change;
  if (now) again.before = std::move(*now);
  const bool done = as_before && apply(again).ok();
  (done ? recovery_.finished : recovery_.left).push_back(change.file);
}

}  // namespace lode
