#include "syntax/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lode {
namespace {

// What the runtime does not check itself before it reads a query, by recursion: how deep
// parentheses and brackets go; that predicates stand where they can (one that stands
// elsewhere would end the program, or say nothing); and that nothing is repeated twice,
// as in `((a)*)+`, which it may read for ever. It finds the patterns that capture nothing,
// too: of their matches there would be nothing to tell.
class Shape {
 public:
  Shape(std::string_view query, std::size_t depth) : query_(query), depth_(depth) {}

  Status check() {
    for (at_ = 0; at_ < query_.size(); ++at_) {
      const char c = query_[at_];
      if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
      if (c == ';') {
        at_ = std::min(query_.find('\n', at_), query_.size());
        continue;
      }
      if (open_.empty() && begins_pattern(c)) end_pattern();
      captures_ = captures_ || c == '@';
      if (auto status = take(c); !status) return status;
      last_ = query_[std::min(at_, query_.size() - 1)];
      end_ = std::min(at_ + 1, query_.size());
    }
    end_pattern();
    return {};
  }

  // Where the patterns end that capture nothing.
  const std::vector<std::size_t>& bare_ends() const { return bare_ends_; }

 private:
  enum class Kind : std::uint8_t { node, group, choice, predicate };
  struct Open {
    Kind kind;
    bool has_items = false;
    bool repeats = false;  // one of its items is repeated
  };

  Error wrong(std::string_view what) const {
    return invalid(fmt::format("the query at offset {}: {}", at_, what));
  }

  // Outside of all parentheses: a node, or the name of a field before one.
  bool begins_pattern(char c) const {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return last_ != ':' && (c == '(' || c == '[' || c == '"' || c == '_' || is_letter);
  }

  void end_pattern() {
    if (end_ > 0 && !captures_) bare_ends_.push_back(end_);
    captures_ = false;
  }

  Status take(char c) {
    if (c == '(' || c == '[') return open(c);
    if (c == ')' || c == ']') {
      close();
      return {};
    }
    const bool predicate = !open_.empty() && open_.back().kind == Kind::predicate;
    if ((c == '*' || c == '+' || c == '?') && !predicate) return repeat();
    if (c == '"') {
      skip_text();
      item_repeats_ = false;
    } else if (skip_word() == "_") {
      item_repeats_ = false;
    }
    if (!open_.empty()) open_.back().has_items = true;
    return {};
  }

  // Goes to the last byte of a word, a capture or a mark.
  std::string_view skip_word() {
    const auto begin = at_;
    const auto is_word = [](char c) {
      return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
             (c >= 'A' && c <= 'Z');
    };
    while (at_ + 1 < query_.size() && is_word(query_[at_ + 1])) ++at_;
    return query_.substr(begin, at_ + 1 - begin);
  }

  void skip_text() {
    for (++at_; at_ < query_.size() && query_[at_] != '"'; ++at_) {
      if (query_[at_] == '\\') ++at_;
    }
  }

  Status open(char c) {
    if (open_.size() >= depth_) return wrong(fmt::format("nested more than {} deep", depth_));
    const auto next = query_.find_first_not_of(" \t\r\n\f\v", at_ + 1);
    const char first = next == query_.npos ? '\0' : query_[next];
    if (c == '(' && first == '.') return wrong("an anchor stands between nodes");
    const bool in_pattern = !open_.empty() && open_.back().has_items && last_ != ':' &&
                            (open_.back().kind == Kind::node || open_.back().kind == Kind::group);
    if (c == '(' && first == '#' && !in_pattern) {
      return wrong("a predicate stands at the end of its pattern, within its parentheses");
    }
    auto kind = Kind::node;
    if (first == '(' || first == '[' || first == '"') kind = Kind::group;
    if (first == '#') kind = Kind::predicate;
    if (c == '[') kind = Kind::choice;
    open_.push_back({.kind = kind});
    item_repeats_ = false;
    return {};
  }

