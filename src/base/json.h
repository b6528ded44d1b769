// JSON: three shapes for three uses.
//
//   JsonDocument  what came from outside. Parsed and validated whole, once;
//                 immutable; read through JsonView. Refuses what RFC 8259
//                 leaves open and attackers use: duplicate keys, invalid
//                 UTF-8, lone surrogates, nesting deeper than the limit.
//   Json          a mutable value (Boost.JSON): schemas, tool arguments,
//                 configuration. Not for the hot path.
//   JsonWriter    what goes out, appended to a string, one line, no spaces.
//
// Documents are movable and confined to one thread at a time; views borrow
// from their document. Writers are plain values.
#pragma once

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lode {

using Json = boost::json::value;
using JsonObject = boost::json::object;
using JsonArray = boost::json::array;

struct JsonLimits {
  std::size_t max_depth = 64;
};

// A value inside a JsonDocument; valid as long as the document. Cheap to copy.
// Every accessor answers nullopt (or an absent view) when the value has another
// type, so that reading hostile input needs no branches.
class JsonView {
 public:
  JsonView() = default;  // absent

  bool present() const { return present_; }
  explicit operator bool() const { return present_; }
  bool is_null() const;
  bool is_object() const;
  bool is_array() const;

  std::optional<bool> boolean() const;
  std::optional<std::int64_t> integer() const;
  std::optional<double> number() const;  // integers too
  std::optional<std::string_view> string() const;

  // The member of an object, or an absent view.
  JsonView operator[](std::string_view key) const;

  std::size_t size() const;  // elements of an array, members of an object, else 0

  // Visits the elements of an array; nothing for other types.
  void each(const std::function<void(JsonView)>& visit) const;
  // Visits the members of an object; nothing for other types.
  void each_member(const std::function<void(std::string_view key, JsonView)>& visit) const;

  // The value as JSON text on one line.
  std::string text() const;
  // A mutable copy.
  Json copy() const;

 private:
  friend struct JsonAccess;  // converts to and from the parser's own element
  alignas(8) std::array<std::byte, 16> element_{};
  bool present_ = false;
};

// A whole JSON text from outside. Movable; its views stay valid across a move.
class JsonDocument {
 public:
  // Error (Code::invalid) says what is wrong: not JSON, a duplicate key (which
  // one), too deep.
  static Result<JsonDocument> parse(std::string_view text, const JsonLimits& limits = {});

  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  JsonView root() const { return root_; }

 private:
  struct Storage;
  explicit JsonDocument(std::unique_ptr<Storage> storage);

  std::unique_ptr<Storage> storage_;
  JsonView root_;
};

// Parses text into a mutable value, with the checks of JsonDocument.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

// A mutable value as text on one line.
std::string to_text(const Json& value);

// Appends text to out as the inside of a JSON string, without the quotes.
void append_escaped(std::string& out, std::string_view text);

// Appends one JSON value to a string. Commas are placed by itself; the caller
// keeps begin and end in balance.
//
//   JsonWriter w(out);
//   w.begin_object().member("uri", uri).key("tags").begin_array()…
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(double number);
  JsonWriter& value(const Json& json);
  JsonWriter& null();
  // Text that is JSON already; it is not checked.
  JsonWriter& raw(std::string_view json);

  template <class T>
  JsonWriter& member(std::string_view name, const T& v) {
    key(name);
    return value(v);
  }
  // The member, only if the text is not empty.
  JsonWriter& member_if(std::string_view name, std::string_view text);
  JsonWriter& raw_member(std::string_view name, std::string_view json);

 private:
  void separate();

  std::string& out_;
  bool comma_ = false;  // the next value or key needs a comma before it
};

}  // namespace lode
