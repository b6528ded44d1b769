#include "base/uri_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <set>

#include "base/uri.h"
#include "base/utf8.h"

namespace lode {
namespace {

constexpr std::string_view kReserved = ":/?#[]@!$&'()*+,;=";
// What a literal may not hold, besides control characters and a stray '%'.
constexpr std::string_view kNotLiteral = " \"<>\\^`|}";
constexpr std::string_view kOperatorCharacters = "+#./;?&";
// RFC 6570 keeps these for later.
constexpr std::string_view kFutureOperators = "=,!@|";
constexpr std::size_t kMaxPrefixDigits = 4;
// What {a} matches beyond RFC 6570: JavaScript's encodeURIComponent keeps it.
constexpr std::string_view kKeptByJavaScript = "!'()*";

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

// The table of RFC 6570, appendix A.
struct Operator {
  char op;
  std::string_view first;
  std::string_view separator;
  bool named;
  std::string_view if_empty;
  bool keeps_reserved;
};
constexpr std::array<Operator, 8> kOperators = {{
    {0, "", ",", false, "", false},
    {'+', "", ",", false, "", true},
    {'#', "#", ",", false, "", true},
    {'.', ".", ".", false, "", false},
    {'/', "/", "/", false, "", false},
    {';', ";", ";", true, "", false},
    {'?', "?", "&", true, "=", false},
    {'&', "&", "&", true, "=", false},
}};

const Operator& find_operator(char op) {
  const auto* found = std::find_if(kOperators.begin(), kOperators.end(),
                                   [op](const Operator& entry) { return entry.op == op; });
  assert(found != kOperators.end());
  return *found;
}

// Encodes all but unreserved characters and, if those are kept, reserved ones
// and what is encoded already.
void append_encoded(std::string& out, std::string_view text, bool keeps_reserved) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (keeps_reserved && has_encoding_at(text, i)) {
      out.append(text.substr(i, 3));
      i += 2;
    } else if (is_unreserved(text[i]) || (keeps_reserved && contains(kReserved, text[i]))) {
      out.push_back(text[i]);
    } else {
      out.append(encode_component(text.substr(i, 1)));
    }
  }
}

// The first count characters: never part of a UTF-8 sequence, nor of an
// encoding where those are kept.
std::string_view prefix_of(std::string_view text, std::size_t count, bool keeps_reserved) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) {
    end += keeps_reserved && has_encoding_at(text, end) ? 3 : 1;
    while (end < text.size() && (static_cast<std::uint8_t>(text[end]) & 0xC0) == 0x80) ++end;
  }
  return text.substr(0, end);
}

// Writes one expression.
class Expansion {
 public:
  Expansion(std::string& out, const Operator& op) : out_(out), op_(op) {}

  void add(const TemplateVariable& variable, const TemplateValue& value) {
    std::visit([&](const auto& held) { write(variable, held); }, value);
  }

 private:
  void write(const TemplateVariable& variable, const std::string& text) {
    const auto count = variable.prefix == 0 ? text.size() : variable.prefix;
    item(variable.name, prefix_of(text, count, op_.keeps_reserved));
  }

  void write(const TemplateVariable& variable, const TemplateList& list) {
    if (list.empty()) return;
    if (variable.explode) {
      for (const auto& text : list) item(variable.name, text);
      return;
    }
    begin_joined(variable);
    for (const auto& text : list) joined(text);
  }

  void write(const TemplateVariable& variable, const TemplateMap& map) {
    if (map.empty()) return;
    if (!variable.explode) begin_joined(variable);
    for (const auto& [key, text] : map) {
      if (variable.explode) {
        pair(key, text);
      } else {
        joined(key);
        joined(text);
      }
    }
  }

  void separate() {
    out_.append(started_ ? op_.separator : op_.first);
    started_ = true;
  }

  // A value on its own, after its name if the operator names values.
  void item(std::string_view name, std::string_view text) {
    separate();
    if (op_.named) out_.append(name).append(text.empty() ? op_.if_empty : "=");
    append_encoded(out_, text, op_.keeps_reserved);
  }

  void pair(std::string_view key, std::string_view text) {
    separate();
    append_encoded(out_, key, op_.keeps_reserved);
    out_.append(op_.named && text.empty() ? op_.if_empty : "=");
    append_encoded(out_, text, op_.keeps_reserved);
  }

  void begin_joined(const TemplateVariable& variable) {
    separate();
    if (op_.named) out_.append(variable.name).append("=");
    first_joined_ = true;
  }

  void joined(std::string_view text) {
    if (!first_joined_) out_.push_back(',');
    first_joined_ = false;
    append_encoded(out_, text, op_.keeps_reserved);
  }

  std::string& out_;
  const Operator& op_;
  bool started_ = false;
  bool first_joined_ = false;
};

}  // namespace

class UriTemplateParser {
 public:
  explicit UriTemplateParser(std::string_view text) : text_(text) {}

