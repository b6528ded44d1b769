// A text that is made once and held by many answers at the same time.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/memory_budget.h"

namespace lode {

struct SharedText {
  // others: bytes that live as long as the text, besides its own.
  explicit SharedText(std::string made, std::size_t others = 0)
      : text(std::move(made)), loan(text.size() + others) {}

  const std::string text;
  const MemoryLoan loan;
};

}  // namespace lode
