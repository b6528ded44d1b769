// What the fuzz targets share. A target is one file that defines run(); an input
// is text wherever it can be, so that a kept one can be read and written by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string_view>

namespace lode::fuzz {

// The target: what holds for every input is checked for this one.
void run(std::string_view input);

// Ends the run and keeps the input if the claim does not hold.
void check(bool holds, std::string_view claim,
           std::source_location where = std::source_location::current());

// Takes the text up to the separator, and the separator, off the front.
std::string_view take_until(std::string_view& rest, char separator);

// How bytes are cut into the pieces that a socket might give.
enum class Pieces : std::uint8_t { whole, single_bytes, drawn };

// Gives the bytes piece by piece. What is drawn depends on the bytes alone.
void in_pieces(std::string_view bytes, Pieces pieces,
               const std::function<void(std::string_view piece)>& take);

}  // namespace lode::fuzz
