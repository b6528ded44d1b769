// What files of elements said when they were last read, as bytes in a derived
// file (base/derived_file.h): a start then reads only those that have changed
// since.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "follow/file_place.h"
#include "providers/capability/element.h"

namespace lode {

struct ElementRecord {
  std::uint64_t stamp = 0;         // of the file, as it was read
  std::optional<Element> element;  // nothing: malformed
  std::vector<Problem> problems;
};

// By the collection's folder and the name below it.
using ElementRecords = std::map<FilePlace, ElementRecord>;

std::string encode(const ElementRecords& records);

// Code::invalid: not ours, of another version, or damaged. No bytes whatever do
// more harm than this.
Result<ElementRecords> decode_records(std::string_view bytes);

}  // namespace lode
