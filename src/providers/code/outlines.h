// The outline of a text, parsed only if nobody has parsed the same bytes before.
#pragma once

#include <atomic>
#include <string_view>

#include "base/result.h"
#include "providers/code/outline_store.h"
#include "syntax/syntax.h"

namespace lode {

// Any thread.
class Outlines {
 public:
  // REQUIRES: the syntax outlives it.
  explicit Outlines(const Syntax& syntax) : syntax_(syntax) {}

  // From now on outlines are kept there. REQUIRES: it outlives this; called once.
  void keep_in(OutlineStore& store) { store_ = &store; }

  // REQUIRES: the text outlives the outline. As Syntax::outline().
  Result<Outline> of(const Language& language, std::string_view text) const;

  // Writes what was parsed meanwhile; see OutlineStore.
  void write_batch() const;
  void flush() const;

 private:
  const Syntax& syntax_;
  std::atomic<OutlineStore*> store_ = nullptr;
};

}  // namespace lode
