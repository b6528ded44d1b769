// The system's table of MIME types by name (shared-mime-info): which patterns
// of names mean which type, and which types are kinds of others. Loaded once,
// constant afterwards; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lode {

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

}  // namespace lode
