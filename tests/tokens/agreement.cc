// Compares Tokenizer with the tokens of tiktoken.
//
//   lode_tokens_agreement texts.jsonl
//
// Lines are as generate.mjs writes them. Prints every disagreement and
// "N passed, M failed"; exits with 1 if there is one, or if there are too few
// texts to mean anything.
#include <cstddef>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/json.h"
#include "base/tokens.h"

namespace lode {
namespace {

constexpr std::size_t kFewestTexts = 5000;

std::optional<std::string> text_of(JsonView line) {
  if (auto text = line["text"].string()) return std::string(*text);
  if (auto bytes = line["bytes"].string()) return base64_decode(*bytes);
  const auto path = line["file"].string();
  if (!path) return std::nullopt;
  std::ifstream file{std::string(*path), std::ios::binary};
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) return std::nullopt;
  return std::move(content).str();
}

std::vector<std::uint32_t> tokens_of(JsonView line) {
  std::vector<std::uint32_t> tokens;
  line["tokens"].each([&](JsonView token) {
    tokens.push_back(static_cast<std::uint32_t>(token.integer().value_or(kNoRank)));
  });
  return tokens;
}

std::string shown(const std::vector<std::uint32_t>& tokens) {
  std::string all;
  for (auto token : tokens) all += " " + std::to_string(token);
  return all.substr(0, 2000);
}

// Prints why a line fails; true if it passes.
bool passes(const std::string& line) {
  auto document = JsonDocument::parse(line);
  const auto text = document ? text_of(document->root()) : std::nullopt;
  if (!text) {
    std::cout << "not a text with tokens: " << line.substr(0, 200) << "\n";
    return false;
  }
  const auto theirs = tokens_of(document->root());
  const auto ours = Tokenizer::o200k().encode(*text);
  if (ours == theirs && Tokenizer::o200k().count(*text) == theirs.size()) return true;
  std::cout << line.substr(0, 500) << "\ntiktoken:" << shown(theirs) << "\nours:    " << shown(ours)
            << "\n\n";
  return false;
}

int run(std::istream& lines) {
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (std::string line; std::getline(lines, line);) ++(passes(line) ? passed : failed);
  std::cout << passed << " passed, " << failed << " failed\n";
  if (passed + failed < kFewestTexts) {
    std::cout << "too few texts: at least " << kFewestTexts << " are needed\n";
    return 1;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) {
  std::ifstream file(argc < 2 ? "" : argv[1]);
  if (!file) {
    std::cout << "usage: lode_tokens_agreement texts.jsonl\n";
    return 1;
  }
  return lode::run(file);
}
