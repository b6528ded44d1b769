// How JSON Schema sees values: numbers by their mathematical value, whatever
// their notation (1 is 1.0 is 1e0), objects without order. Pure functions.
//
// `cost` counts the elements looked at, so that a caller can bound its work.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/json.h"

namespace lode::schema {

inline std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }
inline std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

// True for 1, 1.0 and 1e3; false for 1.5 and for what is no number.
bool is_integer(const Json& value);

// Exact, also between 64 bit integers and floating point.
// REQUIRES: both are numbers.
std::partial_ordering compare_numbers(const Json& a, const Json& b);

// Whether value is an integer times divisor, in decimal: 19.99 is a multiple of
// 0.01, though not in binary.
// REQUIRES: both are numbers, divisor > 0.
bool is_multiple(const Json& value, const Json& divisor);

bool same_value(const Json& a, const Json& b, std::size_t& cost);

// Equal for values that are same_value.
std::size_t hash_value(const Json& value, std::size_t& cost);

// Unicode code points in valid UTF-8.
std::size_t count_code_points(std::string_view text);

// The beginning of a text, whole code points, with an ellipsis if it was cut.
std::string shorten(std::string_view text, std::size_t max_bytes);

// A token of a JSON pointer: ~ and / written as ~0 and ~1.
std::string pointer_escaped(std::string_view token);

}  // namespace lode::schema
