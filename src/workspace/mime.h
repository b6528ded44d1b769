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

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workspace/magic.h"

namespace lode {

inline constexpr std::string_view kTextType = "text/plain";
inline constexpr std::string_view kBinaryType = "application/octet-stream";
// As many first bytes as a caller need give.
inline constexpr std::size_t kMimeHead = 4096;

// The system's table of MIME types by name (shared-mime-info): which patterns
// of names mean which type, and which types are kinds of others. Loaded once,
// constant afterwards; any thread.
class MimeDatabase {
 public:
  // directory: as /usr/share/mime. What is missing there is as if empty.
  explicit MimeDatabase(const std::string& directory);
  MimeDatabase(const MimeDatabase&) = delete;
  MimeDatabase& operator=(const MimeDatabase&) = delete;

  // The types of files that are called just so, as "Makefile". folded: the name
  // was brought to lower case, so that what insists on case does not fit.
  std::vector<std::string_view> types_of_name(std::string_view name, bool folded) const;
  // The types of the best pattern that fits the name: that of the highest
  // weight, among those the longest. Several if the patterns tie.
  std::vector<std::string_view> types_of_pattern(std::string_view name, bool folded) const;

  // True if a file of the type is a text file: the database or the type's name
  // says so.
  bool textual(std::string_view type) const;

 private:
  struct Glob {
    std::string_view pattern;  // of "*.ext": ".ext"
    std::string_view type;
    int weight = 0;
    bool exact_case = false;
  };
  struct Best;

  void add_glob(std::string_view line);
  static void consider_equal(const std::vector<Glob>& globs, std::string_view text, bool folded,
                             Best& best);
  static void consider(const Glob& glob, std::size_t length, bool folded, Best& best);

  std::string globs_text_;  // the views point here
  std::string kinds_text_;
  std::vector<Glob> names_;     // whole names, sorted by pattern
  std::vector<Glob> suffixes_;  // "*" and a text, sorted by that text
  std::vector<Glob> others_;    // the few real patterns
  std::vector<std::pair<std::string_view, std::string_view>> kinds_;  // type, what it is; sorted
};

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
