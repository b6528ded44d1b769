// An index as bytes in a file.
//
// A line that names the format and what the terms were made with; a hash of
// what follows; then, as variable-length numbers and the bytes they announce:
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

// Readable by its owner alone; the old file or the new is there, whole.
Status write_index_file(const std::string& file, std::string_view bytes);
// Code::not_found: no such file. Code::invalid: it is larger, or no file.
Result<std::string> read_index_file(const std::string& file, std::size_t most);

}  // namespace lode
