#include "providers/project/facts.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "providers/project/readme.h"
#include "workspace/path_role.h"

namespace lode {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = Survey::Kind;

constexpr std::chrono::seconds kMostTime{30};
constexpr std::size_t kMaxReadme = 1024 * 1024;
constexpr std::size_t kMostKept = 64;  // of entry points, large and changed files
constexpr std::size_t kProgressEvery = 1024;

std::size_t depth_of(std::string_view path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
}

// How vendored trees and the fixtures of tests are built is not how the project is.
bool is_own(std::string_view path) { return !is_vendored_path(path) && !is_fixture_path(path); }

Error cancelled() { return {Code::cancelled, "the reading was given up", {}}; }

class Gathering {
 public:
  Gathering(const FactSources& sources, const Workspace::Place& place, const Survey& survey,
            const Exchange& exchange)
      : sources_(sources),
        root_(place.tree->root),
        directory_(place.relative),
        survey_(survey),
        exchange_(exchange),
        begun_(Clock::now()),
        time_(std::min<Clock::duration>(exchange.deadline - begun_, kMostTime)) {}

  Result<ProjectFacts> run(const std::optional<std::string>& git) {
    facts_.files = survey_.count(Kind::file);
    facts_.directories = survey_.count(Kind::directory);
    facts_.complete = survey_.complete();
    read_about();
    read_manifests();
    name_programs();
    if (!count_files()) return cancelled();
    if (git) ask_git(*git);
    if (exchange_.stop.stop_requested()) return cancelled();
    return std::move(facts_);
  }

 private:
  // When so many tenths of the time are over.
  Clock::time_point tenths(int part) const { return begun_ + time_ * part / 10; }

  std::string from_root(std::string_view path) const { return join_path(directory_, path); }

  Result<std::string> text_of(std::string_view path, std::size_t most) const {
    const auto file = root_.open_without_links(from_root(path));
    if (!file) return file.error();
    return read_all(*file, most);
  }

  void read_about() {
    for (const auto& item : survey_.items()) {
      if (item.kind != Kind::file || depth_of(item.path) > 0 || !is_readme(item.path)) continue;
      const auto text = text_of(item.path, kMaxReadme);
      if (text) facts_.about = first_paragraph(*text);
      if (!facts_.about.empty()) return;
    }
  }

  void read_manifests() {
    std::vector<std::string_view> paths;
    for (const auto& item : survey_.items()) {
      if (item.kind != Kind::file || !is_manifest(last_name(item.path))) continue;
      if (is_own(item.path)) {
        paths.push_back(item.path);
      } else {
        ++facts_.foreign_manifests;
      }
    }
    std::stable_sort(paths.begin(), paths.end(), [](std::string_view a, std::string_view b) {
      return depth_of(a) < depth_of(b);
    });
    const std::size_t read = std::min(paths.size(), kMostManifests);
    facts_.more_manifests = paths.size() - read;
    for (std::size_t i = 0; i < read; ++i) facts_.manifests.push_back(manifest(paths[i]));
  }

  ManifestFacts manifest(std::string_view path) const {
    const auto text = text_of(path, kMaxManifest);
    const auto beside = [&](std::string_view name) {
      return survey_.find(join_path(parent_path(path), name)) != nullptr;
    };
    auto facts = read_manifest({path, text ? std::string_view(*text) : "", beside});
    if (!text) facts.problem = text.error().message;
    return facts;
  }

  // Entry points that manifests or names tell of.
  void name_programs() {
    for (const auto& manifest : facts_.manifests) {
      for (const auto& what : manifest.entry_points) add_entry(what, manifest.path);
    }
    for (const auto& item : survey_.items()) {
      if (item.kind != Kind::file || !is_own(item.path)) continue;
      const auto name = last_name(item.path);
      const bool page = name == "index.html" && depth_of(item.path) < 2;
      if (name == "__main__.py" || page) add_entry(item.path, "");
    }
  }

