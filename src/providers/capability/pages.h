// What is read at the addresses of the capability index: Markdown for models,
// JSON for programs. Pages have a budget of tokens, whatever the size of the
// collection: what was left out is named, with the address where it is.
//
// Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "providers/capability/collection.h"
#include "search/index.h"

namespace lode {

// What the pages tell of the rest of the program.
struct ServingFacts {
  std::size_t cache_entries = 0;
  std::uint64_t cache_hits = 0;
  std::uint64_t cache_misses = 0;
  std::uint64_t tokens_served = 0;
  std::chrono::seconds cache_ttl{0};
};

class CapabilityPages {
 public:
  static constexpr std::size_t kSummaryTokens = 3'000;
  static constexpr std::size_t kFullTokens = 40'000;
  static constexpr std::size_t kListLimit = 100;  // elements in one list, unless asked for fewer

  using Clock = std::function<std::chrono::system_clock::time_point()>;
  using Active = std::function<std::vector<Element>()>;

  // REQUIRES: what is referred to outlives it.
  CapabilityPages(const Collection& collection, const Index& index, Clock clock, Active active);

  std::string summary() const;
  std::string full() const;
  std::string stats(const ServingFacts& facts) const;

  struct ListFilter {
    ElementType type = ElementType::persona;
    std::string tag;
    std::string author;
    std::size_t limit = kListLimit;
    std::string cursor;  // the id after which the list goes on
  };
  std::string list(const ListFilter& filter) const;
  // Changed in the last days, the newest first.
  std::string recent(int days, std::size_t limit = kListLimit) const;
  // By TF-IDF, with scores between 0 and 1.
  std::string search(std::string_view query, std::optional<ElementType> type,
                     std::size_t limit) const;
  // All that is known of one element, without its text.
  std::string about(const Element& element) const;

 private:
  std::vector<Element> recent_elements(int days, std::size_t limit) const;
  void write_index(std::string& out) const;
  void write_problems(std::string& out, std::size_t most) const;
  std::size_t write_type(std::string& out, ElementType type, std::size_t count,
                         std::size_t budget) const;
  void write_relations(std::string& out, std::size_t budget) const;

  const Collection& collection_;
  const Index& index_;
  const Clock clock_;
  const Active active_;
};

}  // namespace lode
