#include "base/json_schema_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace lode::schema {
namespace {

using boost::json::kind;

constexpr std::size_t kBytesPerCost = 256;

std::partial_ordering flip(std::partial_ordering order) { return 0 <=> order; }

// An integer against a double. The double's whole part is compared as an
// integer, because converting the integer would round it.
template <class Integer>
std::partial_ordering compare_mixed(Integer a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= static_cast<double>(std::numeric_limits<Integer>::max())) {
    return std::partial_ordering::less;  // max() rounds up to the next power of two
  }
  if (b < static_cast<double>(std::numeric_limits<Integer>::min())) {
    return std::partial_ordering::greater;
  }
  const double whole = std::floor(b);
  const auto order = a <=> static_cast<Integer>(whole);
  if (order != 0) return order;
  return b > whole ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

std::partial_ordering compare_to_double(const Json& a, double b) {
  switch (a.kind()) {
    case kind::int64: return compare_mixed(a.get_int64(), b);
    case kind::uint64: return compare_mixed(a.get_uint64(), b);
    default: return a.get_double() <=> b;
  }
}

std::strong_ordering compare_integers(const Json& a, const Json& b) {
  if (a.is_int64() && b.is_int64()) return a.get_int64() <=> b.get_int64();
  if (a.is_uint64() && b.is_uint64()) return a.get_uint64() <=> b.get_uint64();
  if (a.is_uint64()) return 0 <=> compare_integers(b, a);
  if (std::cmp_less(a.get_int64(), b.get_uint64())) return std::strong_ordering::less;
  return std::cmp_equal(a.get_int64(), b.get_uint64()) ? std::strong_ordering::equal
                                                       : std::strong_ordering::greater;
}

double to_double(const Json& number) {
  if (number.is_int64()) return static_cast<double>(number.get_int64());
  if (number.is_uint64()) return static_cast<double>(number.get_uint64());
  return number.get_double();
}

// digits * 10^exponent, without the sign.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

// The shortest decimal that reads back as this double, which is what was
// written for up to fifteen digits.
Decimal decimal_of(double value) {
  std::array<char, 32> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                     std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  Decimal out;
  const char* const exponent = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(exponent, text.data() + text.size(), out.exponent);
  for (std::size_t i = 0; i < e; ++i) {
    if (text[i] == '.') continue;
    out.digits = out.digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
    if (i > 1) --out.exponent;
  }
  return out;
}

Decimal decimal_of(const Json& number) {
  if (number.is_uint64()) return {number.get_uint64(), 0};
  if (number.is_double()) return decimal_of(number.get_double());
  const std::int64_t value = number.get_int64();
  return {value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value), 0};
}

bool same_array(const JsonArray& a, const JsonArray& b, std::size_t& cost) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Json& x, const Json& y) { return same_value(x, y, cost); });
}

bool same_object(const JsonObject& a, const JsonObject& b, std::size_t& cost) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const auto& member) {
    const Json* other = b.if_contains(member.key());
    return other != nullptr && same_value(member.value(), *other, cost);
  });
}

std::size_t hash_text(std::string_view text, std::size_t& cost) {
  cost += text.size() / kBytesPerCost;
  return std::hash<std::string_view>{}(text);
}

std::size_t mix(std::size_t a, std::size_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdULL;
}

}  // namespace

bool is_integer(const Json& value) {
  if (value.is_int64() || value.is_uint64()) return true;
  if (!value.is_double()) return false;
  const double number = value.get_double();
  return std::isfinite(number) && number == std::floor(number);
}

std::partial_ordering compare_numbers(const Json& a, const Json& b) {
  if (b.is_double()) return compare_to_double(a, b.get_double());
  if (a.is_double()) return flip(compare_to_double(b, a.get_double()));
  return compare_integers(a, b);
}

bool is_multiple(const Json& value, const Json& divisor) {
  __extension__ using Wide = unsigned __int128;
  const Decimal a = decimal_of(value);
  const Decimal b = decimal_of(divisor);
  if (a.digits == 0) return true;
  Wide rest = a.digits;
  Wide modulus = b.digits;
  for (int i = b.exponent; i < a.exponent && rest != 0; ++i) rest = rest % modulus * 10;
  for (int i = a.exponent; i < b.exponent; ++i) {
    modulus *= 10;
    if (modulus > a.digits) return false;
  }
  return rest % modulus == 0;
}

bool same_value(const Json& a, const Json& b, std::size_t& cost) {
  ++cost;
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case kind::bool_: return a.get_bool() == b.get_bool();
    case kind::array: return same_array(a.get_array(), b.get_array(), cost);
    case kind::object: return same_object(a.get_object(), b.get_object(), cost);
    case kind::string:
      cost += a.get_string().size() / kBytesPerCost;
      return a.get_string() == b.get_string();
    default: return true;  // both null; numbers are done
  }
}

std::size_t hash_value(const Json& value, std::size_t& cost) {
  ++cost;
  if (value.is_number()) return mix(1, std::hash<double>{}(to_double(value)));
  switch (value.kind()) {
    case kind::bool_: return value.get_bool() ? 2 : 3;
    case kind::string: return hash_text(view(value.get_string()), cost);
    case kind::array: {
      std::size_t hash = 5;
      for (const Json& item : value.get_array()) hash = mix(hash, hash_value(item, cost));
      return hash;
    }
    case kind::object: {
      std::size_t hash = 7;
      for (const auto& member : value.get_object()) {
        hash += mix(hash_text(view(member.key()), cost), hash_value(member.value(), cost));
      }
      return hash;
    }
    default: return 11;
  }
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

std::string shorten(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string pointer_escaped(std::string_view token) {
  std::string out;
  for (char c : token) {
    if (c == '~' || c == '/') {
      out += c == '~' ? "~0" : "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace lode::schema
