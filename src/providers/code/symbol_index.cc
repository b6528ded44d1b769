#include "providers/code/symbol_index.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "base/varint.h"
#include "providers/code/address.h"
#include "workspace/paths.h"
#include "workspace/sweep.h"

namespace lode {
namespace {

constexpr int kNice = 10;
constexpr std::size_t kMany = 256;  // files that were looked at: worth saving
constexpr std::chrono::seconds kTellEvery{2};

// Whether the file may have symbols, as far as its name tells.
bool may_have_symbols(std::string_view path) {
  if (const auto* language = language_of(path, "")) return !language->data;
  return last_name(path).find('.') == std::string_view::npos;  // a script names its interpreter
}

}  // namespace

SymbolIndex::SymbolIndex(const Parts& parts) : SymbolIndex(parts, Limits()) {}

SymbolIndex::SymbolIndex(const Parts& parts, const Limits& limits)
    : workspace_(parts.workspace),
      outlines_(parts.outlines),
      index_(parts.index),
      log_(parts.log),
      limits_(limits) {}

SymbolIndex::~SymbolIndex() { stop(); }

// ---- threads ----

void SymbolIndex::start(std::string directory, Rest* rest) {
  const Lock lock(mutex_);
  directory_ = std::move(directory);
  begun_ = told_ = std::chrono::steady_clock::now();
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t count = limits_.threads == 0 ? processors : limits_.threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads_.emplace_back([this, i, rest](const std::stop_token& stop) {
      ::setpriority(PRIO_PROCESS, 0, kNice);  // on Linux: of this thread alone
      if (i == 0 && rest != nullptr) rest->take(stop);
      if (i == 0) begin(stop);
      run(i % 2 == 0 ? End::front : End::back, stop);
    });
  }
}

// The other threads wait for this.
void SymbolIndex::begin(const std::stop_token& stop) {
  if (stop.stop_requested()) return;
  if (auto loaded = load(); !loaded && loaded.error().code != Code::not_found) {
    log_.info("made anew", {{"what", "the index of symbols"}, {"problem", loaded.error().message}});
  }
  std::vector<std::pair<Workspace::Tree*, Snapshot>> seen;
  {
    const Lock lock(mutex_);
    loaded_ = true;
    seen = std::exchange(seen_, {});
  }
  for (const auto& [tree, snapshot] : seen) saw(*tree, snapshot);
  wake_.notify_all();
}

void SymbolIndex::request_stop() {
  {
    const Lock lock(mutex_);
    for (auto& thread : threads_) thread.request_stop();
  }
  wake_.notify_all();
}

void SymbolIndex::stop() {
  std::vector<std::jthread> threads;
  {
    const Lock lock(mutex_);
    threads = std::move(threads_);
    threads_.clear();
    for (auto& thread : threads) thread.request_stop();
  }
  wake_.notify_all();
  if (threads.empty()) return;
  threads.clear();  // waits
  save();
}

void SymbolIndex::run(End end, const std::stop_token& stop) {
  while (auto task = next(end, stop)) {
    if (task->tree != nullptr) {
      sweep_again(*task->tree, stop);
      continue;
    }
    {
      const ReadLock working(working_);
      if (!look_at(task->path)) return;
    }
    outlines_.write_batch();
    if (!done(task->path)) continue;
    outlines_.flush();
    save();
  }
}

std::optional<SymbolIndex::Task> SymbolIndex::next(End end, const std::stop_token& stop) {
  const Lock lock(mutex_);
  // A tree may be looked through before what an earlier run left is known.
  while (to_sweep_.empty() && (!loaded_ || waiting_.empty()) && !stop.stop_requested()) {
    wake_.wait(mutex_);
  }
  if (stop.stop_requested()) return std::nullopt;
  Task task;
  if (!to_sweep_.empty()) {
    task.tree = to_sweep_.extract(to_sweep_.begin()).value();
    ++sweeping_;
    return task;
  }
  if (end == End::front) {
    task.path = std::move(waiting_.front());
    waiting_.pop_front();
  } else {
    task.path = std::move(waiting_.back());
    waiting_.pop_back();
  }
  queued_.erase(task.path);
  looked_at_.insert(task.path);
  return task;
}

