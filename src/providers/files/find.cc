#include "providers/files/find.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "providers/files/readable.h"
#include "providers/files/walk.h"
#include "workspace/path_choice.h"

namespace lode {
namespace {

constexpr std::size_t kProgressEvery = 256;  // files

std::string counted(std::size_t number, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", number, number == 1 ? one : several);
}

// A large file that is binary mostly shows it at once, and need not be read.
bool begins_binary(const OpenFile& file) {
  std::array<char, 4096> head{};
  if (file.info.st_size <= static_cast<off_t>(head.size())) return false;
  const auto size = ::pread(file.descriptor.get(), head.data(), head.size(), 0);
  return size > 0 && is_binary({head.data(), static_cast<std::size_t>(size)});
}

// One call: what it looks for, and what it has found so far.
class Search {
 public:
  Search(const Workspace& workspace, const Exchange& exchange, const FileGate& gate,
         const FindQuery& query, const FileToolLimits& limits)
      : workspace_(workspace),
        exchange_(exchange),
        gate_(gate),
        query_(query),
        limits_(limits),
        ends_(exchange.deadline - limits.answer_time) {}

  Status prepare() {
    auto choice = PathChoice::parse(query_.pattern, query_.exclude);
    if (!choice) return std::move(choice).error();
    choice_ = std::move(*choice);
    if (!query_.content) return {};
    auto text = TextSearch::compile(*query_.content);
    if (!text) return std::move(text).error();
    text_.emplace(std::move(*text));
    return {};
  }

  // Everything at and below the place.
  void look_at(const Workspace::Place& start) {
    if (ended()) return;
    tree_ = start.tree;
    const auto name = workspace_.short_name(start);
    begin_ = name.empty() ? 0 : name.size() + 1;
    const auto info = workspace_.look(start);
    if (info && S_ISREG(info->st_mode)) {
      begin_ = name.size() - last_name(name).size();
      look_at_file(start.relative);
      return;
    }
    WalkRules rules;
    rules.with_ignored = query_.with_ignored;
    rules.depth = limits_.depth;
    rules.leaves_out = [this](const std::string& path) {
      return choice_.leaves_out(short_name(path), begin_);
    };
    walk(workspace_, start, rules, [this](const std::string& path, bool is_directory) {
      if (!is_directory) look_at_file(path);
      return !ended();
    });
  }

  // Nothing more is to be looked at.
  bool ended() {
    late_ = late_ || std::chrono::steady_clock::now() >= ends_;
    return full_ || late_ || exchange_.stop.stop_requested();
  }

  std::string answer() && {
    out_ += (out_.empty() ? "" : "\n") + summary() + why_ended() + "\n";
    return std::move(out_);
  }

 private:
  std::string short_name(const std::string& relative) const {
    return workspace_.short_name({tree_, relative});
  }

  void look_at_file(const std::string& relative);
  // Nothing: it is no text that can be read.
  std::optional<std::string> text_of(const std::string& relative);
  void search_file(const std::string& relative, const std::string& name);
  void show(const std::string& name, const std::string& text, std::vector<Hit> hits);
  std::string summary() const;
  std::string why_ended() const;

  const Workspace& workspace_;
  const Exchange& exchange_;
  const FileGate& gate_;
  const FindQuery& query_;
  const FileToolLimits& limits_;
  const std::chrono::steady_clock::time_point ends_;
  PathChoice choice_;
  std::optional<TextSearch> text_;

  Workspace::Tree* tree_ = nullptr;  // where the search is now
  std::size_t begin_ = 0;            // of short names: see PathChoice

