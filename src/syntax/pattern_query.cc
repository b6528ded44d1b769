#include "syntax/pattern_query.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "syntax/parser.h"

namespace lode {
namespace {

enum class Test : std::uint8_t { equal, matches, any_of };

// The word at an offset of a query, for a message.
std::string_view word_at(std::string_view text, std::uint32_t offset) {
  text.remove_prefix(std::min<std::size_t>(offset, text.size()));
  return text.substr(0, std::min(text.find_first_of(" \t\r\n()[]\"@:.#"), text.size()));
}

std::string describe(TSQueryError error, std::string_view word, const Language& language) {
  switch (error) {
    case TSQueryErrorNodeType:
      return fmt::format("{} has no node type \"{}\"", language.name, word);
    case TSQueryErrorField: return fmt::format("{} has no field \"{}\"", language.name, word);
    case TSQueryErrorCapture: return fmt::format("no capture @{} is made here", word);
    case TSQueryErrorStructure: return "a pattern that no tree can have";
    default: return "not the syntax of a query";
  }
}

Error wrong(std::uint32_t offset, std::string_view what) {
  return invalid(fmt::format("the query at offset {}: {}", offset, what));
}

}  // namespace

struct PatternQuery::Predicate {
  Test test = Test::equal;
  bool expected = true;  // `not-`: false
  bool any = false;      // one node of the capture is enough
  std::uint32_t capture = 0;
  std::uint32_t other = UINT32_MAX;       // of `equal`: a capture instead of a text
  std::vector<std::string_view> texts{};  // of `equal` one; owned by the query
  std::unique_ptr<re2::RE2> regex{};

  bool take_name(std::string_view name);
  bool holds(std::string_view text) const {
    switch (test) {
      case Test::matches: return re2::RE2::PartialMatch(text, *regex) == expected;
      default: return (std::ranges::find(texts, text) != texts.end()) == expected;
    }
  }
};

PatternQuery::PatternQuery(TSQuery* query) : query_(query) {}
PatternQuery::PatternQuery(PatternQuery&&) noexcept = default;
PatternQuery& PatternQuery::operator=(PatternQuery&&) noexcept = default;
PatternQuery::~PatternQuery() = default;

Result<PatternQuery> PatternQuery::make(const Language& language, std::string_view text) {
  std::uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  PatternQuery query(ts_query_new(language.grammar(), text.data(),
                                  static_cast<std::uint32_t>(text.size()), &offset, &error));
  if (query.get() == nullptr) {
    return wrong(offset, describe(error, word_at(text, offset), language));
  }
  if (auto status = query.read_predicates(); !status) return std::move(status).error();
  return query;
}

std::string_view PatternQuery::capture_name(std::uint32_t capture) const {
  std::uint32_t size = 0;
  const char* name = ts_query_capture_name_for_id(get(), capture, &size);
  return {name, size};
}

std::string_view PatternQuery::string_of(const TSQueryPredicateStep& step) const {
  std::uint32_t size = 0;
  const char* text = ts_query_string_value_for_id(get(), step.value_id, &size);
  return {text, size};
}

Status PatternQuery::read_predicates() {
  const auto patterns = ts_query_pattern_count(get());
  predicates_.resize(patterns);
  for (std::uint32_t pattern = 0; pattern < patterns; ++pattern) {
    std::uint32_t count = 0;
    const auto* steps = ts_query_predicates_for_pattern(get(), pattern, &count);
    const auto* const all_end = steps + count;
    while (steps != all_end) {
      const auto* end = std::find_if(steps, all_end, [](const TSQueryPredicateStep& step) {
        return step.type == TSQueryPredicateStepTypeDone;
      });
      if (auto status = read_predicate(pattern, Steps(steps, end)); !status) {
        return wrong(ts_query_start_byte_for_pattern(get(), pattern), status.error().message);
      }
      steps = end == all_end ? end : end + 1;
    }
  }
  return {};
}

// What the name says: "any-not-eq?". False: there is no such predicate.
bool PatternQuery::Predicate::take_name(std::string_view name) {
  const auto take = [&](std::string_view prefix) {
    const bool has = name.starts_with(prefix);
    if (has) name.remove_prefix(prefix.size());
    return has;
  };
  any = name != "any-of?" && take("any-");
  expected = !take("not-");
  if (name == "match?") test = Test::matches;
  if (name == "any-of?") test = Test::any_of;
  return name == "match?" || name == "any-of?" || name == "eq?";
}

Status PatternQuery::read_predicate(std::uint32_t pattern, Steps steps) {
  if (steps.empty() || steps[0].type != TSQueryPredicateStepTypeString) {
    return invalid("a predicate begins with its name");
  }
  const auto name = string_of(steps[0]);
  const auto is_text = [](const auto& step) { return step.type == TSQueryPredicateStepTypeString; };
  if (name == "set!" && steps.size() == 3 && is_text(steps[1]) && is_text(steps[2])) {
    settings_.push_back({pattern, string_of(steps[1]), string_of(steps[2])});
  }
  if (name.ends_with('!')) return {};

  Predicate predicate;
  if (!predicate.take_name(name)) return invalid(fmt::format("there is no predicate #{}", name));
  if (steps.size() < 2 || is_text(steps[1])) {
    return invalid(fmt::format("#{} wants a capture first", name));
  }
  if (predicate.test != Test::any_of && steps.size() != 3) {
    return invalid(fmt::format("#{} wants a capture and one value", name));
  }
  predicate.capture = steps[1].value_id;
  if (auto status = read_values(steps.subspan(2), predicate); !status) {
    return std::move(status).error().in("#" + std::string(name));
  }
  predicates_[pattern].push_back(std::move(predicate));
  return {};
}

Status PatternQuery::read_values(Steps values, Predicate& predicate) const {
  for (const auto& value : values) {
    if (value.type == TSQueryPredicateStepTypeString) {
      predicate.texts.push_back(string_of(value));
    } else if (predicate.test == Test::equal) {
      predicate.other = value.value_id;
    } else {
      return invalid("wants texts in quotes");
    }
  }
  if (predicate.test != Test::matches) return {};
  predicate.regex =
      std::make_unique<re2::RE2>(re2::StringPiece(predicate.texts[0]), re2::RE2::Quiet);
  if (!predicate.regex->ok()) return invalid(predicate.regex->error());
  return {};
}

bool PatternQuery::accepts(const TSQueryMatch& match, std::string_view source) const {
  const auto text_of_capture = [&](std::uint32_t capture) {
    for (std::uint16_t i = 0; i < match.capture_count; ++i) {
      if (match.captures[i].index == capture) return text_of(match.captures[i].node, source);
    }
    return std::string_view();
  };
  return std::ranges::all_of(predicates_[match.pattern_index], [&](const Predicate& predicate) {
    bool found = false;
    for (std::uint16_t i = 0; i < match.capture_count; ++i) {
      if (match.captures[i].index != predicate.capture) continue;
      const auto text = text_of(match.captures[i].node, source);
      const bool holds = predicate.other == UINT32_MAX
                             ? predicate.holds(text)
                             : (text == text_of_capture(predicate.other)) == predicate.expected;
      if (holds == predicate.any) return holds;
      found = true;
    }
    // Of an optional capture that is not there nothing is claimed.
    return !predicate.any || !found;
  });
}

std::string_view PatternQuery::setting(std::uint32_t pattern, std::string_view key) const {
  for (const auto& setting : settings_) {
    if (setting.pattern == pattern && setting.key == key) return setting.value;
  }
  return {};
}

}  // namespace lode
