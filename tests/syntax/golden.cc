// Compares the outline of each file of a folder with the file NAME.outline beside it:
//
//   lode_syntax_golden [--update] FOLDER
//
// --update writes these files instead.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "outline_text.h"
#include "syntax/local_syntax.h"
#include "syntax/outline_record.h"

namespace lode {
namespace {

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Result<std::string> outline_of(const Syntax& syntax, const std::string& file) {
  const auto text = read(file);
  const auto* language = language_of(file, text);
  if (language == nullptr) return not_found("no language");
  auto outline = syntax.outline(*language, text);
  if (!outline) return std::move(outline).error();
  auto lines = outline_text(*outline);
  const auto kept = decode_outline(encode_outline(*outline), *language, text);
  if (!kept || outline_text(*kept) != lines) return internal("another outline after it was kept");
  return lines;
}

// What a person needs to see of two texts: the first lines that differ.
void show_difference(std::string_view expected, std::string_view actual) {
  const auto line = [](std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto first = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return first;
  };
  while (!expected.empty() || !actual.empty()) {
    const auto want = line(expected);
    const auto have = line(actual);
    if (want == have) continue;
    fmt::print("  expected: {}\n  actual:   {}\n", want, have);
    return;
  }
}

bool check(const Syntax& syntax, const std::string& file, bool update) {
  const auto actual = outline_of(syntax, file);
  if (!actual) {
    fmt::print("{}: {}\n", file, actual.error().message);
    return false;
  }
  const auto beside = file + ".outline";
  if (update) {
    std::ofstream(beside, std::ios::binary) << *actual;
    return true;
  }
  const auto expected = read(beside);
  if (expected == *actual) return true;
  fmt::print("{}:\n", file);
  show_difference(expected, *actual);
  return false;
}

int run(const std::string& folder, bool update) {
  const LocalSyntax syntax;
  std::vector<std::string> samples;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".outline") samples.push_back(entry.path());
  }
  std::ranges::sort(samples);
  const auto wrong = std::ranges::count_if(
      samples, [&](const std::string& file) { return !check(syntax, file, update); });
  fmt::print("{} samples, {} wrong\n", samples.size(), wrong);
  return wrong > 0 || samples.empty() ? 1 : 0;
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) {
  const bool update = argc == 3 && std::string_view(argv[1]) == "--update";
  if (argc != 2 && !update) {
    fmt::print(stderr, "usage: lode_syntax_golden [--update] FOLDER\n");
    return 2;
  }
  return lode::run(argv[argc - 1], update);
}
