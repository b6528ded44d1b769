#include "providers/code/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/tokens.h"
#include "base/utf8.h"
#include "providers/code/import_paths.h"
#include "providers/code/symbols_json.h"
#include "syntax/text.h"

namespace lode {
namespace {

constexpr std::size_t kLineBytes = 160;
constexpr std::size_t kProgressEvery = 256;
constexpr std::chrono::milliseconds kSpare{500};  // of the time, to answer in

// Languages whose files use each other's names, divided by spaces.
constexpr std::array<std::string_view, 5> kFamilies{"c cpp", "javascript typescript tsx",
                                                    "java kotlin scala", "css html", "php html"};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

bool related(const Language& a, const Language& b) {
  return &a == &b || std::ranges::any_of(kFamilies, [&](std::string_view family) {
    return has_word(family, a.id) && has_word(family, b.id);
  });
}

// A path without what its name ends with.
std::string_view stem_of(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == path.npos || path.find('/', dot) != path.npos ? path : path.substr(0, dot);
}

// The symbol around all that are around it.
const Symbol& outermost(const Outline& outline, const Symbol& symbol) {
  const Symbol* at = &symbol;
  while (at->parent != kNoSymbol) at = &outline.symbols[at->parent];
  return *at;
}

std::string shown_line(std::string_view text, const Span& span) {
  const auto line = cut_text(on_one_line(line_around(text, span.begin)), kLineBytes);
  return fmt::format("{} {}", span.line, line);
}

}  // namespace

std::string_view to_string(Tie tie) {
  constexpr std::array<std::string_view, 4> kNames{"same file", "declares it too", "imports it",
                                                   "name alone"};
  return kNames[static_cast<std::size_t>(tie)];
}

Result<References> ReferenceSearch::run(const std::string& path, const Outline& outline,
                                        const Symbol& symbol) {
  defined_in_ = path;
  name_ = symbol.name;
  path_of_symbol_ = outline.path(symbol);
  defined_at_ = symbol.name.data() >= outline.text.data() &&
                        symbol.name.data() < outline.text.data() + outline.text.size()
                    ? static_cast<std::uint32_t>(symbol.name.data() - outline.text.data())
                    : symbol.span.begin;
  found_.name = name_;
  found_.lines = line_range(symbol.span);
  const auto& language = *outline.language;
  found_.confined = language.exports == ExportRule::marked && !outermost(outline, symbol).exported;

  auto here = syntax_.mentions(language, outline.text, name_);
  if (!here) return std::move(here).error();
  std::erase_if(*here, [&](const Span& span) { return span.begin == defined_at_; });
  add(path, Tie::same_file, outline.text, *here);
  found_.looked_at = 1;
  if (found_.confined) return std::move(found_);

  auto paths = files_.below("");
  if (!paths) return std::move(paths).error();
  for (std::size_t i = 0; i < paths->size() && found_.incomplete.empty(); ++i) {
    if (i % kProgressEvery == 0) {
      exchange_.progress.report(static_cast<double>(i), static_cast<double>(paths->size()), "");
      if (exchange_.stop.stop_requested()) return Error{Code::cancelled, "stopped", {}};
      if (std::chrono::steady_clock::now() >= exchange_.deadline - kSpare) {
        found_.incomplete = fmt::format("the time was up after {} of {} files", i, paths->size());
        break;
      }
    }
    const auto& other = (*paths)[i];
    const auto* named = language_of(other, "");
    if (other == path || named == nullptr || !related(language, *named)) continue;
    const auto text = files_.read(other);
    if (!text) continue;
    ++found_.looked_at;
    if (text->bytes.find(name_) == std::string::npos) continue;
    if (const auto* its = language_of(other, text->bytes)) look_into(other, *its, text->bytes);
  }
  return std::move(found_);
}

void ReferenceSearch::look_into(const std::string& path, const Language& language,
                                std::string_view text) {
  const auto mentions = syntax_.mentions(language, text, name_);
  if (!mentions || mentions->empty()) return;
  const auto outline = outlines_.of(language, text);
  const bool imports = outline && imports_it(path, *outline);
  bool declares = false;
  bool defines_other = false;
  if (outline) {
    for (const auto& own : outline->symbols) {
      if (own.name != name_) continue;
      const bool same = outline->path(own) == path_of_symbol_;
      declares |= same;
      defines_other |= !same;
    }
  }
  // Where there is a preprocessor, headers declare what other files define.
  if (declares && language.macros) return add(path, Tie::declares, text, *mentions);
  if (imports) return add(path, Tie::imports, text, *mentions);
  if (!declares && !defines_other) return add(path, Tie::name, text, *mentions);
  if (found_.others.size() < limits_.others) found_.others.push_back(path);
}

bool ReferenceSearch::imports_it(const std::string& path, const Outline& outline) const {
  const ImportPlaces places{
      [&](const std::string& at, bool directory) { return files_.stands(at, directory); },
      [&](const std::string& at) {
        auto text = files_.read(at);
        return text ? std::move(text->bytes) : std::string();
      }};
  return std::ranges::any_of(outline.imports, [&](const Import& import) {
    const auto file = resolve_import(*outline.language, path, import, places);
    if (!file) return false;
    // The header of a source has its name; a package of Go is a directory.
    return stem_of(*file) == stem_of(defined_in_) ||
           (defined_in_.starts_with(*file + "/") &&
            defined_in_.find('/', file->size() + 1) == std::string::npos);
  });
}

// Several mentions of a line are one.
void ReferenceSearch::add(const std::string& path, Tie tie, std::string_view text,
                          const std::vector<Span>& spans) {
  References::File file{path, tie, {}};
  std::uint32_t last = 0;
  for (const auto& span : spans) {
    if (span.line == std::exchange(last, span.line)) continue;
    if (line_count_ == limits_.lines) {
      found_.incomplete = fmt::format("more than {} lines", limits_.lines);
      break;
    }
    ++line_count_;
    file.lines.push_back(shown_line(text, span));
  }
  if (!file.lines.empty()) found_.files.push_back(std::move(file));
}

std::string references_answer(const References& found, const Language& language,
                              std::string_view symbol) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().member("language", language.id);
  out.member("symbol", symbol).member("defined", found.lines).key("references").begin_array();
  for (const auto& one : found.files) {
    out.begin_object().member("file", one.path).member("by", to_string(one.tie));
    out.key("lines").begin_array();
    for (const auto& line : one.lines) out.value(line);
    out.end_array().end_object();
  }
  out.end_array();
  if (!found.others.empty()) {
    out.key("define_their_own").begin_array();
    for (const auto& other : found.others) out.value(other);
    out.end_array();
  }
  out.member("known_by", found.confined
                             ? "syntax: it is not exported, so only its own file can use it"
                             : "names and imports, not types: \"name alone\" may mean another");
  out.member("files_looked_at", static_cast<std::int64_t>(found.looked_at));
  out.member_if("incomplete", found.incomplete);
  out.end_object();
  return state_tokens(std::move(text));
}

}  // namespace lode