  void close() {
    if (open_.empty()) return;
    const auto closed = open_.back();
    open_.pop_back();
    item_repeats_ = closed.kind != Kind::node && closed.repeats;
    if (open_.empty()) return;
    open_.back().repeats = open_.back().repeats || item_repeats_;
    open_.back().has_items = true;
  }

  // Of the item that ended last.
  Status repeat() {
    if (item_repeats_) return wrong("repeated twice");
    item_repeats_ = true;
    if (!open_.empty()) open_.back().repeats = true;
    return {};
  }

  std::string_view query_;
  std::size_t depth_;
  std::size_t at_ = 0;
  char last_ = '\0';           // what came before
  bool item_repeats_ = false;  // the item that ended last, or one that it is made of
  std::vector<Open> open_;
  std::size_t end_ = 0;    // of what was read
  bool captures_ = false;  // the pattern that is read has a capture
  std::vector<std::size_t> bare_ends_;
};

// What a pattern without captures finds is captured as a whole.
std::string capture_matches(std::string_view query, const std::vector<std::size_t>& bare_ends) {
  std::string whole;
  std::size_t begin = 0;
  for (const auto end : bare_ends) {
    whole.append(query.substr(begin, end - begin)).append(" @match");
    begin = end;
  }
  return whole.append(query.substr(begin));
}

struct Progress {
  Deadline deadline;
  bool late = false;
};

void take_match(const PatternQuery& query, const TSQueryMatch& match, std::string_view text,
                QueryAnswer& answer) {
  if (!query.accepts(match, text)) return;
  for (std::uint16_t i = 0; i < match.capture_count; ++i) {
    const auto& capture = match.captures[i];
    answer.captures.push_back({.match = answer.matches,
                               .name = capture.index,
                               .span = span_of(capture.node),
                               .text = text_of(capture.node, text)});
  }
  ++answer.matches;
}

}  // namespace

Result<PatternQuery> make_query(const Language& language, std::string_view query,
                                const SyntaxLimits& limits) {
  if (query.size() > limits.query_bytes) {
    return invalid(fmt::format("the query has more than {} bytes", limits.query_bytes));
  }
  Shape shape(query, limits.query_depth);
  if (auto status = shape.check(); !status) return std::move(status).error();
  // What is wrong is told by its offset in the query as it was asked.
  auto made = PatternQuery::make(language, query);
  if (!made || shape.bare_ends().empty()) return made;
  return PatternQuery::make(language, capture_matches(query, shape.bare_ends()));
}

QueryAnswer run_query(const PatternQuery& query, const Tree& tree, std::string_view text,
                      const SyntaxLimits& limits) {
  QueryAnswer answer;
  for (std::uint32_t i = 0; i < query.capture_count(); ++i) {
    answer.names.emplace_back(query.capture_name(i));
  }
  Progress progress{.deadline = tree.deadline()};
  const TSQueryCursorOptions options{
      .payload = &progress, .progress_callback = [](TSQueryCursorState* state) {
        auto& [deadline, late] = *static_cast<Progress*>(state->payload);
        return late = deadline.passed();
      }};
  auto* cursor = ts_query_cursor_new();  // in the tree's memory
  ts_query_cursor_set_match_limit(cursor, limits.open_matches);
  ts_query_cursor_exec_with_options(cursor, query.get(), tree.root(), &options);
  TSQueryMatch match;
  while (ts_query_cursor_next_match(cursor, &match)) {
    take_match(query, match, text, answer);
    if (answer.captures.size() >= limits.captures) {
      answer.incomplete = fmt::format("there are {} captures or more", limits.captures);
      return answer;
    }
    // Matches without captures are counted until the time is over.
    if (answer.matches % 1024 == 0 && progress.deadline.passed()) progress.late = true;
    if (progress.late) break;
  }
  if (progress.late) {
    answer.incomplete = fmt::format("it took more than {} ms", limits.time.count());
  } else if (ts_query_cursor_did_exceed_match_limit(cursor)) {
    answer.incomplete =
        fmt::format("more than {} matches were open at a time", limits.open_matches);
  }
  return answer;
}

}  // namespace lode
