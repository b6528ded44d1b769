// The first step from a text to what is indexed: its words, folded.
//
// A word is a run of letters, marks and digits. Folding makes spellings equal
// that a person who searches would not tell apart: case ("Straße" is
// "strasse"), compatibility forms ("ﬁ" is "fi"), accents of Latin, Greek and
// Cyrillic letters ("café" is "cafe", composed or not).
//
// Names of programs are words made of words. "readFile", "read_file" and
// "read-file" give their parts and then the whole without its joints: read,
// file, readfile; so each is found by the others. "HTTPServer" is http, server,
// httpserver. Digits belong to the letters before them.
//
// Scripts that put no spaces between words (Chinese, Japanese, Thai, …) give
// each character, and each pair of neighbours.
//
// The English endings after an apostrophe (it's, don't, we'll) are left out.
// Bytes that are no UTF-8 separate words, as everything else does.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace lode {

// Longer words and parts are left out: nobody searches for them.
inline constexpr std::size_t kLongestTerm = 64;
// A run without a separator that is longer is no word but data (base64, …),
// and none of its parts is a word either.
inline constexpr std::size_t kLongestRun = 256;

// Calls sink(folded, surface) for each word, in order. The surface is the
// word as it stands in the text. Both are valid during the call only. Linear.
using WordSink = std::function<void(std::string_view folded, std::string_view surface)>;
void split_words(std::string_view text, const WordSink& sink);

}  // namespace lode
