// "Did you mean …?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lode {

// The candidate that the word was probably meant to be: the one with the
// fewest letters inserted, removed or replaced, upper and lower case alike;
// the first of several. Empty if none is near: more than a third of the
// letters, and more than two, are wrong.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

// " (did you mean "x"?)", or nothing if nothing is near: the end of a message.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace lode