bool SymbolIndex::done(const std::string& path) {
  const Lock lock(mutex_);
  looked_at_.erase(path);
  if (again_.erase(path) > 0) queue(path);
  ++looked_at_since_;
  const auto now = std::chrono::steady_clock::now();
  const auto state = progress_now();
  if (!state.complete()) {
    if (now - told_ < kTellEvery) return false;
    told_ = now;
    log_.info("looking for symbols", {{"files", std::to_string(looked_at_since_)},
                                      {"files_left", std::to_string(state.waiting)}});
    return false;
  }
  wake_.notify_all();  // somebody may wait for this
  const auto looked_at = std::exchange(looked_at_since_, 0);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(now - begun_);
  log_.info("symbols are known", {{"files", std::to_string(state.files)},
                                  {"symbols", std::to_string(state.symbols)},
                                  {"looked_at", std::to_string(looked_at)},
                                  {"ms", std::to_string(took.count())}});
  return looked_at >= kMany;
}

void SymbolIndex::queue(const std::string& path) {
  if (looked_at_.contains(path)) {
    again_.insert(path);
    return;
  }
  if (!queued_.insert(path).second) return;
  if (progress_now().waiting == 0) begun_ = std::chrono::steady_clock::now();
  waiting_.push_back(path);
  wake_.notify_all();
}

void SymbolIndex::queue_below(const std::string& path) {
  std::vector<std::string> below;
  for (const auto& [name, known] : known_) {
    if (path.empty() ||
        (name.starts_with(path) && name.size() > path.size() && name[path.size()] == '/')) {
      below.push_back(name);
    }
  }
  for (const auto& name : below) queue(name);
}

// ---- what is told ----

void SymbolIndex::saw(Workspace::Tree& tree, const Snapshot& snapshot) {
  const Lock lock(mutex_);
  compare(tree, snapshot);
}

void SymbolIndex::compare(Workspace::Tree& tree, const Snapshot& snapshot) {
  auto prefix = workspace_.short_name({&tree, ""});
  if (!prefix.empty()) prefix += '/';
  if (!loaded_) {
    seen_.emplace_back(&tree, snapshot);
    return;
  }
  std::size_t still_there = 0;
  for (std::size_t i = 0; i < snapshot.size(); ++i) {
    const auto& state = snapshot.state(i);
    if (!S_ISREG(state.mode)) continue;
    const auto path = std::string(prefix).append(snapshot.path(i));
    const auto known = known_.find(path);
    if (known != known_.end()) ++still_there;
    const bool differs =
        known == known_.end() ? may_have_symbols(path) : known->second.stamp != state.stamp;
    if (differs) queue(path);
  }
  if (snapshot.complete() && still_there < known_.size()) queue_gone(prefix, snapshot);
  swept_.insert(&tree);
  wake_.notify_all();
}

void SymbolIndex::queue_gone(const std::string& prefix, const Snapshot& snapshot) {
  std::vector<std::string> gone;
  for (const auto& [path, known] : known_) {
    if (!path.starts_with(prefix)) continue;
    if (snapshot.find(std::string_view(path).substr(prefix.size())) == nullptr) {
      gone.push_back(path);
    }
  }
  for (const auto& path : gone) queue(path);
}

void SymbolIndex::look_through() {
  const Lock lock(mutex_);
  for (auto& tree : workspace_.trees()) to_sweep_.insert(&tree);
  wake_.notify_all();
}

void SymbolIndex::sweep_again(Workspace::Tree& tree, const std::stop_token& stop) {
  const auto seen = sweep(tree.root, PathFilter{tree.ignore, workspace_.secrets()}, stop);
  if (!seen && !stop.stop_requested()) {
    log_.warning("the workspace was not looked through", {{"problem", seen.error().message}});
  }
  const Lock lock(mutex_);
  --sweeping_;
  if (stop.stop_requested()) return;
  const Snapshot nothing;  // where there is nothing to see, nobody need wait for it
  compare(tree, seen ? *seen : nothing);
}

void SymbolIndex::changed(Workspace::Tree& tree, const Changes& changes) {
  const auto name = [&](const std::string& relative) {
    return workspace_.short_name({&tree, relative});
  };
  const Lock lock(mutex_);
  if (changes.everything) to_sweep_.insert(&tree);
  if (changes.root_gone) queue_below(name(""));
  for (const auto& path : changes.trees) queue_below(name(path));
  for (const auto& path : changes.paths) {
    // Other files may be ignored now, or no longer.
    if (last_name(path) == ".gitignore") to_sweep_.insert(&tree);
    const auto known = name(path);
    if (may_have_symbols(path) || known_.contains(known)) queue(known);
  }
  if (!to_sweep_.empty()) wake_.notify_all();
}

