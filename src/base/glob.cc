#include "base/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace lode {
namespace {

bool continues(unsigned char c) { return (c & 0xC0U) == 0x80U; }

}  // namespace

bool Glob::Set::holds(unsigned char c) const {
  if (c >= 128) return negated;
  return ((members[c / 64] >> (c % 64) & 1U) != 0) != negated;
}

// One match: the states that the text so far can have led to, in so many words
// of 64. Nearly all globs fit in one.
template <std::size_t kWords>
class Glob::Run {
 public:
  explicit Run(const Glob& glob) : glob_(glob) { now_[0] = 1; }

  bool matches(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (const auto* next = awaited()) {
        at = text.find(static_cast<char>(next->argument), at);
        if (at == std::string_view::npos) return false;
      }
      if (!take(static_cast<unsigned char>(text[at]))) return false;
      if (any_end_will_do()) return true;
    }
    return at_end();
  }

 private:
  using States = std::array<std::uint64_t, kWords>;

  // The literal without which no byte leads anywhere: after a **, nothing else
  // under way. Null: there is none, or nobody knows.
  const State* awaited() const {
    if (kWords > 1 || !std::has_single_bit(now_[0])) return nullptr;
    const auto i = static_cast<std::size_t>(std::countr_zero(now_[0]));
    if (i + 1 >= glob_.states_.size() || glob_.states_[i].op != Op::deep_run) return nullptr;
    const State& next = glob_.states_[i + 1];
    return next.op == Op::literal ? &next : nullptr;
  }

  bool any_end_will_do() const {
    const auto last = glob_.states_.size() - 1;
    return glob_.states_[last].op == Op::deep_run && has(now_, last);
  }

  // False: no text that begins like this matches.
  bool take(unsigned char c) {
    next_ = {};
    each([&](std::size_t i) { step(i, c); });
    now_ = next_;
    return std::any_of(now_.begin(), now_.end(), [](std::uint64_t word) { return word != 0; });
  }

  bool at_end() {
    each([](std::size_t) {});
    return has(now_, glob_.states_.size());
  }

  static bool has(const States& states, std::size_t i) {
    return (states[i / 64] >> (i % 64) & 1U) != 0;
  }
  static void add(States& states, std::size_t i) { states[i / 64] |= std::uint64_t{1} << (i % 64); }

  // Visits the states in rising order. Since those that need no byte lead
  // forward only, one pass also reaches what they lead to.
  template <class Visit>
  void each(Visit&& visit) {
    for (std::size_t word = 0; word < kWords; ++word) {
      for (std::uint64_t seen = 0; now_[word] != seen;) {
        const std::uint64_t pending = now_[word] & ~seen;
        seen |= pending & (~pending + 1);
        const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(pending));
        if (i == glob_.states_.size()) return;
        spread(i);
        visit(i);
      }
    }
  }

  // What state i reaches without a byte.
  void spread(std::size_t i) {
    const State& state = glob_.states_[i];
    switch (state.op) {
      case Op::rest:
      case Op::run:
      case Op::deep_run: add(now_, i + 1); break;
      case Op::fork: add(now_, i + 1); [[fallthrough]];
      case Op::jump: add(now_, state.argument); break;
      default: break;
    }
  }

  // What state i reaches by the byte.
  void step(std::size_t i, unsigned char c) {
    const State& state = glob_.states_[i];
    const bool first = c != '/' && !continues(c);
    switch (state.op) {
      case Op::literal:
        if (c == state.argument) add(next_, i + 1);
        break;
      case Op::any:
        if (first) add(next_, i + 1);
        break;
      case Op::set:
        if (first && glob_.sets_[state.argument].holds(c)) add(next_, i + 1);
        break;
      case Op::rest:
        if (continues(c)) add(next_, i);
        break;
      case Op::run:
        if (c != '/') add(next_, i);
        break;
      case Op::deep_run: add(next_, i); break;
      default: break;
    }
  }

  const Glob& glob_;
  States now_{};
  States next_{};
};

bool Glob::matches_after_prefix(std::string_view text) const {
  if (text.size() < prefix_.size() + suffix_.size() || !text.ends_with(suffix_)) return false;
  const auto middle = text.substr(prefix_.size(), text.size() - prefix_.size() - suffix_.size());
  if (states_.empty()) return middle.empty();
  if (states_.size() == 1 && states_[0].op == Op::deep_run) return true;
  if (states_.size() < 64) return Run<1>(*this).matches(middle);
  return Run<kMaxStates / 64 + 1>(*this).matches(middle);
}

class GlobParser {
 public:
  explicit GlobParser(std::string_view text) { glob_.text_ = text; }

  Result<Glob> parse() {
    const auto& text = glob_.text_;
    if (text.empty()) return invalid("a glob must not be empty");
    if (text.size() > Glob::kMaxLength) {
      return invalid(fmt::format("a glob is at most {} bytes long", Glob::kMaxLength));
    }
    if (auto done = sequence(0); !done) return std::move(done).error();
    if (at_ < text.size()) return wrong("a '}' without its '{'", at_);
    if (states().size() > Glob::kMaxStates) return wrong("too many wildcards", 0);
    strip();
    return std::move(glob_);
  }

 private:
  using Op = Glob::Op;

