// The words of a document, counted; for who puts it into an index (search/index.h).
#pragma once

#include <cstdint>

#include "search/analyzer.h"
#include "search/index.h"

namespace lode {

struct Index::Terms {
  TermBag bag;
  std::uint32_t length = 0;  // in words
};

}  // namespace lode
