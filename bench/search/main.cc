// search_bench: how the cost of a search grows with the documents, and whether
// its ten best are the ten best.
//
//   search_bench REPEATS DOCUMENTS...
//
// One JSON object a line: {"texts": "real", "documents": 10000, "share": 0.01,
// "scoring": "tfidf", "repeat": 0, "us": 12.5, "exact": true}. `us` is CPU time of one
// search for two words, each in that share of the documents. `exact`: the ten are
// those of a list of all that match, and in their order.
//
// "real": like texts that people write, most of them short and some very long; a
// word that stands in one stands there once, or some times. "even": all of about
// one length, and no word more than three times, so that many are nearly as good as
// the best: the harder ones to tell apart.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "search/index.h"

namespace lode {
namespace {

constexpr std::size_t kVocabulary = 20'000;
constexpr double kTypical = 80;  // words of a document
constexpr double kShortest = 20;
constexpr double kLongest = 2'000;
constexpr double kSpread = 0.8;  // of the logarithm of their number
constexpr double kShares[] = {0.01, 0.1};
constexpr const char* kQueries[] = {"quartz garnet", "basalt gneiss"};

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

enum class Texts { real, even };

const char* name(Texts texts) { return texts == Texts::real ? "real" : "even"; }

std::size_t length_of(Texts texts, std::mt19937_64& random) {
  if (texts == Texts::even) return static_cast<std::size_t>(kTypical);
  std::lognormal_distribution<double> lengths(std::log(kTypical), kSpread);
  return static_cast<std::size_t>(std::clamp(lengths(random), kShortest, kLongest));
}

std::size_t count_of(Texts texts, std::mt19937_64& random) {
  if (texts == Texts::even) return 1 + random() % 3;
  return 1 + static_cast<std::size_t>(std::geometric_distribution<int>(0.5)(random));
}

// Words as texts have them: the n-th is about n times rarer than the first.
std::string text_of(Texts texts, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::string text;
  for (std::size_t n = length_of(texts, random); n > 0; --n) {
    const double rank = std::pow(static_cast<double>(kVocabulary), uniform(random));
    text += "w" + std::to_string(static_cast<std::size_t>(rank)) + " ";
  }
  for (std::size_t i = 0; i < std::size(kShares); ++i) {
    const std::string query = kQueries[i];
    const auto space = query.find(' ');
    for (const auto& word : {query.substr(0, space), query.substr(space + 1)}) {
      if (uniform(random) >= kShares[i]) continue;
      for (auto n = count_of(texts, random); n > 0; --n) text += word + " ";
    }
  }
  return text;
}

struct Sample {
  Texts texts;
  std::unique_ptr<Index> index = std::make_unique<Index>();
};

Sample make_sample(Texts texts, std::size_t documents) {
  std::mt19937_64 random(documents);
  Sample sample{texts};
  for (std::size_t i = 0; i < documents; ++i) {
    const std::string n = std::to_string(i);
    const std::string body = text_of(texts, random);
    if (!sample.index->put(
            {.key = "doc:" + n, .kind = "document", .title = "title " + n, .body = body})) {
      std::abort();
    }
  }
  return sample;
}

bool is_exact(const Index& index, const char* query, Scoring scoring) {
  const auto best = index.search(query, {.limit = 10, .scoring = scoring});
  const auto all = index.search(query, {.limit = index.stats().documents, .scoring = scoring});
  return best.size() == std::min<std::size_t>(10, all.size()) &&
         std::equal(best.begin(), best.end(), all.begin(), [](const auto& a, const auto& b) {
           return a.key == b.key && a.score == b.score;
         });
}

double cost(const Index& index, const char* query, Scoring scoring) {
  std::size_t searches = 0;
  const double began = cpu_seconds();
  double took = 0;
  for (; took < 0.05; took = cpu_seconds() - began, ++searches) {
    if (index.search(query, {.limit = 10, .scoring = scoring}).empty()) std::abort();
  }
  return took * 1e6 / static_cast<double>(searches);
}

void measure(const Sample& sample, std::size_t repeat) {
  const Index& index = *sample.index;
  for (std::size_t i = 0; i < std::size(kShares); ++i) {
    for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
      std::printf(
          "{\"texts\": \"%s\", \"documents\": %zu, \"share\": %g, \"scoring\": \"%s\", "
          "\"repeat\": %zu, \"us\": %.3f, \"exact\": %s}\n",
          name(sample.texts), index.stats().documents, kShares[i],
          scoring == Scoring::bm25 ? "bm25" : "tfidf", repeat, cost(index, kQueries[i], scoring),
          is_exact(index, kQueries[i], scoring) ? "true" : "false");
    }
  }
}

void run(std::size_t repeats, std::span<char*> counts) {
  std::vector<Sample> samples;
  for (const auto texts : {Texts::real, Texts::even}) {
    for (const char* count : counts) {
      samples.push_back(make_sample(texts, std::strtoul(count, nullptr, 10)));
    }
  }
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    for (const auto& sample : samples) measure(sample, repeat);
  }
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: search_bench REPEATS DOCUMENTS...\n", stderr);
    return 2;
  }
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  lode::run(std::strtoul(argv[1], nullptr, 10), arguments.subspan(2));
}
