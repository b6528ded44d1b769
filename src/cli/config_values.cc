// Texts into the fields of a Config and back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <type_traits>

#include "base/duration.h"
#include "base/nearest.h"
#include "cli/config_keys.h"

namespace lode {
namespace {

template <class T>
struct Tag {};

// In the order of their enumerations.
constexpr std::string_view kToolSets[] = {"core", "full", "legacy"};
constexpr std::string_view kLogLevels[] = {"debug", "info", "warning", "error"};

std::span<const std::string_view> choices(Tag<ToolSet>) { return kToolSets; }
std::span<const std::string_view> choices(Tag<LogLevel>) { return kLogLevels; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return all;
}

Result<bool> parse(std::string_view text, Tag<bool>) {
  const auto word = lower(trimmed(text));
  if (word == "true" || word == "1" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "0" || word == "no" || word == "off") return false;
  return invalid(fmt::format("\"{}\" is neither true nor false", text));
}

Result<std::string> parse(std::string_view text, Tag<std::string>) { return std::string(text); }

Result<std::vector<std::string>> parse(std::string_view text, Tag<std::vector<std::string>>) {
  std::vector<std::string> elements;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    if (auto element = trimmed(text.substr(0, comma)); !element.empty()) {
      elements.emplace_back(element);
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return elements;
}

Result<std::chrono::nanoseconds> parse(std::string_view text, Tag<std::chrono::nanoseconds>) {
  auto duration = parse_duration(trimmed(text));
  if (duration && duration->count() < 0) {
    return invalid(fmt::format("\"{}\" is less than nothing", text));
  }
  return duration;
}

Result<std::size_t> parse(std::string_view text, Tag<std::size_t>) {
  constexpr std::pair<std::string_view, std::size_t> kUnits[] = {
      {"", 1}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}};
  const auto word = trimmed(text);
  std::size_t number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  const auto unit = trimmed(word.substr(static_cast<std::size_t>(read.ptr - word.data())));
  for (const auto& [name, size] : kUnits) {
    if (read.ec == std::errc{} && unit == name && number <= SIZE_MAX / size) return number * size;
  }
  return invalid(fmt::format("\"{}\" is no number such as 1000, 512KiB or 16MiB", text));
}

template <class Enum>
  requires std::is_enum_v<Enum>
Result<Enum> parse(std::string_view text, Tag<Enum> tag) {
  const auto words = choices(tag);
  const auto found = std::find(words.begin(), words.end(), trimmed(text));
  if (found != words.end()) return static_cast<Enum>(found - words.begin());
  const auto meant = nearest(text, words);
  return invalid(fmt::format("\"{}\" is none of {}{}", text, fmt::join(words, ", "),
                             meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant)));
}

std::string print(bool value) { return value ? "true" : "false"; }
std::string print(const std::string& value) { return value; }
std::string print(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
std::string print(std::chrono::nanoseconds value) { return format_duration(value); }
std::string print(std::size_t value) { return std::to_string(value); }
template <class Enum>
  requires std::is_enum_v<Enum>
std::string print(Enum value) {
  return std::string(choices(Tag<Enum>{})[static_cast<std::size_t>(value)]);
}

std::string_view type_of(Tag<bool>) { return "BOOL"; }
std::string_view type_of(Tag<std::string>) { return "TEXT"; }
std::string_view type_of(Tag<std::vector<std::string>>) { return "LIST"; }
std::string_view type_of(Tag<std::chrono::nanoseconds>) { return "DURATION"; }
std::string_view type_of(Tag<std::size_t>) { return "NUMBER"; }
std::string_view type_of(Tag<ToolSet>) { return "core|full|legacy"; }
std::string_view type_of(Tag<LogLevel>) { return "debug|info|warning|error"; }

template <class T>
Tag<T> tag_of(T Config::*) {
  return {};
}

// The bounds are of the one table, and parse.
template <class T>
Status check_range(const T& value, const ConfigRange& range, Tag<T> tag) {
  if constexpr (std::is_same_v<T, std::size_t> || std::is_same_v<T, std::chrono::nanoseconds>) {
    if (range.most.empty()) return {};
    if (value < *parse(range.least, tag) || value > *parse(range.most, tag)) {
      return invalid(fmt::format("{} is out of range; {} to {} is allowed", print(value),
                                 range.least, range.most));
    }
  }
  return {};
}

}  // namespace

std::string_view ConfigKey::type() const {
  return std::visit([](auto member) { return type_of(tag_of(member)); }, field);
}

Status set_config_value(Config& config, const ConfigKey& key, std::string_view text) {
  const auto set = [&](auto member) -> Status {
    auto value = parse(text, tag_of(member));
    if (!value) return std::move(value).error();
    if (auto fit = check_range(*value, key.range, tag_of(member)); !fit) return fit;
    config.*member = std::move(*value);
    return {};
  };
  return std::visit(set, key.field);
}

Status set_config_value(Config& config, const ConfigKey& key, std::vector<std::string> elements) {
  const auto* member = std::get_if<std::vector<std::string> Config::*>(&key.field);
  if (member == nullptr) return invalid("one value is expected, not a list");
  config.*(*member) = std::move(elements);
  return {};
}

std::string config_value_text(const Config& config, const ConfigKey& key) {
  return std::visit([&](auto member) { return print(config.*member); }, key.field);
}

}  // namespace lode