  std::vector<Glob::State>& states() { return glob_.states_; }
  bool done() const { return at_ == glob_.text_.size(); }
  char peek() const { return glob_.text_[at_]; }
  bool eat(char c) {
    const bool there = !done() && peek() == c;
    at_ += there ? 1 : 0;
    return there;
  }
  std::size_t emit(Op op, std::size_t argument = 0) {
    states().push_back({op, static_cast<std::uint16_t>(argument)});
    return states().size() - 1;
  }
  void lead(std::size_t from, std::size_t to) {
    states()[from].argument = static_cast<std::uint16_t>(to);
  }
  Error wrong(std::string_view what, std::size_t at) const {
    return invalid(fmt::format("in the glob \"{}\", at offset {}: {}", glob_.text_, at, what));
  }

  // Up to the end or, inside braces, to the ',' or '}' that ends it.
  Status sequence(std::size_t nesting) {
    while (!done() && peek() != '}' && !(nesting > 0 && peek() == ',')) {
      const std::size_t begin = at_;
      const char c = glob_.text_[at_++];
      Status piece;
      switch (c) {
        case '*': stars(begin); break;
        case '?':
          emit(Op::any);
          emit(Op::rest);
          break;
        case '[': piece = set(begin); break;
        case '{': piece = alternatives(begin, nesting + 1); break;
        case '\\':
          if (done()) return wrong("a '\\' with nothing after it", begin);
          emit(Op::literal, static_cast<unsigned char>(glob_.text_[at_++]));
          break;
        default: emit(Op::literal, static_cast<unsigned char>(c));
      }
      if (!piece) return piece;
    }
    return {};
  }

  void stars(std::size_t begin) {
    const bool deep = eat('*');
    while (eat('*')) continue;
    if (!deep) {
      emit(Op::run);
      return;
    }
    const bool whole_segment = begin == 0 || glob_.text_[begin - 1] == '/';
    if (!whole_segment || !eat('/')) {
      emit(Op::deep_run);
      return;
    }
    const auto fork = emit(Op::fork);
    emit(Op::deep_run);
    emit(Op::literal, '/');
    lead(fork, states().size());
    barrier_ = states().size();
  }

  // {a,b,c} as: fork to b, a, jump to the end; fork to c, b, jump to the end; …
  Status alternatives(std::size_t begin, std::size_t nesting) {
    if (nesting > Glob::kMaxNesting) return wrong("too many braces in braces", begin);
    std::vector<std::size_t> ends;
    for (;;) {
      const auto fork = emit(Op::fork);
      if (auto done = sequence(nesting); !done) return done;
      ends.push_back(emit(Op::jump));
      lead(fork, states().size());
      if (eat(',')) continue;
      if (!eat('}')) return wrong("a '{' without its '}'", begin);
      states()[fork] = {Op::jump, static_cast<std::uint16_t>(fork + 1)};  // the last: no other way
      break;
    }
    for (const auto end : ends) lead(end, states().size());
    barrier_ = states().size();
    return {};
  }

  Status set(std::size_t begin) {
    Glob::Set set;
    set.negated = eat('!') || eat('^');
    for (bool first = true; first || !eat(']'); first = false) {
      unsigned char low = 0;
      if (auto read = member(begin, low); !read) return read;
      unsigned char high = low;
      if (at_ + 1 < glob_.text_.size() && peek() == '-' && glob_.text_[at_ + 1] != ']') {
        ++at_;
        if (auto read = member(begin, high); !read) return read;
      }
      if (high < low) return wrong("a range that runs backwards", begin);
      for (unsigned c = low; c <= high; ++c) set.add(static_cast<unsigned char>(c));
    }
    emit(Op::set, glob_.sets_.size());
    emit(Op::rest);
    glob_.sets_.push_back(set);
    return {};
  }

  Status member(std::size_t begin, unsigned char& c) {
    eat('\\');
    if (done()) return wrong("a '[' without its ']'", begin);
    c = static_cast<unsigned char>(glob_.text_[at_++]);
    if (c >= 128) return wrong("only ASCII characters may stand in brackets", begin);
    return {};
  }

  // Moves the literals at both ends out of the automaton. No fork leads into
  // them: one leads forward only, and to the barrier at most.
  void strip() {
    const auto literal = [](const Glob::State& state) { return state.op == Op::literal; };
    auto& all = states();
    const auto first = std::find_if_not(all.begin(), all.end(), literal);
    const auto count = static_cast<std::size_t>(first - all.begin());
    auto last = all.size();
    while (last > std::max(count, barrier_) && literal(all[last - 1])) --last;
    for (std::size_t i = 0; i < count; ++i) glob_.prefix_ += static_cast<char>(all[i].argument);
    for (auto i = last; i < all.size(); ++i) glob_.suffix_ += static_cast<char>(all[i].argument);
    all.resize(last);
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    for (auto& state : all) {
      if (state.op != Op::fork && state.op != Op::jump) continue;
      state.argument = static_cast<std::uint16_t>(state.argument - count);
    }
  }

  Glob glob_;
  std::size_t at_ = 0;
  std::size_t barrier_ = 0;  // the last state that is reached by more than one way
};

Result<Glob> Glob::parse(std::string_view pattern) { return GlobParser(pattern).parse(); }

}  // namespace lode