  Result<UriTemplate> run() {
    if (text_.size() > UriTemplate::kMaxLength) {
      return invalid(fmt::format("the template is longer than {} bytes", UriTemplate::kMaxLength));
    }
    if (!valid_utf8(text_)) return invalid("the template is not UTF-8");
    while (at_ < text_.size()) {
      if (Status done = text_[at_] == '{' ? expression() : literal(); !done) {
        return std::move(done).error();
      }
    }
    made_.text_ = text_;
    made_.matchable_ = plan_match();
    return std::move(made_);
  }

 private:
  Status literal() {
    const auto begin = at_;
    const auto end = std::min(text_.find('{', at_), text_.size());
    for (; at_ < end; ++at_) {
      const char c = text_[at_];
      const bool control = static_cast<std::uint8_t>(c) < ' ' || c == '\x7f';
      if (control || contains(kNotLiteral, c)) return wrong("a character that must be encoded");
      if (c == '%' && !has_encoding_at(text_, at_)) return wrong("a '%' without two hex digits");
    }
    UriTemplate::Part part;
    append_encoded(part.literal, text_.substr(begin, end - begin), true);
    made_.parts_.push_back(std::move(part));
    return {};
  }

  Status expression() {
    const auto end = text_.find('}', at_);
    if (end == std::string_view::npos) return wrong("a '{' without its '}'");
    ++at_;
    if (contains(kFutureOperators, text_[at_])) return wrong("an operator that RFC 6570 reserves");
    const char op = contains(kOperatorCharacters, text_[at_]) ? text_[at_++] : '\0';
    const auto first = made_.variables_.size();
    for (;;) {
      if (Status done = variable(op, end); !done) return done;
      if (at_ == end) break;
      if (text_[at_] != ',') return wrong("neither ',' nor '}' after a variable");
      ++at_;
    }
    ++at_;
    const auto count = made_.variables_.size() - first;
    made_.parts_.push_back(
        {"", static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count)});
    return {};
  }

  Status variable(char op, std::size_t end) {
    TemplateVariable variable;
    variable.op = op;
    variable.name = take_name();
    if (variable.name.empty()) return wrong("no variable name");
    if (text_[at_] == '*') {
      variable.explode = true;
      ++at_;
    } else if (text_[at_] == ':') {
      ++at_;
      variable.prefix = take_prefix(end);
      if (variable.prefix == 0) return wrong("no length from 1 to 9999 after ':'");
    }
    if (made_.variables_.size() == UriTemplate::kMaxVariables) {
      return wrong(fmt::format("more than {} variables", UriTemplate::kMaxVariables));
    }
    made_.variables_.push_back(std::move(variable));
    return {};
  }

  // Letters, digits, '_' and encodings; dots between them. There is a '}'
  // ahead, so the text does not end in here.
  std::string_view take_name() {
    const auto begin = at_;
    for (;;) {
      const bool dot = text_[at_] == '.' && at_ > begin && text_[at_ - 1] != '.';
      if (has_encoding_at(text_, at_)) {
        at_ += 3;
      } else if (dot || (is_unreserved(text_[at_]) && !contains("-.~", text_[at_]))) {
        ++at_;
      } else {
        break;
      }
    }
    if (at_ > begin && text_[at_ - 1] == '.') --at_;
    return text_.substr(begin, at_ - begin);
  }

  std::uint16_t take_prefix(std::size_t end) {
    if (text_[at_] == '0') return 0;
    unsigned number = 0;
    for (std::size_t digits = 0; digits < kMaxPrefixDigits && at_ < end; ++digits) {
      if (text_[at_] < '0' || text_[at_] > '9') break;
      number = number * 10 + static_cast<unsigned>(text_[at_++] - '0');
    }
    return static_cast<std::uint16_t>(number);
  }

  // Lays out what match() looks for; false if it could not find it.
  bool plan_match() {
    std::set<std::string_view> names;
    for (const auto& variable : made_.variables_) {
      if (variable.explode || variable.prefix != 0 || contains(variable.name, '%')) return false;
      if (!names.insert(variable.name).second) return false;
    }
    bool in_query = false;
    return std::all_of(made_.parts_.begin(), made_.parts_.end(),
                       [&](const auto& part) { return plan_part(part, in_query); });
  }

  bool plan_part(const UriTemplate::Part& part, bool& in_query) {
    const char op = part.count == 0 ? '\0' : made_.variables_[part.first].op;
    if (op == '&') return in_query;
    if (in_query || part.literal.find_first_of("?#") != std::string::npos) return false;
    in_query = op == '?';
    if (in_query) return true;
    if (op != '\0' && op != '+') return false;
    if (part.count == 0) made_.steps_.push_back({part.literal, 0});
    for (std::uint16_t i = 0; i < part.count; ++i) {
      if (i > 0) made_.steps_.push_back({",", 0});
      made_.steps_.push_back({"", static_cast<std::uint16_t>(part.first + i)});
    }
    return true;
  }

  Error wrong(std::string_view what) const {
    return invalid(fmt::format("{} (at offset {} of the template)", what, at_));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  UriTemplate made_;
};

