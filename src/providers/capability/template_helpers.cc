#include "providers/capability/template_helpers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/nearest.h"
#include "base/utf8.h"

namespace lode {
namespace {

using Arguments = std::span<const Json* const>;

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

// What a helper is called with, and how much it may make.
struct Call {
  std::string_view name;
  Arguments arguments;
  std::size_t most;

  const Json& at(std::size_t index) const { return *arguments[index]; }
  Error wrong(std::string_view needs, const Json& value) const {
    constexpr std::size_t kShown = 40;
    const auto text = to_text(value);
    return invalid(fmt::format("\"{}\" needs {}, which {} is not", name, needs,
                               text.size() <= kShown ? text : "such a value"));
  }
  Error too_long() const {
    return invalid(fmt::format("\"{}\" would make more than {} bytes", name, most));
  }
};

bool is_missing(const Json& value) {
  return value.is_null() || (value.is_string() && value.get_string().empty());
}

std::optional<double> number_of(const Json& value) {
  if (is_missing(value)) return 0;
  if (value.is_number()) return value.to_number<double>();
  auto read = value.is_string() ? parse_json(view(value.get_string())) : Result<Json>(Json());
  if (read && read->is_number()) return read->to_number<double>();
  return std::nullopt;
}

Result<Json> compare(const Call& call, bool (*holds)(double, double)) {
  const auto a = number_of(call.at(0));
  const auto b = number_of(call.at(1));
  if (!a || !b) return call.wrong("numbers", a ? call.at(1) : call.at(0));
  return Json(holds(*a, *b));
}

bool same(const Json& a, const Json& b) {
  return a == b || (!a.is_null() && !b.is_null() && shown_value(a) == shown_value(b));
}

enum class Case : std::uint8_t { upper, lower, title };

bool is_letter(std::string_view text, std::size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80 ||
         c == '\'';
}

// Letters of ASCII and Latin-1; in UTF-8 the latter are a byte 0xc3 and one in which,
// as in ASCII, a bit tells upper from lower case.
std::string in_case(std::string_view text, Case wanted) {
  std::string out(text);
  bool begins = true;  // a word
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool two = out[i] == '\xc3' && i + 1 < out.size();
    if (two) ++i;
    const auto c = static_cast<unsigned char>(out[i]);
    const auto low = static_cast<unsigned char>(c | 0x20U);
    const bool cased = two ? low >= 0xa0 && low <= 0xbe && low != 0xb7 : low >= 'a' && low <= 'z';
    const bool upper = wanted == Case::upper || (wanted == Case::title && begins);
    if (cased) out[i] = static_cast<char>(upper ? c & ~0x20U : low);
    begins = !two && !is_letter(out, i);
  }
  return out;
}

Result<Json> cased(const Call& call, Case wanted) {
  return Json(in_case(shown_value(call.at(0)), wanted));
}

Result<Json> trimmed(const Call& call) {
  const auto text = shown_value(call.at(0));
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return Json("");
  return Json(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

Result<Json> replaced(const Call& call) {
  const auto text = shown_value(call.at(0));
  const auto old = shown_value(call.at(1));
  const auto next = shown_value(call.at(2));
  if (old.empty()) return Json(text);
  std::string out;
  std::size_t at = 0;
  for (auto found = text.find(old); found != text.npos; found = text.find(old, at)) {
    out.append(text, at, found - at).append(next);
    at = found + old.size();
    if (out.size() > call.most) return call.too_long();
  }
  return Json(out.append(text, at));
}

Result<Json> joined(const Call& call) {
  if (call.at(0).is_null()) return Json("");
  const auto* list = call.at(0).if_array();
  if (list == nullptr) return call.wrong("a list", call.at(0));
  const auto between = call.arguments.size() > 1 ? shown_value(call.at(1)) : ", ";
  std::string out;
  for (std::size_t i = 0; i < list->size(); ++i) {
    out.append(i == 0 ? "" : between).append(shown_value((*list)[i]));
    if (out.size() > call.most) return call.too_long();
  }
  return Json(out);
}

Result<Json> length_of(const Call& call) {
  const auto& value = call.at(0);
  if (const auto* list = value.if_array()) return Json(list->size());
  if (const auto* map = value.if_object()) return Json(map->size());
  const auto text = shown_value(value);
  return Json(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

Result<Json> looked_up(const Call& call) {
  const auto key = shown_value(call.at(1));
  if (const auto* map = call.at(0).if_object()) {
    const auto* found = map->if_contains(key);
    return found == nullptr ? Json() : *found;
  }
  const auto* list = call.at(0).if_array();
  const auto index = number_of(call.at(1));
  if (list == nullptr || !index || *index < 0 || *index >= static_cast<double>(list->size())) {
    return Json();
  }
  return (*list)[static_cast<std::size_t>(*index)];
}

Result<Json> all_true(const Call& call) {
  return Json(std::all_of(call.arguments.begin(), call.arguments.end(),
                          [](const Json* one) { return is_true(*one); }));
}
Result<Json> any_true(const Call& call) {
  return Json(std::any_of(call.arguments.begin(), call.arguments.end(),
                          [](const Json* one) { return is_true(*one); }));
}

constexpr std::size_t kMany = 16;

struct Helper {
  std::string_view name;
  std::size_t least;  // arguments
  std::size_t most;
  Result<Json> (*run)(const Call&);
};

constexpr std::array kHelpers = {
    Helper{"and", 2, kMany, all_true},
    Helper{"default", 2, 2,
           [](const Call& call) -> Result<Json> {
             return is_missing(call.at(0)) ? call.at(1) : call.at(0);
           }},
    Helper{"eq", 2, 2,
           [](const Call& call) -> Result<Json> { return Json(same(call.at(0), call.at(1))); }},
    Helper{
        "gt", 2, 2,
        [](const Call& call) { return compare(call, [](double a, double b) { return a > b; }); }},
    Helper{
        "gte", 2, 2,
        [](const Call& call) { return compare(call, [](double a, double b) { return a >= b; }); }},
    Helper{"join", 1, 2, joined},
    Helper{"json", 1, 1,
           [](const Call& call) -> Result<Json> { return Json(to_text(call.at(0))); }},
    Helper{"length", 1, 1, length_of},
    Helper{"lookup", 2, 2, looked_up},
    Helper{"lower", 1, 1, [](const Call& call) { return cased(call, Case::lower); }},
    Helper{
        "lt", 2, 2,
        [](const Call& call) { return compare(call, [](double a, double b) { return a < b; }); }},
    Helper{
        "lte", 2, 2,
        [](const Call& call) { return compare(call, [](double a, double b) { return a <= b; }); }},
    Helper{"ne", 2, 2,
           [](const Call& call) -> Result<Json> { return Json(!same(call.at(0), call.at(1))); }},
    Helper{"not", 1, 1,
           [](const Call& call) -> Result<Json> { return Json(!is_true(call.at(0))); }},
    Helper{"or", 2, kMany, any_true},
    Helper{"replace", 3, 3, replaced},
    Helper{"title", 1, 1, [](const Call& call) { return cased(call, Case::title); }},
    Helper{"trim", 1, 1, trimmed},
    Helper{"upper", 1, 1, [](const Call& call) { return cased(call, Case::upper); }},
};

const Helper* find_helper(std::string_view name) {
  const auto found = std::find_if(kHelpers.begin(), kHelpers.end(),
                                  [&](const Helper& one) { return one.name == name; });
  return found == kHelpers.end() ? nullptr : &*found;
}

Error no_such_helper(std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(kHelpers.size());
  for (const auto& one : kHelpers) names.push_back(one.name);
  auto hint = did_you_mean(name, names);
  if (hint.empty()) hint = fmt::format("; there are {}", fmt::join(names, ", "));
  return invalid(fmt::format("there is no helper \"{}\"{}", cut_text(name, 60), hint));
}

}  // namespace

bool is_true(const Json& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return false;
    case boost::json::kind::bool_: return value.get_bool();
    case boost::json::kind::string: return !value.get_string().empty();
    case boost::json::kind::array: return !value.get_array().empty();
    case boost::json::kind::object: return !value.get_object().empty();
    default: return value.to_number<double>() != 0;
  }
}

std::string shown_value(const Json& value) {
  if (value.is_null()) return "";
  if (const auto* text = value.if_string()) return std::string(view(*text));
  return to_text(value);
}

Status check_helper(std::string_view name, std::size_t arguments) {
  const auto* helper = find_helper(name);
  if (helper == nullptr) return no_such_helper(name);
  if (arguments >= helper->least && arguments <= helper->most) return {};
  const auto wanted = helper->least == helper->most
                          ? fmt::format("{}", helper->least)
                          : fmt::format("{} to {}", helper->least, helper->most);
  return invalid(fmt::format("\"{}\" takes {} argument{}, and has {}", name, wanted,
                             wanted == "1" ? "" : "s", arguments));
}

Result<Json> call_helper(std::string_view name, Arguments arguments, std::size_t most) {
  const auto* helper = find_helper(name);
  if (helper == nullptr || arguments.size() < helper->least) return no_such_helper(name);
  return helper->run({name, arguments, most});
}

}  // namespace lode
