// The addresses of the capability index: their templates, and what their parameters ask for.
//
// Parsing looks at nothing but the text. Code::invalid: a value is none of its parameter.
// Code::not_found: there is no such type of elements. Values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/uri.h"
#include "engine/routes.h"
#include "providers/capability/element.h"

namespace lode {

inline constexpr std::string_view kIndexBase = "capability-index://";
inline constexpr std::string_view kListTemplate =
    "capability-index://elements/{type}{?tag,author,limit,cursor}";
inline constexpr std::string_view kElementTemplate = "capability-index://elements/{type}/{id}";
inline constexpr std::string_view kRecentTemplate = "capability-index://recent{?days,limit,cursor}";
inline constexpr std::string_view kSearchTemplate = "capability-index://search{?q,type,limit}";
inline constexpr std::string_view kProblemsTemplate = "capability-index://problems{?after}";

// What an address of elements names, as it is spelled.
struct ElementAddress {
  std::string type;
  std::optional<std::string> id;
};
std::optional<ElementAddress> parse_element_address(const Uri& uri);

struct ElementList {
  static constexpr std::size_t kLimit = 100;  // unless asked for fewer, or for more
  static constexpr std::size_t kMostLimit = 1000;

  ElementType type = ElementType::persona;
  std::string tag{};
  std::string author{};
  std::size_t limit = kLimit;
  std::string cursor{};  // the id after which the list goes on

  static Result<ElementList> parse(const Address& address);
  bool is_filtered() const { return !tag.empty() || !author.empty(); }
  bool takes(const Element& element) const;
};

struct RecentElements {
  static constexpr std::size_t kDays = 7;
  static constexpr std::size_t kMostDays = 36'500;

  std::size_t days = kDays;
  std::size_t limit = ElementList::kLimit;
  std::string cursor{};  // as a page gave it out

  static Result<RecentElements> parse(const Address& address);
};

struct ElementSearch {
  static constexpr std::size_t kLimit = 10;
  static constexpr std::size_t kMostLimit = 100;

  std::string query;
  std::optional<ElementType> type{};
  std::size_t limit = kLimit;

  static Result<ElementSearch> parse(const Address& address);
};

// The `after` of the page of problems.
Result<std::size_t> parse_problems(const Address& address);

Result<ElementType> parse_type(std::string_view word);

// Whether one can listen to an address of the index: what it asks for can be answered.
Status check_index_address(const Uri& uri);

// Of a page that is made of elements and has no fixed address: of which type; nothing: of
// all. No value: it is no such page.
struct MadeOf {
  std::optional<ElementType> type{};
};
std::optional<MadeOf> made_of(const Uri& uri);

}  // namespace lode
