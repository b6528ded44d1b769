#include "providers/capability/collection_file.h"

#include <limits>
#include <utility>

#include "base/derived_file.h"
#include "base/varint.h"

namespace lode {
namespace {

// To be raised whenever read_element() reads a file otherwise than before.
constexpr std::string_view kFormat = "elements 2";
constexpr std::size_t kMostFolders = 64;

// One list of fields for both directions: `io` writes or reads each of them.
template <class Io, class E>
void each_field(Io& io, E& element) {
  io.type(element.type);
  for (auto* text : {&element.id, &element.name, &element.description, &element.version,
                     &element.author, &element.created, &element.updated}) {
    io.text(*text);
  }
  for (auto* texts : {&element.tags, &element.goals, &element.actions}) {
    io.each(*texts, [&](auto& text) { io.text(text); });
  }
  io.each(element.relations, [&](auto& relation) {
    io.text(relation.kind);
    io.text(relation.target);
    io.optional(relation.type, [&](auto& type) { io.type(type); });
    io.number(relation.line);
  });
  io.each(element.variables, [&](auto& variable) {
    io.text(variable.name);
    io.text(variable.description);
    io.text(variable.type);
    io.optional(variable.fallback, [&](auto& text) { io.text(text); });
    io.flag(variable.required);
    io.each(variable.choices, [&](auto& text) { io.text(text); });
  });
}

template <class Io, class R>
void each_part(Io& io, R& record) {
  io.number(record.stamp);
  io.optional(record.element, [&](auto& element) { each_field(io, element); });
  io.each(record.problems, [&](auto& problem) {
    io.number(problem.line);
    io.text(problem.text);
  });
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void number(std::uint64_t value) { put_varint(out_, value); }
  void flag(bool value) { number(value ? 1 : 0); }
  void type(ElementType value) { number(static_cast<std::uint64_t>(value)); }
  void text(std::string_view value) { put_text(out_, value); }
  template <class T, class Each>
  void each(const std::vector<T>& values, const Each& write) {
    number(values.size());
    for (const auto& value : values) write(value);
  }
  template <class T, class Inner>
  void optional(const std::optional<T>& value, const Inner& write) {
    flag(value.has_value());
    if (value) write(*value);
  }

 private:
  std::string& out_;
};

class Reader {
 public:
  explicit Reader(VarintReader& in) : in_(in) {}

  template <class T>
  void number(T& value) {
    value = static_cast<T>(in_.number(std::numeric_limits<T>::max()));
  }
  void flag(bool& value) { value = in_.number(1) == 1; }
  void type(ElementType& value) {
    value = static_cast<ElementType>(in_.number(kElementTypeCount - 1));
  }
  void text(std::string& value) { value = in_.text(); }
  // A value takes more than one byte, so that no count makes this long.
  template <class T, class Each>
  void each(std::vector<T>& values, const Each& read) {
    for (auto n = in_.number(in_.left()); n > 0 && in_.ok(); --n) read(values.emplace_back());
  }
  template <class T, class Inner>
  void optional(std::optional<T>& value, const Inner& read) {
    bool there = false;
    flag(there);
    if (there) read(value.emplace());
  }

 private:
  VarintReader& in_;
};

}  // namespace

std::string encode(const ElementRecords& records) {
  std::string body;
  Writer writer(body);
  for (const auto& [place, record] : records) {
    writer.number(place.tree);
    writer.text(place.path);
    each_part(writer, record);
  }
  return seal(kFormat, body);
}

Result<ElementRecords> decode_records(std::string_view bytes) {
  const auto body = unseal(kFormat, bytes);
  if (!body) return body.error();
  VarintReader in(*body);
  Reader reader(in);
  ElementRecords records;
  while (in.ok() && !in.at_end()) {
    FilePlace place;
    place.tree = in.number(kMostFolders - 1);
    place.path = in.text();
    ElementRecord record;
    each_part(reader, record);
    if (auto& element = record.element) {
      element->file = place.path;
      element->stamp = record.stamp;
    }
    if (!record.element && record.problems.empty()) return invalid("it is damaged");
    for (auto& problem : record.problems) problem.file = place.path;
    records.insert_or_assign(records.end(), std::move(place), std::move(record));
  }
  if (!in.ok()) return invalid("it is damaged");
  return records;
}

}  // namespace lode
