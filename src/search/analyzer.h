// From a text to the terms that are indexed and searched for.
//
// A term is a folded word (search/words.h), reduced to its stem if it is made
// of the letters a to z and no stop word: the Snowball project's English
// algorithm ("Porter 2"), so that "connections" and "connected" are both
// "connect". Texts in other languages are indexed by it too; what matters is
// that documents and queries are treated alike.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace lode {

// Raised whenever a change gives a text other terms than before: an index on
// disk is then made anew.
inline constexpr std::uint32_t kAnalyzerVersion = 2;

struct Term {
  std::string_view text;     // as it is indexed; valid during the call only
  std::string_view surface;  // as it stands in the analysed text
  bool stop = false;         // a stop word (search/stop_words.h)
};

// Calls the sink for each term, in order. Any thread.
void analyze(std::string_view text, const std::function<void(const Term&)>& sink);

// Whether one way to write a term is better to show than another: the shorter,
// and of two as long the one in lower case.
bool shows_better(std::string_view surface, std::string_view than);

// The terms of a text or of several, and how often each occurs.
class TermBag {
 public:
  struct Entry {
    std::string surface;      // the one that shows best
    std::uint32_t count = 0;  // weighted
    bool stop = false;
  };

  enum class StopWords : std::uint8_t { keep, drop };

  // Each occurrence counts `weight` times.
  void add(std::string_view text, std::uint32_t weight, StopWords stop_words);
  // A name that is one word counts `weight` times as that word, "readFile" as readfile;
  // nothing is longer for it. REQUIRES: the words of the name were added.
  void add_name(std::string_view name, std::uint32_t weight);

  // Removes the stop words, unless there is nothing else.
  void drop_stop_words();

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return table_hash(text); }
  };
  using Entries = boost::unordered_flat_map<std::string, Entry, Hash, std::equal_to<>>;

  const Entries& entries() const { return entries_; }
  // How many terms were added, unweighted.
  std::uint32_t length() const { return length_; }

 private:
  Entries entries_;
  std::uint32_t length_ = 0;
};

}  // namespace lode