Result<UriTemplate> UriTemplate::parse(std::string_view text) {
  return UriTemplateParser(text).run();
}

std::string UriTemplate::expand(const Bindings& values) const {
  std::string out;
  for (const auto& part : parts_) {
    out.append(part.literal);
    if (part.count == 0) continue;
    Expansion expansion(out, find_operator(variables_[part.first].op));
    for (std::size_t i = part.first; i < std::size_t{part.first} + part.count; ++i) {
      const auto value = values.find(variables_[i].name);
      if (value != values.end()) expansion.add(variables_[i], value->second);
    }
  }
  return out;
}

std::optional<TemplateMatch> UriTemplate::match(std::string_view uri) const {
  if (!matchable_ || uri.size() > Uri::kMaxLength || contains(uri, '#')) return std::nullopt;
  const auto mark = std::min(uri.find('?'), uri.size());
  TemplateMatch found;
  if (!match_path(uri.substr(0, mark), found)) return std::nullopt;
  if (mark < uri.size() && !match_query(uri.substr(mark + 1), found)) return std::nullopt;
  return found;
}

// The length of the character at that place if the step's variable may take
// it, else 0.
std::size_t UriTemplate::unit(const Step& step, std::string_view path, std::size_t at) const {
  if (at >= path.size()) return 0;
  if (path[at] == '%') return has_encoding_at(path, at) ? 3 : 0;
  const bool any = variables_[step.variable].op == '+';
  return any || is_unreserved(path[at]) || contains(kKeptByJavaScript, path[at]) ? 1 : 0;
}

// Literals at both ends are compared at once. What is left of most templates is then one
// variable or nothing.
bool UriTemplate::match_path(std::string_view path, TemplateMatch& found) const {
  Steps steps = steps_;
  while (!steps.empty() && !steps.front().literal.empty()) {
    if (!path.starts_with(steps.front().literal)) return false;
    path.remove_prefix(steps.front().literal.size());
    steps = steps.subspan(1);
  }
  while (!steps.empty() && !steps.back().literal.empty()) {
    if (!path.ends_with(steps.back().literal)) return false;
    path.remove_suffix(steps.back().literal.size());
    steps = steps.first(steps.size() - 1);
  }
  if (steps.empty()) return path.empty();
  return steps.size() == 1 ? match_one(steps.front(), path, found)
                           : match_several(steps, path, found);
}

bool UriTemplate::match_one(const Step& step, std::string_view path, TemplateMatch& found) const {
  std::size_t at = 0;
  for (auto size = unit(step, path, at); size > 0; size = unit(step, path, at)) at += size;
  return at > 0 && at == path.size() && take(step, path, found);
}

// For each step and place, row by row: whether the path from that place on can
// be matched by the steps from that step on. Filled from the end, each entry
// needs only its neighbours, so that no template makes matching explode.
std::vector<bool> UriTemplate::reachable(Steps steps, std::string_view path) const {
  const auto width = path.size() + 1;
  std::vector<bool> table((steps.size() + 1) * width);
  table.back() = true;
  for (auto step = steps.size(); step-- > 0;) {
    const std::string& literal = steps[step].literal;
    const auto row = step * width;
    for (auto at = width; at-- > 0;) {
      if (!literal.empty()) {
        table[row + at] =
            path.substr(at).starts_with(literal) && table[row + width + at + literal.size()];
      } else if (const auto size = unit(steps[step], path, at); size > 0) {
        table[row + at] = table[row + width + at + size] || table[row + at + size];
      }
    }
  }
  return table;
}

bool UriTemplate::match_several(Steps steps, std::string_view path, TemplateMatch& found) const {
  const auto table = reachable(steps, path);
  if (!table.front()) return false;
  std::size_t at = 0;
  auto row = table.begin();
  for (const auto& step : steps) {
    row += static_cast<std::ptrdiff_t>(path.size() + 1);
    auto end = at + step.literal.size();
    if (step.literal.empty()) {
      auto next = at;
      for (auto size = unit(step, path, at); size > 0; size = unit(step, path, next)) {
        next += size;
        if (row[static_cast<std::ptrdiff_t>(next)]) end = next;
      }
      if (!take(step, path.substr(at, end - at), found)) return false;
    }
    at = end;
  }
  return true;
}

bool UriTemplate::take(const Step& step, std::string_view text, TemplateMatch& found) const {
  auto value = decode(text);
  if (!value) return false;
  found.values.emplace(variables_[step.variable].name, std::move(*value));
  return true;
}

bool UriTemplate::match_query(std::string_view query, TemplateMatch& found) const {
  auto parameters = parse_query(query);
  if (!parameters) return false;
  for (auto& [name, value] : *parameters) {
    const bool known = std::any_of(variables_.begin(), variables_.end(), [&](const auto& variable) {
      return (variable.op == '?' || variable.op == '&') && variable.name == name;
    });
    if (known && found.values.emplace(name, std::move(value)).second) continue;
    found.extra.push_back(std::move(name));
  }
  return true;
}

const std::string* TemplateMatch::find(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

}  // namespace lode
