#include "providers/code/outlines.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "syntax/outline_record.h"

namespace lode {

Result<Outline> Outlines::of(const Language& language, std::string_view text) const {
  OutlineStore* const store = store_;
  if (store == nullptr) return syntax_.outline(language, text);
  const auto key = fmt::format("{} {} {}", content_hash(text), language.id, outline_version());
  if (const auto kept = store->find(key)) {
    if (auto outline = decode_outline(*kept, language, text)) return std::move(*outline);
  }
  auto record = syntax_.outline_record(language, text);
  if (!record) return std::move(record).error();
  auto outline = decode_outline(*record, language, text);
  if (!outline) return internal("the parser's answer cannot be read");
  store->put(key, std::move(*record));
  return std::move(*outline);
}

void Outlines::write_batch() const {
  if (OutlineStore* const store = store_) store->write_batch();
}

void Outlines::flush() const {
  if (OutlineStore* const store = store_) store->flush();
}

}  // namespace lode