  std::string out_;
  std::size_t files_ = 0;     // in the answer
  std::size_t matches_ = 0;   // in the answer
  std::size_t searched_ = 0;  // files
  std::size_t binary_ = 0;    // files, left out
  std::size_t large_ = 0;     // files, left out
  bool full_ = false;         // there is more than fits
  bool late_ = false;         // the time ran out
};

void Search::look_at_file(const std::string& relative) {
  const auto name = short_name(relative);
  if (!choice_.takes(name, begin_)) return;
  const auto absolute = Workspace::absolute({tree_, relative});
  if (!gate_.permits(Action::list, absolute) || !gate_.permits(Action::read, absolute)) return;
  if (text_) return search_file(relative, name);
  full_ = files_ == query_.limit || out_.size() >= limits_.answer_bytes;
  if (full_) return;
  out_.append(visible(name)).append("\n");
  ++files_;
}

std::optional<std::string> Search::text_of(const std::string& relative) {
  const auto file = tree_->root.open_without_links(relative);
  if (!file || !file->is_regular()) return std::nullopt;
  const bool binary = begins_binary(*file);
  auto bytes = binary ? std::string() : read_all(*file, limits_.file_bytes);
  if (binary || (bytes && is_binary(*bytes))) {
    ++binary_;
    return std::nullopt;
  }
  if (!bytes) {
    large_ += bytes.error().code == Code::unsupported ? 1 : 0;
    return std::nullopt;
  }
  return readable(std::move(*bytes));
}

void Search::search_file(const std::string& relative, const std::string& name) {
  const auto text = text_of(relative);
  if (!text) return;
  if (++searched_ % kProgressEvery == 0) {
    exchange_.progress.report(static_cast<double>(searched_), std::nullopt,
                              counted(searched_, "file searched", "files searched"));
  }
  auto hits = text_->search(*text, query_.limit - matches_ + 1, [this] { return ended(); });
  if (!hits.empty()) show(name, *text, std::move(hits));
}

void Search::show(const std::string& name, const std::string& text, std::vector<Hit> hits) {
  const auto room = query_.limit - matches_;
  full_ = hits.size() > room || out_.size() >= limits_.answer_bytes;
  hits.resize(std::min(hits.size(), room));
  if (hits.empty() || out_.size() >= limits_.answer_bytes) return;
  if (!out_.empty()) out_ += '\n';
  out_.append(visible(name)).append("\n");
  const auto left = limits_.answer_bytes - std::min(limits_.answer_bytes, out_.size());
  const HitStyle style{query_.context, limits_.line_bytes, left};
  const auto shown = append_hits(out_, text, hits, style);
  full_ = full_ || shown < hits.size();
  matches_ += shown;
  ++files_;
}

std::string Search::summary() const {
  std::string text =
      text_ ? fmt::format("{} in {} of {} searched", counted(matches_, "match", "matches"),
                          counted(files_, "file", "files"), searched_)
            : counted(files_, "file", "files");
  if (binary_ > 0) text += fmt::format(", {} binary left out", binary_);
  if (large_ > 0) {
    text += fmt::format(", {} over {} MiB left out", large_, limits_.file_bytes >> 20U);
  }
  return text;
}

std::string Search::why_ended() const {
  if (full_ && query_.limit == (text_ ? matches_ : files_)) {
    return fmt::format("; there are more: narrow the search, or raise limit (at most {})",
                       limits_.most_results);
  }
  if (full_) return "; there are more than fit in an answer: narrow the search";
  return late_ ? "; time ran out and there may be more: narrow the search" : "";
}

Error nothing_at(std::string_view path) {
  return not_found(fmt::format("no such file or directory: {}", path));
}

}  // namespace

Result<std::vector<Workspace::Place>> FileFinder::starts(const FileGate& gate,
                                                         const std::string& path) const {
  std::vector<Workspace::Place> places;
  if (path.empty() || path == "." || path == "./") {
    for (auto& tree : workspace_.trees()) {
      places.push_back({&tree, ""});
      if (!workspace_.open(places.back())) return nothing_at(".");
    }
    std::sort(places.begin(), places.end(),
              [](const auto& a, const auto& b) { return a.tree->name < b.tree->name; });
    return places;
  }
  const auto place = find_place(workspace_, path);
  const auto file = place ? workspace_.open(*place) : nothing_at(path);
  if (!file) return nothing_at(path);
  // A link that is named is followed, as far as it stays inside.
  const auto real = place->tree->root.real_path(*file);
  for (const auto& relative : {place->relative, real.value_or("")}) {
    const auto absolute = Workspace::absolute({place->tree, relative});
    const bool listed = file->is_directory() && gate.permits(Action::list, absolute);
    if (!real || (!listed && !gate.permits(Action::read, absolute))) return nothing_at(path);
  }
  return std::vector<Workspace::Place>{{place->tree, *real}};
}

Result<std::string> FileFinder::find(const Exchange& exchange, const FileGate& gate,
                                     const FindQuery& query) const {
  auto places = starts(gate, query.path);
  if (!places) return std::move(places).error();
  Search search(workspace_, exchange, gate, query, limits_);
  if (auto prepared = search.prepare(); !prepared) return std::move(prepared).error();
  for (const auto& place : *places) search.look_at(place);
  if (exchange.stop.stop_requested()) return Error{Code::cancelled, "the search was stopped", {}};
  return std::move(search).answer();
}

}  // namespace lode
