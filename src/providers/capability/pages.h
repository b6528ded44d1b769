// What is read at the addresses of the capability index: Markdown for models,
// JSON for programs.
//
// Markdown pages have a budget of tokens, whatever the size of the collection and
// whatever stands in it: what was left out is named, with the address where it
// is. Elements that the gate hides are named nowhere; numbers are those of the
// whole collection.
//
// Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "providers/capability/addresses.h"
#include "providers/capability/collection.h"
#include "providers/capability/element_gate.h"
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
  static constexpr std::size_t kActiveTokens = 20'000;
  static constexpr std::size_t kListLimit = ElementList::kLimit;

  static constexpr std::string_view kSummary = "capability-index://summary";
  static constexpr std::string_view kFull = "capability-index://full";
  static constexpr std::string_view kStats = "capability-index://stats";
  static constexpr std::string_view kProblems = "capability-index://problems";
  static constexpr std::string_view kActive = "capability-index://active";
  // Of the pages that change with any element.
  static constexpr std::array kAddresses{kSummary, kFull, kStats, kProblems, kActive};

  struct Sources {
    std::function<std::chrono::system_clock::time_point()> clock;
    std::function<std::vector<Element>()> active;
    std::function<std::vector<Problem>()> problems;  // besides the collection's
  };

  // REQUIRES: what is referred to outlives it.
  CapabilityPages(const Collection& collection, const Index& index, Sources sources);

  std::string summary(const ElementGate& gate) const;
  std::string full(const ElementGate& gate) const;
  std::string stats(const ElementGate& gate, const ServingFacts& facts) const;

  // The total of a list with a filter is of what it shows.
  std::string list(const ElementGate& gate, const ElementList& wanted) const;
  // Changed in the last days, the newest first. Code::invalid: the cursor is none.
  Result<std::string> recent(const ElementGate& gate, const RecentElements& wanted) const;
  // By TF-IDF, with scores between 0 and 1.
  std::string search(const ElementGate& gate, const ElementSearch& wanted) const;

  // What else is told of an element that a search found.
  struct HitDetails {
    std::string type;
    std::string name;
    std::string description;
    std::string snippet;  // of its text where the caller could read it, else of what is shown
  };
  // Nothing: it has gone meanwhile.
  std::optional<HitDetails> details_of(const ElementGate& gate, std::string_view uri,
                                       std::string_view query) const;
  // What the active elements say, with what they depend on, within a budget of tokens.
  // with_text: else they are named only.
  std::string active(const ElementGate& gate, bool with_text) const;
  // All that is known of one element, without its text.
  std::string about(const ElementGate& gate, const Element& element) const;
  // What is amiss, from the first after so many.
  std::string problems(const ElementGate& gate, std::size_t after,
                       std::size_t limit = kListLimit) const;

 private:
  // In the order of the page of recent elements.
  struct Dated {
    std::chrono::sys_seconds updated;
    Element element;

    static bool newer(const Dated& a, const Dated& b);
  };
  struct Recent {
    std::vector<Dated> newest;
    std::size_t count = 0;  // of all
    bool more = false;      // after those
  };
  // after: the last of the page before.
  Recent recent_elements(const ElementGate& gate, const RecentElements& wanted,
                         const std::optional<Dated>& after = std::nullopt) const;
  std::vector<Problem> all_problems(const ElementGate& gate) const;

  // By its address.
  std::optional<Element> find_element(std::string_view uri) const;
  std::string words_of(const Element& element) const;
  // Of what the gate shows.
  std::vector<Keyword> keywords(const ElementGate& gate, std::size_t count) const;
  void write_index(std::string& out) const;
  static void write_addresses(const ElementGate& gate, std::string& out);
  void write_active(const ElementGate& gate, std::string& out, std::size_t most) const;
  void write_recent(const ElementGate& gate, std::string& out) const;
  void write_problems(const ElementGate& gate, std::string& out, std::size_t most) const;
  // How many tokens were written.
  std::size_t write_type(const ElementGate& gate, std::string& out, ElementType type,
                         std::size_t budget) const;
  std::string relations_of(const ElementGate& gate, const Element& element) const;
  void write_relations(const ElementGate& gate, std::string& out, std::size_t budget) const;

  const Collection& collection_;
  const Index& index_;
  const Sources sources_;
};

}  // namespace lode