  void add_entry(std::string_view what, std::string_view from) {
    auto& known = facts_.entry_points;
    if (known.size() == kMostKept) return;
    const bool told = std::any_of(known.begin(), known.end(),
                                  [&](const auto& entry) { return entry.what == what; });
    if (!told) known.push_back({std::string(what), std::string(from)});
  }

  // False: stopped.
  bool count_files() {
    std::map<std::string_view, ProjectFacts::LanguageLines> languages;
    const auto seen = static_cast<double>(survey_.items().size());
    std::size_t done = 0;
    for (const auto& item : survey_.items()) {
      if (item.kind != Kind::file) continue;
      if (exchange_.stop.stop_requested()) return false;
      if (Clock::now() >= tenths(6)) {
        facts_.uncounted = facts_.files - done;
        break;
      }
      if (++done % kProgressEvery == 0) {
        exchange_.progress.report(seen + static_cast<double>(done),
                                  seen + static_cast<double>(facts_.files), "counting lines");
      }
      add_count(item, languages);
    }
    for (const auto& [name, language] : languages) facts_.languages.push_back(language);
    std::stable_sort(facts_.languages.begin(), facts_.languages.end(),
                     [](const auto& a, const auto& b) { return a.lines > b.lines; });
    keep_largest();
    return true;
  }

  void add_count(const Survey::Item& item,
                 std::map<std::string_view, ProjectFacts::LanguageLines>& languages) {
    const auto count = sources_.counts.of(root_, from_root(item.path), item.stamp);
    if (!count) return;
    facts_.too_long += count->too_long ? 1 : 0;
    facts_.largest.push_back({std::string(item.path), count->size});
    if (facts_.largest.size() == 2 * kMostKept) keep_largest();
    if (count->language.empty()) return;
    auto& language = languages[count->language];
    language.name = count->language;
    language.in_depth = language.in_depth || count->in_depth;
    ++language.files;
    language.lines += count->lines;
    if (count->starts && is_own(item.path)) add_entry(item.path, "");
  }

  void keep_largest() {
    auto& largest = facts_.largest;
    std::sort(largest.begin(), largest.end(), [](const auto& a, const auto& b) {
      return a.size != b.size ? a.size > b.size : a.path < b.path;
    });
    if (largest.size() > kMostKept) largest.resize(kMostKept);
  }

  void ask_git(const std::string& repository) {
    auto head = sources_.git.head(root_, repository);
    if (!head) {
      if (head.error().code == Code::not_found) return;
      facts_.git_problem = head.error().code == Code::unavailable
                               ? "git: not available (" + head.error().message + ")"
                               : head.error().message;
      return;
    }
    facts_.head = std::move(*head);
    const auto history = sources_.git.history(root_, repository, tenths(9), exchange_.stop);
    if (history) take_history(**history, repository);
  }

  // Of the files that are here.
  void take_history(const GitHistory& history, const std::string& repository) {
    ProjectFacts::History kept{history.commits, history.in_time, history.in_memory, {}};
    for (const auto& changed : history.changed) {
      if (kept.changed.size() == kMostKept) break;
      const auto path = join_path(repository, changed.path);
      const std::string base = directory_.empty() ? "" : directory_ + "/";
      if (!path.starts_with(base)) continue;
      const auto* item = survey_.find(std::string_view(path).substr(base.size()));
      if (item == nullptr || item->kind == Kind::directory) continue;
      kept.changed.push_back({std::string(item->path), changed.commits});
    }
    facts_.history = std::move(kept);
  }

  const FactSources& sources_;
  const Root& root_;
  const std::string& directory_;
  const Survey& survey_;
  const Exchange& exchange_;
  const Clock::time_point begun_;
  const Clock::duration time_;
  ProjectFacts facts_;
};

}  // namespace

Result<ProjectFacts> gather_facts(const FactSources& sources, const Workspace::Place& place,
                                  const Survey& survey, const std::optional<std::string>& git,
                                  const Exchange& exchange) {
  return Gathering(sources, place, survey, exchange).run(git);
}

}  // namespace lode
