#include "providers/code/symbol_index.h"

#include <algorithm>
#include <deque>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/heap.h"
#include "base/varint.h"
#include "providers/code/address.h"
#include "workspace/changes.h"
#include "workspace/path_role.h"

namespace lode {
namespace {

constexpr int kNice = 10;
constexpr std::size_t kMany = 256;  // files that were looked at: worth saving
constexpr std::chrono::seconds kTellEvery{2};
constexpr std::size_t kOfOnePath = 16;  // symbols of a file: more would crowd out all others

// What symbols are worth among those with the same words (search/index.h), as percentages:
// near enough to each other that an exact name comes first whatever it names.
constexpr unsigned kOfType = 100;
constexpr unsigned kOfFunction = 95;
constexpr unsigned kOfValue = 90;
constexpr unsigned kOfMember = 85;
constexpr unsigned kOfText = 75;  // headings, rules of style sheets
// And their files.
constexpr unsigned kInTests = 75;
constexpr unsigned kInMinified = 20;
constexpr std::size_t kMinifiedLine = 400;  // bytes, on average

bool is_type(SymbolKind kind) {
  return (has_members(kind) && kind != SymbolKind::implementation) || kind == SymbolKind::type;
}

unsigned worth_of_kind(const Outline& outline, const Symbol& symbol) {
  if (symbol.parent != kNoSymbol && has_members(outline.symbols[symbol.parent].kind)) {
    return is_type(symbol.kind) ? kOfFunction : kOfMember;
  }
  if (is_type(symbol.kind)) return kOfType;
  switch (symbol.kind) {
    case SymbolKind::section:
    case SymbolKind::element:
    case SymbolKind::rule: return kOfText;
    case SymbolKind::implementation: return kOfMember;
    case SymbolKind::constant:
    case SymbolKind::variable: return kOfValue;
    default: return symbol.scope.empty() ? kOfFunction : kOfMember;
  }
}

unsigned worth_of_file(std::string_view path, const Outline& outline) {
  const std::size_t lines = std::max<std::size_t>(outline.lines, 1);
  if (is_minified_name(path) || outline.text.size() / lines > kMinifiedLine) return kInMinified;
  return is_test_path(path) || is_fixture_path(path) ? kInTests : 100;
}

std::uint8_t worth_of(const Outline& outline, const Symbol& symbol, unsigned of_file) {
  return static_cast<std::uint8_t>(worth_of_kind(outline, symbol) * of_file / 100);
}

// Whether the file may have symbols, as far as its name tells.
bool may_have_symbols(std::string_view path) {
  if (const auto* language = language_of(path, "")) return !language->data;
  return last_name(path).find('.') == std::string_view::npos;  // a script names its interpreter
}

Follower::Options follower_options(const Workspace& workspace, const SymbolIndex::Limits& limits) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  Follower::Options options;
  options.trees = workspace.trees().size();
  options.threads = limits.threads == 0 ? processors : limits.threads;
  options.nice = kNice;
  return options;
}

}  // namespace

SymbolIndex::SymbolIndex(const Parts& parts) : SymbolIndex(parts, Limits()) {}

SymbolIndex::SymbolIndex(const Parts& parts, const Limits& limits)
    : workspace_(parts.workspace),
      outlines_(parts.outlines),
      index_(parts.index),
      log_(parts.log),
      limits_(limits),
      follower_(*this, parts.log, follower_options(parts.workspace, limits)) {}

SymbolIndex::~SymbolIndex() { stop(); }

void SymbolIndex::start(std::string directory, Rest* rest) {
  directory_ = std::move(directory);
  follower_.start(rest);
}

void SymbolIndex::request_stop() { follower_.request_stop(); }

void SymbolIndex::stop() {
  if (follower_.stop()) save();
}

// ---- what is told ----

void SymbolIndex::look_through() { follower_.look_through(); }

void SymbolIndex::saw(const Workspace::Tree& tree, const Snapshot& snapshot) {
  follower_.saw(number_of(tree), snapshot);
}

void SymbolIndex::changed(const Workspace::Tree& tree, const Changes& changes) {
  follower_.changed(number_of(tree), changes);
}

SymbolIndex::Progress SymbolIndex::progress_of(const Follower::Progress& follower) const {
  Progress progress;
  progress.waiting = follower.waiting;
  progress.swept = follower.swept;
  const Lock lock(mutex_);
  progress.files = known_.size();
  progress.symbols = symbols_;
  return progress;
}

SymbolIndex::Progress SymbolIndex::progress() const { return progress_of(follower_.progress()); }

SymbolIndex::Progress SymbolIndex::wait(std::chrono::steady_clock::time_point until) const {
  return progress_of(follower_.wait(until));
}

void SymbolIndex::count_file() {
  const auto now = std::chrono::steady_clock::now();
  std::size_t looked_at = 0;
  {
    const Lock lock(mutex_);
    if (looked_at_++ == 0) told_ = now;
    if (now - told_ < kTellEvery) return;
    told_ = now;
    looked_at = looked_at_;
  }
  log_.info("looking for symbols", {{"files", std::to_string(looked_at)},
                                    {"files_left", std::to_string(follower_.progress().waiting)}});
}

void SymbolIndex::settled(const Settled& settled) {
  if (heard_ && (settled.looked_at > 0 || !settled.told.empty())) heard_(settled.told);
  if (!settled.swept) return;
  std::size_t looked_at = 0;
  {
    const Lock lock(mutex_);
    looked_at = std::exchange(looked_at_, 0);
  }
  if (looked_at == 0) return;
  const auto state = progress();
  log_.info("symbols are known", {{"files", std::to_string(state.files)},
                                  {"symbols", std::to_string(state.symbols)},
                                  {"looked_at", std::to_string(looked_at)},
                                  {"ms", std::to_string(settled.took.count())}});
  if (looked_at < kMany) return;
  outlines_.flush();
  save();
  trim_heap();
}

