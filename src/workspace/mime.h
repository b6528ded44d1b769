// The MIME type of a file, by its name and its first bytes.
//
//  1. The name decides, if it says anything and the content does not contradict:
//     first the types that we name ourselves (common sources, and the ones that
//     the system's database has by an outdated name), then the database.
//  2. Where a name means several things (x.ts: TypeScript, a translation, a
//     video), whether the content is text decides.
//  3. A name that lies about text is not believed: what libmagic finds counts,
//     else text/plain or application/octet-stream.
//  4. Without a word from the name, libmagic is asked about binary content and
//     about text that announces itself (#!, <, {, [, %); of other text it
//     guesses too much, and it is text/plain.
//
// Text is valid UTF-8 without NUL; a character cut off at the end is forgiven.
// Database and library are read on first use; either may be missing.
#pragma once

#include <string>
#include <string_view>

#include "workspace/magic.h"
#include "workspace/mime_database.h"

namespace lode {

inline constexpr std::string_view kTextType = "text/plain";
inline constexpr std::string_view kBinaryType = "application/octet-stream";
// As many first bytes as a caller need give.
inline constexpr std::size_t kMimeHead = 4096;

// Any thread.
class MimeTypes {
 public:
  // database: a directory; library: for dlopen().
  MimeTypes(const std::string& database, std::string library)
      : database_(database), magic_(std::move(library)) {}

  // name: the last segment of a path, or all of it. head: the first bytes of the
  // file, all if it is short; none: the name alone decides.
  std::string type(std::string_view name, std::string_view head);

 private:
  std::vector<std::string_view> by_name(std::string_view name) const;
  std::string by_content(std::string_view head, bool text);
  bool textual(std::string_view type) const;

  const MimeDatabase database_;
  Magic magic_;
};

// The same, from what the system has: one table for the whole program, since
// it is the system's and never changes.
std::string mime_type(std::string_view name, std::string_view head);

}  // namespace lode
