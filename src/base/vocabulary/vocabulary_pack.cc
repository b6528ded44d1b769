// Writes the VocabularyImage that the program embeds; run by the build.
//
//   lode_vocabulary_pack RANKS CATEGORIES OUTPUT
//
// RANKS is a file of lines "base64-of-token rank"; CATEGORIES a directory with
// one file for each General_Category, whose code points stand in it as 0x…
// numbers: singles first, then pairs within addRange(…).
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/tokens_table.h"

namespace lode {
namespace {

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "lode_vocabulary_pack: %s\n", why.c_str());
  std::exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) fail("cannot read " + path);
  return std::move(text).str();
}

std::string decode_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int have = 0;
  for (char c : text.substr(0, text.find('='))) {
    const auto digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) fail("not base64: " + std::string(text));
    bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xFFFFFF;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes += static_cast<char>(bits >> have);
  }
  return bytes;
}

// The tokens in the order of their ranks, which have no gaps.
std::vector<std::string> read_tokens(const std::string& path) {
  std::vector<std::string> tokens;
  std::istringstream lines(read_file(path));
  std::string token;
  for (std::size_t rank = 0; lines >> token >> rank;) {
    if (rank != tokens.size()) fail("the ranks have a gap before " + std::to_string(rank));
    tokens.push_back(decode_base64(token));
    if (tokens.back().empty() || tokens.back().size() > kLongestToken) fail("a token's length");
  }
  if (tokens.size() < 1000) fail("too few tokens in " + path);
  return tokens;
}

using Ranks = std::unordered_map<std::string_view, std::uint32_t>;

// Lays the tokens' bytes out, the longest first; whatever else is a token inside
// one needs no bytes of its own.
class Bytes {
 public:
  Bytes(const std::vector<std::string>& tokens, const Ranks& ranks)
      : tokens_(tokens), ranks_(ranks), offsets_(tokens.size(), kUnplaced) {
    std::vector<std::uint32_t> order(tokens.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return tokens[a].size() > tokens[b].size();
    });
    for (auto rank : order) {
      if (offsets_[rank] == kUnplaced) place(tokens_[rank]);
    }
  }

  const std::string& text() const { return text_; }
  std::size_t offset(std::size_t rank) const { return offsets_[rank]; }

 private:
  static constexpr std::size_t kUnplaced = SIZE_MAX;

  void place(std::string_view token) {
    for (std::size_t begin = 0; begin < token.size(); ++begin) {
      for (std::size_t size = 1; size <= token.size() - begin; ++size) {
        const auto found = ranks_.find(token.substr(begin, size));
        if (found == ranks_.end() || offsets_[found->second] != kUnplaced) continue;
        offsets_[found->second] = text_.size() + begin;
      }
    }
    text_ += token;
  }

  const std::vector<std::string>& tokens_;
  const Ranks& ranks_;
  std::vector<std::size_t> offsets_;
  std::string text_;
};

void write_tokens(const std::vector<std::string>& tokens, VocabularyImage& image) {
  Ranks ranks;
  for (std::uint32_t rank = 0; rank < tokens.size(); ++rank) ranks.emplace(tokens[rank], rank);
  if (ranks.size() != tokens.size()) fail("a token stands twice");
  if (tokens.size() * 5 > kVocabularySlots * 4) fail("too many tokens: raise kVocabularySlots");
  for (int byte = 0; byte < 256; ++byte) {
    const char single = static_cast<char>(byte);
    if (ranks.count({&single, 1}) == 0) fail("a single byte is no token");
  }
  const Bytes bytes(tokens, ranks);
  if (bytes.text().size() > kVocabularyBytes) fail("too long: raise kVocabularyBytes");
  std::copy(bytes.text().begin(), bytes.text().end(), image.bytes.begin());
  for (std::uint32_t rank = 0; rank < tokens.size(); ++rank) {
    const auto hash = vocabulary_hash(tokens[rank]);
    auto slot = VocabularySlot::home_of(hash);
    while (image.slots[slot] != 0) slot = VocabularySlot::after(slot);
    image.slots[slot] =
        VocabularySlot::make(bytes.offset(rank), tokens[rank].size(), rank, hash).bits;
  }
}

std::vector<std::size_t> numbers_in(std::string_view text) {
  std::vector<std::size_t> numbers;
  for (auto at = text.find("0x"); at != std::string_view::npos; at = text.find("0x", at + 2)) {
    std::size_t number = 0;
    std::from_chars(text.data() + at + 2, text.data() + text.size(), number, 16);
    if (number >= 0x110000) fail("no code point");
    numbers.push_back(number);
  }
  return numbers;
}

void mark_classes(const std::string& directory, std::vector<CharClass>& classes) {
  const std::pair<const char*, CharClass> categories[] = {
      {"General_Category/Uppercase_Letter", CharClass::upper},
      {"General_Category/Titlecase_Letter", CharClass::upper},
      {"General_Category/Lowercase_Letter", CharClass::lower},
      {"General_Category/Modifier_Letter", CharClass::letter},
      {"General_Category/Other_Letter", CharClass::letter},
      {"General_Category/Mark", CharClass::mark},
      {"General_Category/Number", CharClass::number},
      {"Binary_Property/White_Space", CharClass::space},
  };
  for (const auto& [name, value] : categories) {
    const auto text = read_file(directory + "/" + name + ".js");
    constexpr std::string_view kRange = "addRange(";
    auto at = std::min(text.find(kRange), text.size());
    for (auto code : numbers_in(text.substr(0, at))) classes[code] = value;
    while (at < text.size()) {
      const auto next = std::min(text.find(kRange, at + 1), text.size());
      const auto ends = numbers_in(text.substr(at, next - at));
      if (ends.size() != 2) fail(std::string(name) + ": a range has two ends");
      for (auto code = ends[0]; code <= ends[1]; ++code) classes[code] = value;
      at = next;
    }
  }
  classes['\r'] = classes['\n'] = CharClass::newline;
}

void write_classes(const std::string& directory, VocabularyImage& image) {
  std::vector<CharClass> classes(0x110000, CharClass::other);
  mark_classes(directory, classes);
  std::map<std::vector<CharClass>, std::size_t> seen;
  for (std::size_t block = 0; block < kCharBlocks; ++block) {
    const auto begin = classes.begin() + static_cast<std::ptrdiff_t>(256 * block);
    std::vector<CharClass> content(begin, begin + 256);
    const auto [found, fresh] = seen.emplace(std::move(content), seen.size());
    if (seen.size() > kDistinctCharBlocks) fail("too many: raise kDistinctCharBlocks");
    image.block_of[block] = static_cast<std::uint8_t>(found->second);
    if (fresh) std::copy_n(begin, 256, image.classes.begin() + 256 * found->second);
  }
}

void pack(const std::string& ranks, const std::string& categories, const std::string& output) {
  auto image = std::make_unique<VocabularyImage>();
  write_tokens(read_tokens(ranks), *image);
  write_classes(categories, *image);
  std::ofstream file(output, std::ios::binary);
  file.write(reinterpret_cast<const char*>(image.get()), sizeof *image);
  if (!file.flush()) fail("cannot write " + output);
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) {
  if (argc != 4) lode::fail("usage: lode_vocabulary_pack RANKS CATEGORIES OUTPUT");
  lode::pack(argv[1], argv[2], argv[3]);
  return 0;
}
