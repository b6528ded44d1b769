#include "base/json.h"

#include <emmintrin.h>
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/utf8.h"

namespace lode {

using simdjson::dom::element;
using simdjson::dom::element_type;

namespace {

// By value: a range-for must not iterate over a temporary's inside.
// REQUIRES: e is an array, or an object.
simdjson::dom::array array_of(const element& e) { return e.get_array().value_unsafe(); }
simdjson::dom::object object_of(const element& e) { return e.get_object().value_unsafe(); }

}  // namespace

// The parser's headers cost seconds to include, so a view carries the parser's
// element as bytes.
struct JsonAccess {
  static_assert(sizeof(element) == sizeof(JsonView::element_));
  static_assert(std::is_trivially_copyable_v<element>);

  static JsonView view(const element& e) {
    JsonView v;
    std::memcpy(v.element_.data(), &e, sizeof e);
    v.present_ = true;
    return v;
  }
  static element get(const JsonView& v) {
    element e;
    std::memcpy(static_cast<void*>(&e), v.element_.data(), sizeof e);
    return e;
  }
  static bool is(const JsonView& v, element_type type) {
    return v.present_ && get(v).type() == type;
  }
};

bool JsonView::is_null() const { return JsonAccess::is(*this, element_type::NULL_VALUE); }
bool JsonView::is_object() const { return JsonAccess::is(*this, element_type::OBJECT); }
bool JsonView::is_array() const { return JsonAccess::is(*this, element_type::ARRAY); }

std::optional<bool> JsonView::boolean() const {
  if (!JsonAccess::is(*this, element_type::BOOL)) return std::nullopt;
  return JsonAccess::get(*this).get_bool().value_unsafe();
}

std::optional<std::int64_t> JsonView::integer() const {
  if (!JsonAccess::is(*this, element_type::INT64)) return std::nullopt;
  return JsonAccess::get(*this).get_int64().value_unsafe();
}

std::optional<double> JsonView::number() const {
  if (!present_) return std::nullopt;
  double out = 0;
  if (JsonAccess::get(*this).get_double().get(out) != simdjson::SUCCESS) return std::nullopt;
  return out;
}

std::optional<std::string_view> JsonView::string() const {
  if (!JsonAccess::is(*this, element_type::STRING)) return std::nullopt;
  return JsonAccess::get(*this).get_string().value_unsafe();
}

JsonView JsonView::operator[](std::string_view key) const {
  element found;
  if (!is_object() || JsonAccess::get(*this).at_key(key).get(found) != simdjson::SUCCESS) return {};
  return JsonAccess::view(found);
}

std::size_t JsonView::size() const {
  if (is_array()) return array_of(JsonAccess::get(*this)).size();
  if (is_object()) return object_of(JsonAccess::get(*this)).size();
  return 0;
}

void JsonView::each(const std::function<void(JsonView)>& visit) const {
  if (!is_array()) return;
  for (element e : array_of(JsonAccess::get(*this))) visit(JsonAccess::view(e));
}

void JsonView::each_member(const std::function<void(std::string_view, JsonView)>& visit) const {
  if (!is_object()) return;
  for (auto [key, e] : object_of(JsonAccess::get(*this))) {
    visit(key, JsonAccess::view(e));
  }
}

std::string JsonView::text() const {
  return present_ ? simdjson::minify(JsonAccess::get(*this)) : std::string();
}

namespace {

Json copy_of(const element& e) {
  switch (e.type()) {
    case element_type::ARRAY: {
      JsonArray out;
      for (element item : array_of(e)) out.push_back(copy_of(item));
      return out;
    }
    case element_type::OBJECT: {
      JsonObject out;
      for (auto [key, member] : object_of(e)) {
        out.emplace(boost::json::string_view(key.data(), key.size()), copy_of(member));
      }
      return out;
    }
    case element_type::STRING: {
      std::string_view s = e.get_string().value_unsafe();
      return Json(boost::json::string_view(s.data(), s.size()));
    }
    case element_type::INT64: return Json(e.get_int64().value_unsafe());
    case element_type::UINT64: return Json(e.get_uint64().value_unsafe());
    case element_type::DOUBLE: return Json(e.get_double().value_unsafe());
    case element_type::BOOL: return Json(e.get_bool().value_unsafe());
    case element_type::NULL_VALUE: return nullptr;
  }
  return nullptr;
}

// The first key that stands twice in one object, or null. Small objects are
// compared pair by pair; larger ones are sorted.
const std::string_view* repeated(std::vector<std::string_view>& keys) {
  constexpr std::size_t kSmall = 8;
  if (keys.size() <= kSmall) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (keys[i] == keys[j]) return &keys[i];
      }
    }
    return nullptr;
  }
  std::sort(keys.begin(), keys.end());
  auto twice = std::adjacent_find(keys.begin(), keys.end());
  return twice == keys.end() ? nullptr : &*twice;
}

