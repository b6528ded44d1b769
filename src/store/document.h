// A file of somebody's, in markdown or YAML: read, and changed without harm.
//
//   markdown   frontmatter between `---` lines, then the body:
//                  ---
//                  name: Reviewer
//                  ---
//                  You review code.
//              `...` may end the frontmatter too. A file that does not begin
//              with `---` is body alone.
//   yaml       one YAML document; but if it begins with a `---` line and another
//              follows, the first part is frontmatter and the rest a body, as in
//              markdown.
//
// A byte order mark, CRLF and a missing last line end are read past and kept.
// The frontmatter is a map (of what kind of YAML: store/yaml.h); empty, or
// absent, it is an empty one. The body may be any bytes.
//
// Invariants:
//  (1) An edit changes the bytes that say the value, and no others: comments,
//      the order of keys, quoting, indentation, line ends and the state of the
//      last line stay.
//  (2) After an edit a parser sees the old document with that one change, or the
//      edit was refused and nothing changed at all. Each result is parsed and
//      compared before it is taken.
//  (3) Setting what is there already changes nothing.
//
// A value in memory: no file, no thread; not for several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "store/yaml.h"
#include "store/yaml_edit.h"

namespace lode {

enum class DocumentForm : std::uint8_t { markdown, yaml };

struct DocumentLimits {
  std::size_t bytes = std::size_t{2} << 20;   // of the file
  std::size_t frontmatter_bytes = 64 * 1024;  // of what stands between `---` lines
  std::size_t depth = 64;                     // of lists and maps
  std::size_t nodes = 100'000;                // of keys and values, with what aliases copy
};

class Document {
 public:
  // Code::invalid says what is wrong and on which line of the file: "line 7: …";
  // a file that is too long has no line.
  static Result<Document> parse(std::string text, DocumentForm form,
                                const DocumentLimits& limits = {});

  // The whole file.
  const std::string& text() const { return text_; }

  // The map; its lines are those of the file, its spans those of frontmatter_text().
  const YamlNode& frontmatter() const { return root_; }
  // What is between the `---` lines, or the whole of a YAML document.
  std::string_view frontmatter_text() const {
    return std::string_view(text_).substr(yaml_begin_, yaml_end_ - yaml_begin_);
  }
  // What follows the frontmatter, exactly. Empty for a YAML document.
  std::string_view body() const { return std::string_view(text_).substr(body_begin_); }

  // The value at a path, or null.
  const YamlNode* find(const YamlPath& path) const;

  // Sets a value. A missing key is appended to its map, with the maps that its
  // path lacks; so is an item whose number is the length of its list. A scalar
  // keeps its quoting if the value allows. Where a list or map replaces another,
  // only what differs is changed, if that takes few steps.
  //
  // Code::invalid: the path is empty or leads through a scalar, or the value is
  // not UTF-8, too deep or too long. Code::unsupported: it cannot be done without
  // changing other values, as when an alias elsewhere names this one, or when a
  // block of text above is ended by the end of the file, without a line end.
  Status set(const YamlPath& path, const Json& value);

  // Removes a key and its value, or an item. Code::not_found: there is none.
  Status remove(const YamlPath& path);

  // Replaces the body. In a document whose lines end with CRLF, the lines of a
  // text without any CR will too. Code::unsupported: a YAML document has none;
  // or the text would be taken for frontmatter.
  Status set_body(std::string_view text);

 private:
  friend class DocumentEdit;  // document_edit.cc

  Document() = default;
  Status split();
  Status read_frontmatter();

  std::string text_;
  DocumentForm form_ = DocumentForm::markdown;
  DocumentLimits limits_;
  YamlNode root_;
  bool fenced_ = false;         // the frontmatter stands between `---` lines
  std::size_t yaml_begin_ = 0;  // of the frontmatter
  std::size_t yaml_end_ = 0;    //
  std::size_t body_begin_ = 0;  //
};

// A new file: the frontmatter in the order of its keys, an empty line, the body,
// a line end at its end. Without frontmatter the body alone. Code::invalid: it
// would be over a limit, or is not UTF-8.
Result<std::string> make_document(const JsonObject& frontmatter, std::string_view body,
                                  const DocumentLimits& limits = {});

}  // namespace lode
