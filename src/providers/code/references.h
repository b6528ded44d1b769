// Where a symbol of a file is used in the workspace.
//
// What syntax can tell: names, where they are defined, and which file imports which.
// Types are not known, so that a method of another class with the same name may be
// among the answers; each says how it was found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "providers/code/outlines.h"
#include "providers/code/source_files.h"
#include "syntax/syntax.h"

namespace lode {

// How a file is known to mean the symbol.
enum class Tie : std::uint8_t {
  same_file,
  declares,  // it has a symbol of the same path: a header
  imports,   // it imports the file that has the symbol
  name,      // by the name alone
};
std::string_view to_string(Tie tie);

struct References {
  struct File {
    std::string path;
    Tie tie = Tie::name;
    std::vector<std::string> lines;  // "12 const a = parse(b)"
  };
  std::string name;
  std::string lines;      // of the definition
  bool confined = false;  // no other file can use it
  std::vector<File> files;
  std::vector<std::string> others;  // files that define something of this name themselves
  std::size_t looked_at = 0;        // files
  std::string incomplete;           // why there may be more
};

struct ReferenceLimits {
  std::size_t lines = 500;
  std::size_t others = 50;
};

class ReferenceSearch {
 public:
  // REQUIRES: all outlive it.
  ReferenceSearch(const SourceFiles& files, const Outlines& outlines, const Syntax& syntax,
                  const Exchange& exchange)
      : files_(files), outlines_(outlines), syntax_(syntax), exchange_(exchange) {}

  // outline: of the file, which has the symbol.
  Result<References> run(const std::string& path, const Outline& outline, const Symbol& symbol);

 private:
  void look_into(const std::string& path, const Language& language, std::string_view text);
  void add(const std::string& path, Tie tie, std::string_view text, const std::vector<Span>& spans);
  bool imports_it(const std::string& path, const Outline& outline) const;

  const SourceFiles& files_;
  const Outlines& outlines_;
  const Syntax& syntax_;
  const Exchange& exchange_;
  const ReferenceLimits limits_;

  std::string defined_in_;
  std::string name_;
  std::string path_of_symbol_;
  std::uint32_t defined_at_ = 0;  // a byte of the file: where the name stands
  References found_;
  std::size_t line_count_ = 0;
};

std::string references_answer(const References& found, const Language& language,
                              std::string_view symbol);

}  // namespace lode
