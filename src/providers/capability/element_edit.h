// Changes of an element's document: fields merged into it, its version moved on.
// Values; any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "providers/capability/element.h"
#include "store/document.h"

namespace lode {

// Fields that one update may change; each costs a reading of the file.
inline constexpr std::size_t kMostFieldChanges = 100;

// The version after this one, by semver: 1.2.3 → 1.2.4, 1.2.3-beta.1 →
// 1.2.3-beta.2, 1.2.3-beta → 1.2.3-beta.1; what stands behind a + is of one
// build, and goes. What is no such version stays.
std::string next_version(std::string_view version);

// Only the given keys change: null removes one, a map is merged into a map, all
// else replaces. In files that keep their fields in `metadata` and `data`, each
// goes where it is, or belongs. The paths that changed, "response_style.tone".
// After an error the document may have changed in part.
Result<std::vector<std::string>> merge_fields(Document& document, const JsonObject& fields);

// As body, with the empty lines that stood before the old one, or one, and a
// line end behind. Code::unsupported: it can have none.
Status merge_body(Document& document, std::string_view body);

// The text of a YAML document, which has no body: it goes to the field that holds it, as
// `instructions`, `system_prompt` or `content`; of a memory to its only entry. The path of
// that field. Code::invalid: the memory has several entries.
Result<std::string> merge_text(Document& document, ElementType type, std::string_view text);

// One more entry of a memory, where it keeps them: in `entries`, in its body, or in
// `content`. What was changed.
Result<std::string> append_entry(Document& document, DocumentForm form, std::string_view text,
                                 std::chrono::system_clock::time_point now);

// Says in the document that it was changed: its version, unless the change gives
// one, and when. `add` what is not there; a SKILL.md has no place for it.
Status mark_changed(Document& document, const JsonObject& fields,
                    std::chrono::system_clock::time_point now, bool add);

}  // namespace lode
