// What files of elements said when they were last read, as bytes in a derived
// file (base/derived_file.h): a start then reads only those that have changed
// since.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "providers/capability/element.h"

namespace lode {

struct ElementPlace {
  std::size_t folder = 0;  // which of the collection's
  std::string file;        // below it
  auto operator<=>(const ElementPlace&) const = default;
};

struct ElementRecord {
  std::uint64_t stamp = 0;         // of the file, as it was read
  std::optional<Element> element;  // nothing: malformed
  std::vector<Problem> problems;
};

using ElementRecords = std::map<ElementPlace, ElementRecord>;

std::string encode(const ElementRecords& records);

// Code::invalid: not ours, of another version, or damaged. No bytes whatever do
// more harm than this.
Result<ElementRecords> decode_records(std::string_view bytes);

}  // namespace lode
