// An index as bytes in a file.
//
// A derived file (base/derived_file.h) whose format names what the terms were made
// with. Its body, as variable-length numbers and the bytes they announce:
//
//   the size of the companion (search/index.h), which comes last
//   the kinds: how many; each name
//   the terms: how many; each term and the surface that shows it
//   the documents: how many; each kind, stamp, length, the sizes of its key and
//   its title (twice, and one more if the key ends with it), the size of its
//   terms; then its block as it is in memory (search/corpus.h)
//
// So a document that is read stays where it was read. Postings are not in the
// file: they are made again, which takes less time than to read and to check them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "base/result.h"
#include "search/corpus.h"

namespace lode {

// Only what is alive. format: of the companion.
std::string encode(const Corpus& corpus, std::string_view format, std::string_view companion);

struct Decoded {
  std::unique_ptr<Corpus> corpus;
  std::string companion;
};

// Code::invalid: not ours, of another version, or damaged. Every length and
// number is checked, so that no bytes whatever do more harm than this.
Result<Decoded> decode(Buffer bytes, std::string_view format);

}  // namespace lode
