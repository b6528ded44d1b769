#include "providers/files/search_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "providers/files/readable.h"

namespace lode {
namespace {

re2::RE2::Options options_of(const Needle& needle, bool across_lines) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(TextSearch::kRegexMemory);
  options.set_case_sensitive(!needle.ignore_case);
  options.set_never_nl(!across_lines);
  return options;
}

// In multi-line mode; what RE2 says of a wrong one speaks of the caller's text.
constexpr std::string_view kMultiLine = "(?m)";

Error no_regex(std::string why) {
  if (const auto at = why.find(kMultiLine); at != why.npos) why.erase(at, kMultiLine.size());
  return invalid(fmt::format("\"content\" is no regular expression: {}", why));
}

bool names_line_ends(const Needle& needle) {
  const std::string_view text = needle.text;
  if (text.find('\n') != text.npos) return true;
  return needle.regex && (text.find("\\n") != text.npos || text.find("(?s") != text.npos);
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

}  // namespace

Result<TextSearch> TextSearch::compile(const Needle& needle) {
  TextSearch out;
  out.across_lines_ = names_line_ends(needle);
  out.literal_ = needle.text;
  end_lines_in_lf(out.literal_);
  if (!needle.regex && !needle.ignore_case) return out;
  const auto pattern =
      needle.regex ? std::string(kMultiLine) + needle.text : re2::RE2::QuoteMeta(out.literal_);
  auto regex = std::make_unique<const re2::RE2>(pattern, options_of(needle, out.across_lines_));
  if (!regex->ok()) return no_regex(regex->error());
  if (regex->ProgramSize() > kRegexProgram) {
    return invalid("\"content\" is too large a regular expression");
  }
  out.regex_ = std::move(regex);
  return out;
}

TextSearch::Match TextSearch::next(std::string_view text, std::size_t from,
                                   std::size_t upto) const {
  if (!regex_) {
    const auto* found = ::memmem(text.data() + from, upto - from, literal_.data(), literal_.size());
    if (found == nullptr) return {};
    const auto begin = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    return {begin, begin + literal_.size()};
  }
  re2::StringPiece match;
  const re2::StringPiece piece(text.data(), text.size());
  if (!regex_->Match(piece, from, upto, re2::RE2::UNANCHORED, &match, 1)) return {};
  const auto begin = static_cast<std::size_t>(match.data() - text.data());
  return {begin, begin + match.size()};
}

std::vector<Hit> TextSearch::search(std::string_view text, std::size_t most,
                                    const std::function<bool()>& ended) const {
  std::vector<Hit> hits;
  std::size_t line = 1;
  std::size_t counted = 0;  // the line ends before it are in `line`
  for (std::size_t from = 0; from < text.size() && hits.size() < most && !ended();) {
    const auto upto =
        across_lines_ ? text.size() : line_end(text, std::min(from + kPiece, text.size()));
    const auto match = next(text, from, upto);
    // What is behind the last line end is no line.
    const bool behind = match.begin == text.size() && text.back() == '\n';
    if (match.begin == text.npos || behind) {
      from = upto + 1;
      continue;
    }
    Hit hit;
    hit.match = match.begin;
    hit.begin = line_begin(text, match.begin);
    hit.end = line_end(text, match.end > match.begin ? match.end - 1 : match.begin);
    line += line_at(text.substr(counted), hit.begin - counted) - 1;
    counted = hit.begin;
    hit.line = line;
    hits.push_back(hit);
    from = hit.end + 1;
  }
  return hits;
}

namespace {

// Writes lines from the front of a text to its end, leaving some out.
class LinePrinter {
 public:
  LinePrinter(std::string& out, std::string_view text, const HitStyle& style)
      : out_(out), text_(text), style_(style), room_(out.size() + style.most_bytes) {}

  // Goes on at a line that was not written yet.
  void skip_to(std::size_t begin, std::size_t line) {
    if (begin > at_ && wrote_ && style_.context > 0) out_ += "--\n";
    at_ = begin;
    line_ = line;
  }
  // match: an offset of the text that must be seen.
  void write(char mark, std::size_t match) {
    const auto end = line_end(text_, at_);
    out_ += fmt::format("{}{} ", line_, mark);
    append_cut(out_, text_.substr(at_, end - at_), match - std::min(match, at_), style_.line_bytes);
    out_ += '\n';
    at_ = end + 1;
    ++line_;
    wrote_ = true;
  }

  std::size_t at() const { return at_; }
  bool full() const { return out_.size() >= room_; }

 private:
  std::string& out_;
  const std::string_view text_;
  const HitStyle& style_;
  const std::size_t room_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool wrote_ = false;
};

// Goes back some lines from the beginning of one, but not before `least`.
struct LineStart {
  std::size_t begin = 0;
  std::size_t line = 1;
};
LineStart lines_back(std::string_view text, LineStart from, std::size_t lines, std::size_t least) {
  for (; lines > 0 && from.begin > least; --lines) {
    from.begin = line_begin(text, from.begin - 1);
    --from.line;
  }
  return from;
}

}  // namespace

std::size_t append_hits(std::string& out, std::string_view text, const std::vector<Hit>& hits,
                        const HitStyle& style) {
  LinePrinter printer(out, text, style);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (printer.full()) return i;
    const Hit& hit = hits[i];
    const auto first = lines_back(text, {hit.begin, hit.line}, style.context, printer.at());
    printer.skip_to(first.begin, first.line);
    while (printer.at() < hit.begin) printer.write('-', 0);
    while (printer.at() <= hit.end && !printer.full()) printer.write(':', hit.match);
    if (printer.at() <= hit.end) return i;
    const auto until = i + 1 < hits.size() ? hits[i + 1].begin : text.size();
    for (std::size_t n = 0; n < style.context && printer.at() < until; ++n) printer.write('-', 0);
  }
  return hits.size();
}

}  // namespace lode
