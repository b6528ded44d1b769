#include "search/keywords.h"

#include <algorithm>
#include <cmath>

#include "search/stop_words.h"

namespace lode {
namespace {

constexpr std::size_t kHandful = 4;  // documents
constexpr std::size_t kMostDigits = 4;
constexpr double kRarityPower = 1.5;

// Words have letters, and digits at one place at most: "utf8" and "sha256", but not "v2", "t02",
// "20261116t02" or "a3f9c2". Letters outside ASCII are letters.
bool is_word(std::string_view term) {
  std::size_t letters = 0;
  std::size_t digits = 0;
  std::size_t runs = 0;  // of digits
  bool in_run = false;
  for (const char c : term) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !in_run) ++runs;
    in_run = digit;
    ++(digit ? digits : letters);
  }
  return letters > 1 && runs < 2 && digits <= kMostDigits;
}

bool is_telling(std::string_view term) { return is_word(term) && !is_stop_word(term); }

// What is known of a term in the documents.
struct Said {
  double weight = 0;
  std::uint32_t documents = 0;
  std::uint32_t most = 0;  // times, by one of them
  DocId by = 0;
};

// By number of the term.
std::vector<Said> said_in(const Corpus& corpus, std::span<const DocId> documents) {
  std::vector<Said> said(corpus.vocabulary().size());
  for (const DocId id : documents) {
    corpus.each_term(id, [&](TermId term, std::uint32_t n) {
      auto& word = said[term];
      word.weight += count_weight(n);
      ++word.documents;
      if (n > word.most) word.by = id;
      word.most = std::max(word.most, n);
    });
  }
  return said;
}

}  // namespace

std::vector<Keyword> heaviest_words(const Corpus& corpus, std::span<const DocId> documents,
                                    std::size_t count) {
  const auto& vocabulary = corpus.vocabulary();
  auto said = said_in(corpus, documents);
  const auto all = static_cast<double>(documents.size());
  const auto is_common = [&](const Said& word) {
    return documents.size() > kHandful && std::size_t{word.documents} * 2 > documents.size();
  };
  std::vector<TermId> order;
  for (TermId id = 0; id < said.size(); ++id) {
    auto& word = said[id];
    if (word.documents == 0 || is_common(word) || !is_telling(vocabulary.term(id))) continue;
    word.weight *= std::pow(std::log((all + 1) / word.documents), kRarityPower);
    order.push_back(id);
  }
  count = std::min(count, order.size());
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(order.begin(), end, order.end(), [&](TermId a, TermId b) {
    if (said[a].weight != said[b].weight) return said[a].weight > said[b].weight;
    return vocabulary.term(a) < vocabulary.term(b);
  });
  order.resize(count);
  std::vector<Keyword> words;
  words.reserve(count);
  for (const TermId id : order) {
    words.push_back({std::string(vocabulary.surface(id)), said[id].weight, said[id].documents,
                     std::string(vocabulary.term(id)), std::string(corpus.key(said[id].by))});
  }
  return words;
}

}  // namespace lode