// ---- files ----

std::shared_ptr<const FollowedTree> SymbolIndex::open(std::size_t which,
                                                      const Watcher::Callback& /*changed*/) {
  auto& tree = workspace_.trees()[which];
  return std::make_shared<FollowedTree>(tree.root, PathFilter{tree.ignore, workspace_.secrets()});
}

std::size_t SymbolIndex::number_of(const Workspace::Tree& tree) const {
  const auto& trees = workspace_.trees();
  const auto found = std::find_if(trees.begin(), trees.end(),
                                  [&](const Workspace::Tree& item) { return &item == &tree; });
  return static_cast<std::size_t>(found - trees.begin());
}

std::string SymbolIndex::name_of(const FilePlace& place) const {
  return workspace_.short_name({&workspace_.trees()[place.tree], place.path});
}

FileReader::Standing SymbolIndex::standing(const FilePlace& place, std::uint64_t stamp) {
  const auto name = name_of(place);
  {
    const Lock lock(mutex_);
    const auto known = known_.find(name);
    if (known != known_.end()) {
      return known->second.stamp == stamp ? Standing::current : Standing::outdated;
    }
  }
  return may_have_symbols(name) ? Standing::unknown : Standing::unwanted;
}

std::size_t SymbolIndex::known_files() const {
  const Lock lock(mutex_);
  return known_.size();
}

void SymbolIndex::each_known(std::size_t which, std::string_view directory,
                             const Visit& visit) const {
  const auto begin = name_of({which, ""});
  const auto above = name_of({which, std::string(directory)});
  const Lock lock(mutex_);
  for (const auto& [name, known] : known_) {
    if (!is_within(name, above)) continue;
    visit(std::string_view(name).substr(begin.empty() ? 0 : begin.size() + 1));
  }
}

bool SymbolIndex::read(const FilePlace& place, const OpenFile& file) {
  count_file();
  const auto name = name_of(place);
  const auto stamp = stamp_of(file.info);
  if (standing(place, stamp) == Standing::current) return true;
  const auto text = read_all(file, limits_.file_bytes);
  const auto* language = text ? language_of(name, *text) : nullptr;
  if (language == nullptr || language->data) {
    keep(name, stamp, nullptr);
    return true;
  }
  const auto outline = outlines_.of(*language, *text);
  // What says nothing of the file must not be kept as if it did.
  if (!outline && outline.error().code == Code::cancelled) return false;
  if (outline || outline.error().code != Code::unavailable) {
    keep(name, stamp, outline ? &*outline : nullptr);
  }
  outlines_.write_batch();
  return true;
}

void SymbolIndex::forget(const FilePlace& place) {
  count_file();
  forget_name(name_of(place));
}

void SymbolIndex::forget_name(const std::string& name) {
  {
    const Lock lock(mutex_);
    if (!known_.contains(name)) return;
  }
  keep(name, 0, nullptr);
  const Lock lock(mutex_);
  known_.erase(name);
}

SymbolIndex::Known SymbolIndex::put(const std::string& path, std::uint64_t stamp,
                                    const Outline& outline,
                                    std::unordered_set<std::string>& selectors) {
  const auto prefix = symbol_uri(path, "");
  const auto file_worth = worth_of_file(path, outline);
  std::deque<std::string> texts;  // that the documents refer to
  std::vector<Index::Document> documents;
  std::vector<const std::string*> put_selectors;
  std::unordered_map<std::string_view, std::size_t> of_path;
  const auto all = symbol_selectors(outline);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& symbol = outline.symbols[i];
    if (symbol.kind == SymbolKind::key) continue;
    const auto& title = texts.emplace_back(outline.path(symbol));
    if (++of_path[title] > kOfOnePath) continue;
    const auto [selector, is_new] = selectors.insert(all[i]);
    if (!is_new) continue;
    const auto& key = texts.emplace_back(prefix + encode_component(*selector));
    const auto& comment = texts.emplace_back(outline.doc(symbol));
    documents.push_back({.key = key,
                         .kind = "symbol",
                         .title = title,
                         .body = comment,
                         .stamp = stamp,
                         .name = symbol.name,
                         .worth = worth_of(outline, symbol, file_worth)});
    put_selectors.push_back(&*selector);
  }
  Known known{stamp, {}, 0};
  const auto put = index_.put_all(documents);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (!put[i]) continue;
    put_text(known.symbols, *put_selectors[i]);
    ++known.count;
  }
  known.symbols.shrink_to_fit();
  return known;
}

void SymbolIndex::keep(const std::string& name, std::uint64_t stamp, const Outline* outline) {
  Known now{stamp, {}, 0};
  std::unordered_set<std::string> selectors;
  if (outline != nullptr) now = put(name, stamp, *outline, selectors);
  Known before;
  {
    const Lock lock(mutex_);
    auto& known = known_[name];
    symbols_ += now.count - known.count;
    changed_since_saved_ = true;
    before = std::exchange(known, std::move(now));
  }
  const auto prefix = symbol_uri(name, "");
  for (VarintReader reader(before.symbols); !reader.at_end();) {
    const std::string symbol(reader.text());
    if (!selectors.contains(symbol)) index_.remove(prefix + encode_component(symbol));
  }
}

}  // namespace lode