Status check_keys(const element& e) {
  if (e.type() == element_type::ARRAY) {
    for (element item : array_of(e)) {
      if (auto status = check_keys(item); !status) return status;
    }
  } else if (e.type() == element_type::OBJECT) {
    std::vector<std::string_view> keys;
    keys.reserve(8);
    for (auto [key, member] : object_of(e)) {
      keys.push_back(key);
      if (auto status = check_keys(member); !status) return status;
    }
    if (const auto* key = repeated(keys)) {
      return invalid(fmt::format("the key \"{}\" stands twice in one object", cut_text(*key, 80)));
    }
  }
  return {};
}

}  // namespace

Json JsonView::copy() const { return present_ ? copy_of(JsonAccess::get(*this)) : Json(nullptr); }

struct JsonDocument::Storage {
  simdjson::dom::parser parser;
};

JsonDocument::JsonDocument(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Result<JsonDocument> JsonDocument::parse(std::string_view text, const JsonLimits& limits) {
  auto storage = std::make_unique<Storage>();
  element root;
  auto problem = storage->parser.allocate(std::max<std::size_t>(text.size(), 64), limits.max_depth);
  if (!problem) problem = storage->parser.parse(text.data(), text.size()).get(root);
  if (problem == simdjson::DEPTH_ERROR) {
    return invalid(fmt::format("nested deeper than {} levels", limits.max_depth));
  }
  if (problem == simdjson::NUMBER_ERROR) {
    return invalid("not JSON: a number that is malformed or does not fit 64 bits");
  }
  if (problem) return invalid(fmt::format("not JSON: {}", simdjson::error_message(problem)));
  if (auto status = check_keys(root); !status) return std::move(status).error();
  JsonDocument document(std::move(storage));
  document.root_ = JsonAccess::view(root);
  return document;
}

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  auto document = JsonDocument::parse(text, limits);
  if (!document) return std::move(document).error();
  return document->root().copy();
}

std::string to_text(const Json& value) {
  std::string out;
  JsonWriter(out).value(value);
  return out;
}

namespace {

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c)); return;
  }
}

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// How many of the 16 bytes at p need no escape, counted from the first.
unsigned plain_bytes(const char* p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
  const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const int mask = _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, slash)));
  return static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(mask) | 0x10000U));
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  const char* plain = p;  // start of what has not been copied yet
  while (p != end) {
    if (end - p >= 16) {
      const unsigned n = plain_bytes(p);
      p += n;
      if (n == 16) continue;
    } else if (!needs_escape(*p)) {
      ++p;
      continue;
    }
    out.append(plain, static_cast<std::size_t>(p - plain));
    append_escape(out, *p);
    plain = ++p;
  }
  out.append(plain, static_cast<std::size_t>(p - plain));
}

void JsonWriter::separate() {
  if (comma_) out_ += ',';
  comma_ = true;
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  out_ += '{';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  out_ += '}';
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  out_ += '[';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  out_ += ']';
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  out_ += ':';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  out_ += '"';
  append_escaped(out_, text);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) { return raw(flag ? "true" : "false"); }

JsonWriter& JsonWriter::value(std::int64_t number) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  constexpr double kExact = 9007199254740992.0;  // 2^53: integers below are written as such
  if (number == std::floor(number) && std::fabs(number) < kExact) {
    return value(static_cast<std::int64_t>(number));
  }
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  return *this;
}

JsonWriter& JsonWriter::value(const Json& json) {
  switch (json.kind()) {
    case boost::json::kind::null: return null();
    case boost::json::kind::bool_: return value(json.get_bool());
    case boost::json::kind::int64: return value(json.get_int64());
    case boost::json::kind::uint64: return raw(fmt::format("{}", json.get_uint64()));
    case boost::json::kind::double_: return value(json.get_double());
    case boost::json::kind::string:
      return value(std::string_view(json.get_string().data(), json.get_string().size()));
    case boost::json::kind::array:
      begin_array();
      for (const auto& item : json.get_array()) value(item);
      return end_array();
    case boost::json::kind::object:
      begin_object();
      for (const auto& [name, member] : json.get_object()) {
        key(std::string_view(name.data(), name.size())).value(member);
      }
      return end_object();
  }
  return *this;
}

JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::member_if(std::string_view name, std::string_view text) {
  return text.empty() ? *this : member(name, text);
}

JsonWriter& JsonWriter::raw_member(std::string_view name, std::string_view json) {
  return key(name).raw(json);
}

}  // namespace lode
