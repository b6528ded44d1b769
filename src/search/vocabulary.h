// Every term once, by number; and a way to write it that can be shown.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace lode {

using TermId = std::uint32_t;

class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;  // the set refers to this object
  Vocabulary& operator=(const Vocabulary&) = delete;

  // The term's number: its own, or the next. Of all the surfaces that were
  // given for a term the one that shows best is kept (search/analyzer.h).
  // REQUIRES: the term has at most 255 bytes (longer surfaces are passed over),
  // and all texts together at most 4 GiB.
  TermId intern(std::string_view term, std::string_view surface);
  std::optional<TermId> find(std::string_view term) const;
  // Makes room for so many terms.
  void reserve(std::size_t terms) {
    entries_.reserve(terms);
    ids_.reserve(terms);
  }

  std::string_view term(TermId id) const {
    return std::string_view(text_).substr(entries_[id].term, entries_[id].term_size);
  }
  // A word that stood in some text.
  std::string_view surface(TermId id) const {
    return std::string_view(text_).substr(entries_[id].surface, entries_[id].surface_size);
  }

  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const;

 private:
  struct Entry {
    std::uint32_t term = 0;     // where they stand in text_
    std::uint32_t surface = 0;  // perhaps the same place
    std::uint8_t term_size = 0;
    std::uint8_t surface_size = 0;
  };
  // Numbers in the set stand for their terms.
  struct Hash {
    using is_transparent = void;
    const Vocabulary* owner;
    std::size_t operator()(std::string_view term) const { return table_hash(term); }
    std::size_t operator()(TermId id) const { return (*this)(owner->term(id)); }
  };
  struct Equal {
    using is_transparent = void;
    const Vocabulary* owner;
    bool operator()(TermId a, TermId b) const { return a == b; }
    bool operator()(std::string_view term, TermId id) const { return term == owner->term(id); }
    bool operator()(TermId id, std::string_view term) const { return term == owner->term(id); }
  };

  std::uint32_t keep(std::string_view text);

  std::string text_;
  std::vector<Entry> entries_;
  boost::unordered_flat_set<TermId, Hash, Equal> ids_{0, Hash{this}, Equal{this}};
};

}  // namespace lode
