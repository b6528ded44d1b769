// An index as bytes in a file.
//
// A derived file (base/derived_file.h) whose format names what the terms were made
// with. Its body, as variable-length numbers and the bytes they announce:
//
//   the kinds: how many; each name
//   the terms: how many; each term and the surface that shows it
//   the documents: how many; each kind, key, title, stamp, length, how many
//   terms, and for each the distance from the one before and the count
//
// Postings are not in it: they are made again as the documents are added, which
// takes less time than to read and to check them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "search/corpus.h"

namespace lode {

// Only what is alive.
std::string encode(const Corpus& corpus);

// Code::invalid: not ours, of another version, or damaged. Every length and
// number is checked, so that no bytes whatever do more harm than this.
Result<std::unique_ptr<Corpus>> decode(std::string_view bytes);

}  // namespace lode
