// What a list of hits shows: the part of a text that says why a query found it, and a score.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace lode {

// At most so many bytes of the text in one line, around the place that has most of the
// query's words; "…" where something was left out. Empty: none of them is in the text.
// Linear. Any thread.
std::string snippet_of(std::string_view text, std::string_view query, std::size_t most);

// In hundredths: more digits say nothing to whoever reads them.
inline double shown_score(double score) { return std::round(score * 100) / 100; }

// A term of the index as the text has it, the way that shows best (search/analyzer.h).
// Empty: it is not in the text.
std::string surface_in(std::string_view text, std::string_view term);

}  // namespace lode