SymbolIndex::Progress SymbolIndex::progress_now() const {
  Progress progress;
  progress.files = known_.size();
  progress.symbols = symbols_;
  progress.waiting = waiting_.size() + looked_at_.size() + to_sweep_.size() + sweeping_;
  progress.swept = swept_.size() == workspace_.trees().size();
  return progress;
}

SymbolIndex::Progress SymbolIndex::progress() const {
  const Lock lock(mutex_);
  return progress_now();
}

SymbolIndex::Progress SymbolIndex::wait(std::chrono::steady_clock::time_point until) const {
  const Lock lock(mutex_);
  while (!progress_now().complete() && wake_.wait_until(mutex_, until)) {
  }
  return progress_now();
}

// ---- files ----

std::optional<OpenFile> SymbolIndex::open(const std::string& path) const {
  const auto place = workspace_.find_short(path);
  if (!place || place->tree->ignore.ignored(place->relative, false)) return std::nullopt;
  auto file = place->tree->root.open_without_links(place->relative);
  if (!file || !file->is_regular()) return std::nullopt;
  return std::move(*file);
}

bool SymbolIndex::look_at(const std::string& path) {
  const auto file = open(path);
  if (!file) {
    forget(path);
    return true;
  }
  const auto stamp = stamp_of(file->info);
  {
    const Lock lock(mutex_);
    const auto known = known_.find(path);
    if (known != known_.end() && known->second.stamp == stamp) return true;
  }
  const auto text = read_all(*file, limits_.file_bytes);
  const auto* language = text ? language_of(path, *text) : nullptr;
  if (language == nullptr || language->data) {
    keep(path, stamp, nullptr);
    return true;
  }
  const auto outline = outlines_.of(*language, *text);
  // What says nothing of the file must not be kept as if it did.
  if (!outline && outline.error().code == Code::cancelled) return false;
  if (!outline && outline.error().code == Code::unavailable) return true;
  keep(path, stamp, outline ? &*outline : nullptr);
  return true;
}

void SymbolIndex::forget(const std::string& path) {
  {
    const Lock lock(mutex_);
    if (!known_.contains(path)) return;
  }
  keep(path, 0, nullptr);
  const Lock lock(mutex_);
  known_.erase(path);
}

SymbolIndex::Known SymbolIndex::put(const std::string& path, std::uint64_t stamp,
                                    const Outline& outline,
                                    std::unordered_set<std::string>& names) {
  const auto prefix = symbol_uri(path, "");
  std::deque<std::string> texts;  // that the documents refer to
  std::vector<Index::Document> documents;
  for (const auto& symbol : outline.symbols) {
    if (symbol.kind == SymbolKind::key) continue;
    const auto [name, is_new] = names.insert(outline.path(symbol));
    if (!is_new) continue;
    const auto& key = texts.emplace_back(prefix + encode_component(*name));
    const auto& comment = texts.emplace_back(outline.doc(symbol));
    documents.push_back(
        {.key = key, .kind = "symbol", .title = *name, .body = comment, .stamp = stamp});
  }
  Known known{stamp, {}, 0};
  const auto put = index_.put_all(documents);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (!put[i]) continue;
    put_text(known.symbols, documents[i].title);
    ++known.count;
  }
  known.symbols.shrink_to_fit();
  return known;
}

void SymbolIndex::keep(const std::string& path, std::uint64_t stamp, const Outline* outline) {
  Known now{stamp, {}, 0};
  std::unordered_set<std::string> names;
  if (outline != nullptr) now = put(path, stamp, *outline, names);
  Known before;
  {
    const Lock lock(mutex_);
    auto& known = known_[path];
    symbols_ += now.count - known.count;
    changed_since_saved_ = true;
    before = std::exchange(known, std::move(now));
  }
  const auto prefix = symbol_uri(path, "");
  for (VarintReader reader(before.symbols); !reader.at_end();) {
    const std::string name(reader.text());
    if (!names.contains(name)) index_.remove(prefix + encode_component(name));
  }
}

}  // namespace lode
