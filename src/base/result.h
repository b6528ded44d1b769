// The one way a function says that it failed.
//
// A function that can fail returns Result<T>: either a T or an Error. The
// caller must look (the type is [[nodiscard]]). Errors gain context on their
// way up with Error::in(), so that a message reads from the outside inward:
//
//   reading file:///a.txt: no such file
//
// Error codes are those of the engine, not of any protocol; the mapping to
// JSON-RPC codes and HTTP statuses is in protocol/wire_error.h, once.
#pragma once

#include <cassert>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lode {

enum class Code : std::uint8_t {
  invalid,      // the request is malformed or its arguments are wrong
  not_found,    // no such thing, or hidden from this caller: the two look alike
  denied,       // the caller may know it, but may not do this
  conflict,     // the state it was meant for is gone
  unsupported,  // understood, but this thing cannot do it
  cancelled,    // the caller gave up
  timeout,      // the deadline passed
  unavailable,  // busy or over a limit; worth another try
  internal,     // our fault, or a provider's
};

// A stable lower-case name, for logs and metrics.
std::string_view to_string(Code code);

struct Error {
  Code code = Code::internal;
  std::string message;
  // With Code::unavailable: how long a client should wait. Zero: unknown.
  std::chrono::milliseconds retry_after{0};

  // Adds what was being done when it happened: "doing: message".
  Error in(std::string_view doing) &&;
};

inline Error invalid(std::string message) { return {Code::invalid, std::move(message), {}}; }
inline Error not_found(std::string message) { return {Code::not_found, std::move(message), {}}; }
inline Error internal(std::string message) { return {Code::internal, std::move(message), {}}; }

// A subset of std::expected<T, Error>.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}
  // From anything that becomes a T, as an alternative of a variant does.
  template <class U>
    requires(std::convertible_to<U, T> && !std::same_as<U, T> && !std::same_as<U, Error> &&
             !std::same_as<U, Result>)
  Result(U value) : value_(std::in_place, std::move(value)) {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  // REQUIRES: ok().
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // REQUIRES: !ok().
  Error& error() & { return error_; }
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

 private:
  std::optional<T> value_;
  Error error_;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  bool ok() const { return !failed_; }
  explicit operator bool() const { return ok(); }

  // REQUIRES: !ok().
  Error& error() & { return assert(failed_), error_; }
  const Error& error() const& { return assert(failed_), error_; }
  Error&& error() && { return assert(failed_), std::move(error_); }

 private:
  Error error_;
  bool failed_ = false;
};

using Status = Result<void>;

}  // namespace lode
