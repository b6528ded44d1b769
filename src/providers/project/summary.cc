#include "providers/project/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/tokens.h"
#include "base/utf8.h"
#include "providers/project/line.h"

namespace lode {
namespace {

constexpr std::size_t kMostItems = 12;  // of any list
constexpr std::size_t kMostWord = 80;   // bytes of a name or a version
constexpr std::size_t kLeastWord = 20;  // where the page would be too long

std::string in_bytes(std::uint64_t size) {
  if (size < 1024) return fmt::format("{} B", size);
  const auto kib = static_cast<double>(size) / 1024;
  return kib < 1024 ? fmt::format("{:.1f} KiB", kib) : fmt::format("{:.1f} MiB", kib / 1024);
}

// Nothing for a time that no calendar has room for.
std::string date_of(std::chrono::sys_seconds time) {
  using namespace std::chrono;
  constexpr auto kLast = sys_days(year(9999) / 12 / 31);
  if (time < sys_seconds() || time > kLast) return "";
  const year_month_day day(floor<days>(time));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

// One page, with lists of at most so many items.
class SummaryPage {
 public:
  SummaryPage(const ProjectFacts& facts, std::size_t most)
      : facts_(facts),
        most_(most),
        word_bytes_(std::max(kLeastWord, kMostWord * most / kMostItems)) {}

  std::string write() {
    out_ = fmt::format("# {}{}\n", word(facts_.name), own_name());
    if (!facts_.about.empty()) {
      out_ += fmt::format("\n{}\n", one_line(facts_.about, 6 * word_bytes_));
    }
    overview();
    languages();
    building();
    entry_points();
    dependencies();
    git();
    largest();
    return std::move(out_);
  }

 private:
  // What the manifest at the top calls it, if that is another name.
  std::string own_name() const {
    for (const auto& manifest : facts_.manifests) {
      const bool top = manifest.path.find('/') == std::string::npos;
      if (top && !manifest.name.empty() && manifest.name != facts_.name) {
        return " (" + word(manifest.name) + ")";
      }
    }
    return "";
  }

  // A name: what cannot be seen in it is shown, so that it can be told from others.
  std::string word(std::string_view text) const { return cut_text(visible(text), word_bytes_); }
  std::string phrase(std::string_view text) const { return one_line(text, 2 * word_bytes_); }

  void line(const std::string& text) { out_.append(text).append("\n"); }
  void heading(std::string_view title) { out_ += fmt::format("\n## {}\n", title); }
  void left_out(std::size_t all, std::string_view what) {
    if (all > most_) line(fmt::format("- … {} more {}", grouped(all - most_), what));
  }

  void overview() {
    line(fmt::format("\n{}, {}{}", counted(facts_.files, "file", "files"),
                     counted(facts_.directories, "directory", "directories"),
                     facts_.complete ? "" : ", and more than a walk takes in"));
    if (facts_.uncounted > 0) {
      line(fmt::format("There was no time to look into {}: read again for those.",
                       counted(facts_.uncounted, "file", "files")));
    }
  }

  void languages() {
    if (facts_.languages.empty()) return;
    heading("Languages");
    std::uint64_t all = 0;
    for (const auto& language : facts_.languages) all += language.lines;
    for (std::size_t i = 0; i < std::min(most_, facts_.languages.size()); ++i) {
      const auto& [name, files, lines, in_depth] = facts_.languages[i];
      const double share =
          all == 0 ? 0 : 100 * static_cast<double>(lines) / static_cast<double>(all);
      line(fmt::format("- {}: {}, {} ({:.1f} %)", name, counted(files, "file", "files"),
                       counted(lines, "line", "lines"), share));
    }
    left_out(facts_.languages.size(), "languages");
    languages_in_depth();
    if (facts_.too_long > 0) {
      line(fmt::format("- {} too long to count lines",
                       counted(facts_.too_long, "file is", "files are")));
    }
  }

  void languages_in_depth() {
    std::string names;
    for (std::size_t i = 0; i < std::min(most_, facts_.languages.size()); ++i) {
      const auto& language = facts_.languages[i];
      if (language.in_depth) names += (names.empty() ? "" : ", ") + std::string(language.name);
    }
    line(names.empty() ? "None of these is read in depth: there are no symbols."
                       : "Read in depth (symbols, references, queries): " + names);
  }

  void building() {
    if (facts_.manifests.empty() && facts_.foreign_manifests == 0) return;
    heading("Build");
    if (!facts_.manifests.empty()) commands();
    if (facts_.foreign_manifests > 0) {
      line(fmt::format("- left out: {} in fixtures and vendored trees",
                       counted(facts_.foreign_manifests, "manifest", "manifests")));
    }
  }

  void commands() {
    std::set<std::string> systems;
    for (const auto& manifest : facts_.manifests) systems.insert(manifest.system);
    std::string names;
    std::size_t all = 0;
    for (const auto& system : systems) {
      if (all++ < most_) names += (names.empty() ? "" : ", ") + word(system);
    }
    line(all > most_ ? names + ", …" : names);
    all = 0;
    for (const auto& manifest : facts_.manifests) {
      for (const auto& command : manifest.commands) {
        if (++all > most_) continue;
        line(fmt::format("- {}: `{}` ({})", command.purpose, phrase(command.text),
                         word(manifest.path)));
      }
    }
    left_out(all, "commands");
    problems();
  }

  void problems() {
    std::size_t all = 0;
    for (const auto& manifest : facts_.manifests) {
      if (manifest.problem.empty() || ++all > most_) continue;
      line(fmt::format("- {}: cannot be read: {}", word(manifest.path), phrase(manifest.problem)));
    }
    left_out(all, "manifests that cannot be read");
  }

  void entry_points() {
    if (facts_.entry_points.empty()) return;
    heading("Entry points");
    for (std::size_t i = 0; i < std::min(most_, facts_.entry_points.size()); ++i) {
      const auto& [what, from] = facts_.entry_points[i];
      line("- " + word(what) + (from.empty() ? "" : " (" + word(from) + ")"));
    }
    left_out(facts_.entry_points.size(), "entry points");
  }

  std::string names(const std::vector<Dependency>& list) const {
    std::string text;
    for (std::size_t i = 0; i < std::min(most_, list.size()); ++i) {
      text += text.empty() ? "" : ", ";
      text += word(list[i].name);
      if (!list[i].version.empty()) text += " " + word(list[i].version);
    }
    return list.size() > most_ ? text + ", …" : text;
  }

  void dependencies() {
    std::size_t all = 0;
    for (const auto& manifest : facts_.manifests) {
      if (manifest.dependencies.empty() && manifest.development.empty()) continue;
      if (all == 0) heading("Dependencies");
      if (++all > std::max<std::size_t>(most_ / 2, 1)) continue;
      std::string text = "- " + word(manifest.path) + ": ";
      text += counted(manifest.dependencies.size(), "dependency", "dependencies");
      if (!manifest.dependencies.empty()) text += ": " + names(manifest.dependencies);
      if (!manifest.development.empty()) {
        text += fmt::format("; {} for development: {}", grouped(manifest.development.size()),
                            names(manifest.development));
      }
      line(text);
    }
    const auto shown = std::max<std::size_t>(most_ / 2, 1);
    if (all > shown) line(fmt::format("- … {} more manifests with dependencies", all - shown));
    if (facts_.more_manifests > 0) {
      line(fmt::format("- {} further down not read",
                       counted(facts_.more_manifests, "manifest is", "manifests are")));
    }
  }

  void git() {
    if (!facts_.git_problem.empty()) line("\n## Git\n" + phrase(facts_.git_problem));
    if (!facts_.head) return;
    heading("Git");
    const auto& head = *facts_.head;
    std::string text = head.branch.empty() ? "Detached head" : "Branch " + word(head.branch);
    if (head.bare) text += " of a bare repository";
    if (head.id.empty()) return line(text + ", no commit yet");
    const auto date = date_of(head.time);
    line(fmt::format("{}, head {}{}{}: {}", text, head.id.substr(0, 12), date.empty() ? "" : " of ",
                     date, phrase(head.subject)));
    if (facts_.history) history(*facts_.history);
  }

  void history(const ProjectFacts::History& history) {
    if (history.changed.empty() && !history.in_memory) {
      return line("Its history takes too much memory to be read.");
    }
    if (history.changed.empty()) return;
    const auto* cut = !history.in_time     ? " (there was no time for more)"
                      : !history.in_memory ? " (more takes too much memory to be read)"
                                           : "";
    std::string text = fmt::format(
        "Most changed in the last {}{}:", counted(history.commits, "commit", "commits"), cut);
    for (std::size_t i = 0; i < std::min(most_, history.changed.size()); ++i) {
      text += fmt::format("{} {} ({})", i == 0 ? "" : ",", word(history.changed[i].path),
                          history.changed[i].commits);
    }
    line(text);
  }

  void largest() {
    if (facts_.largest.empty()) return;
    heading("Largest files");
    for (std::size_t i = 0; i < std::min(most_, facts_.largest.size()); ++i) {
      line(fmt::format("- {} {}", word(facts_.largest[i].path), in_bytes(facts_.largest[i].size)));
    }
  }

  const ProjectFacts& facts_;
  const std::size_t most_;
  const std::size_t word_bytes_;
  std::string out_;
};

}  // namespace

std::string summary_page(const ProjectFacts& facts) {
  const auto tokenizer = Tokenizer::o200k();
  for (std::size_t most = kMostItems;; most /= 2) {
    auto page = SummaryPage(facts, most).write();
    if (most == 1 || tokenizer.count(page) <= kSummaryTokens) return page;
  }
}

}  // namespace lode
