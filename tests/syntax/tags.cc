// The symbols of real files, to be compared with what other programs find:
//
//   lode_syntax_tags LANGUAGE < PATHS
//
// Reads a path a line; passes over files of other languages. Writes tab-separated
// lines: `file PATH PROBLEMS`, then for each symbol of it `KIND NAME LINE`, and
// `skip PATH REASON` for what cannot be read.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "syntax/local_syntax.h"

namespace lode {
namespace {

void tell(const Syntax& syntax, const Language& language, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (language_of(path, text) != &language) return;
  const auto outline = syntax.outline(language, text);
  if (!outline) return fmt::print("skip\t{}\t{}\n", path, outline.error().message);
  fmt::print("file\t{}\t{}\n", path, outline->problems.size());
  for (const auto& symbol : outline->symbols) {
    fmt::print("{}\t{}\t{}\n", to_string(symbol.kind), symbol.name, symbol.name_line);
  }
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) {
  const auto* language = argc == 2 ? lode::find_language(argv[1]) : nullptr;
  if (language == nullptr) {
    fmt::print(stderr, "usage: lode_syntax_tags LANGUAGE < PATHS\n");
    return 2;
  }
  const lode::LocalSyntax syntax;
  for (std::string path; std::getline(std::cin, path);) lode::tell(syntax, *language, path);
  return 0;
}
