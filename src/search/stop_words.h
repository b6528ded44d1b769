// English words that say nothing about what a text is about.
#pragma once

#include <string_view>

namespace lode {

// REQUIRES: folded (search/words.h).
bool is_stop_word(std::string_view word);

}  // namespace lode
