#include "providers/capability/addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/nearest.h"

namespace lode {
namespace {

constexpr std::size_t kMostAfter = 1'000'000;

const UriTemplate& template_of(std::string_view text) {
  static const std::array kParsed{
      UriTemplate::parse(kListTemplate).value(), UriTemplate::parse(kElementTemplate).value(),
      UriTemplate::parse(kRecentTemplate).value(), UriTemplate::parse(kSearchTemplate).value(),
      UriTemplate::parse(kProblemsTemplate).value()};
  const auto found = std::ranges::find(kParsed, text, &UriTemplate::text);
  return found == kParsed.end() ? kParsed.front() : *found;
}

std::optional<Address> matched(const Uri& uri, std::string_view uri_template) {
  auto match = template_of(uri_template).match(uri.text());
  if (!match) return std::nullopt;
  return Address(uri, std::move(*match));
}

// A number in the query, from 1 on; more than the most is the most.
Result<std::size_t> number_in(const Address& address, std::string_view name, std::size_t fallback,
                              std::size_t most) {
  const auto* text = address.find(name);
  if (text == nullptr) return fallback;
  std::size_t value = 0;
  const auto* const end = text->data() + text->size();
  const auto read = std::from_chars(text->data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < 1) {
    return invalid(fmt::format("\"{}\" is a whole number from 1 on", name));
  }
  return std::min(value, most);
}

template <class T>
Status status_of(const Result<T>& parsed) {
  return parsed ? Status() : parsed.error();
}

}  // namespace

Result<ElementType> parse_type(std::string_view word) {
  if (const auto type = find_element_type(word)) return *type;
  std::array<std::string_view, kElementTypeCount> names;
  std::ranges::transform(kElementTypes, names.begin(),
                         [](ElementType type) { return to_string(type); });
  return not_found(
      fmt::format("there is no type \"{}\" of elements{}", word, did_you_mean(word, names)));
}

std::optional<ElementAddress> parse_element_address(const Uri& uri) {
  const auto plain = uri.without_query();
  if (const auto one = matched(plain, kElementTemplate)) {
    return ElementAddress{one->value("type"), one->value("id")};
  }
  const auto list = matched(plain, kListTemplate);
  if (!list) return std::nullopt;
  return ElementAddress{list->value("type"), std::nullopt};
}

Result<ElementList> ElementList::parse(const Address& address) {
  ElementList list;
  auto type = parse_type(address.value("type"));
  if (!type) return std::move(type).error();
  list.type = *type;
  list.tag = address.value("tag");
  list.author = address.value("author");
  list.cursor = address.value("cursor");
  auto limit = number_in(address, "limit", kLimit, kMostLimit);
  if (!limit) return std::move(limit).error();
  list.limit = *limit;
  return list;
}

bool ElementList::takes(const Element& element) const {
  return (author.empty() || element.author == author) &&
         (tag.empty() || std::ranges::find(element.tags, tag) != element.tags.end());
}

Result<RecentElements> RecentElements::parse(const Address& address) {
  RecentElements recent;
  auto days = number_in(address, "days", kDays, kMostDays);
  if (!days) return std::move(days).error();
  auto limit = number_in(address, "limit", ElementList::kLimit, ElementList::kMostLimit);
  if (!limit) return std::move(limit).error();
  recent.days = *days;
  recent.limit = *limit;
  recent.cursor = address.value("cursor");
  return recent;
}

Result<ElementSearch> ElementSearch::parse(const Address& address) {
  ElementSearch search;
  const auto* query = address.find("q");
  if (query == nullptr) return invalid("say what to search for: capability-index://search?q=WORDS");
  search.query = *query;
  if (const auto* word = address.find("type")) {
    auto type = parse_type(*word);
    if (!type) return std::move(type).error();
    search.type = *type;
  }
  auto limit = number_in(address, "limit", kLimit, kMostLimit);
  if (!limit) return std::move(limit).error();
  search.limit = *limit;
  return search;
}

Result<std::size_t> parse_problems(const Address& address) {
  return number_in(address, "after", 0, kMostAfter);
}

Status check_index_address(const Uri& uri) {
  if (const auto one = parse_element_address(uri); one && one->id) {
    return status_of(parse_type(one->type));
  }
  if (const auto list = matched(uri, kListTemplate)) return status_of(ElementList::parse(*list));
  if (const auto recent = matched(uri, kRecentTemplate)) {
    return status_of(RecentElements::parse(*recent));
  }
  if (const auto search = matched(uri, kSearchTemplate)) {
    return status_of(ElementSearch::parse(*search));
  }
  const auto problems = matched(uri, kProblemsTemplate);
  return problems ? status_of(parse_problems(*problems)) : Status();
}

std::optional<MadeOf> made_of(const Uri& uri) {
  if (const auto one = parse_element_address(uri)) {
    const auto type = find_element_type(one->type);
    return type && !one->id ? std::optional(MadeOf{type}) : std::nullopt;
  }
  if (matched(uri, kRecentTemplate)) return MadeOf{};
  const auto search = matched(uri, kSearchTemplate);
  if (!search) return std::nullopt;
  return MadeOf{find_element_type(search->value("type"))};
}

}  // namespace lode
