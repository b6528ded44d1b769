// Where a followed file is.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <string>

namespace lode {

struct FilePlace {
  std::size_t tree = 0;  // which of those that are followed together
  std::string path{};    // below it
  auto operator<=>(const FilePlace&) const = default;
};

struct FilePlaceHash {
  std::size_t operator()(const FilePlace& place) const {
    return std::hash<std::string>()(place.path) + place.tree;
  }
};

}  // namespace lode
