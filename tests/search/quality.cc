// Search quality on Debian's manual pages:
//
//   lode_search_quality DIRECTORY
//
// Each page is a document, without its section NAME; the line of that section
// is the query whose one right answer the page is. A second, harder set leaves
// the names out of the queries and keeps what stands after the dash. All
// engines get the same texts.
//
// Fails if BM25 over our index is below SQLite's FTS5 in nDCG@10 or recall@10
// on either set, or if there are fewer than 500 queries.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "fts5.h"
#include "man_page.h"
#include "search/index.h"

namespace lode {
namespace {

constexpr std::size_t kDepth = 10;
constexpr std::size_t kFewestQueries = 500;

// Sorted by path, so that every run sees the same order. Links to other pages
// are not pages.
std::vector<ManPage> read_pages(const std::filesystem::path& directory) {
  std::map<std::string, ManPage> pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.is_symlink() || !entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    ManPage page = parse_man_page(source);
    if (!page.name.empty() && !page.text.empty()) pages[entry.path().string()] = std::move(page);
  }
  std::vector<ManPage> sorted;
  sorted.reserve(pages.size());
  for (auto& [path, page] : pages) sorted.push_back(std::move(page));
  return sorted;
}

std::string description(const std::string& name) {
  const auto dash = name.find(" - ");
  return dash == std::string::npos ? name : name.substr(dash + 3);
}

struct Quality {
  double ndcg = 0;
  double recall = 0;

  bool below(const Quality& other) const { return ndcg < other.ndcg || recall < other.recall; }
};

// The numbers of pages, best first.
using Engine = std::function<std::vector<std::int64_t>(const std::string& query)>;

Quality measure(const std::vector<std::string>& queries, const Engine& engine) {
  Quality sum;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto found = engine(queries[i]);
    const auto at = std::find(found.begin(), found.end(), static_cast<std::int64_t>(i));
    if (at == found.end()) continue;
    sum.recall += 1;
    sum.ndcg += 1 / std::log2(static_cast<double>(at - found.begin()) + 2);
  }
  const auto n = static_cast<double>(queries.size());
  return {sum.ndcg / n, sum.recall / n};
}

class Comparison {
 public:
  explicit Comparison(const std::vector<ManPage>& pages) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const std::string key = std::to_string(i);
      if (!index_.put({.key = key, .kind = "page", .body = pages[i].text})) std::exit(2);
      fts5_.add(static_cast<std::int64_t>(i), pages[i].text);
    }
  }

  // False: ours is below.
  bool run(const char* what, const std::vector<std::string>& queries) const {
    const Quality theirs =
        measure(queries, [&](const std::string& query) { return fts5_.search(query, kDepth); });
    const Quality bm25 = measure(queries, ours(Scoring::bm25));
    const Quality tfidf = measure(queries, ours(Scoring::tfidf));
    std::printf("%s: %zu queries\n", what, queries.size());
    std::printf("  %-22s nDCG@10 %.4f  recall@10 %.4f\n", "SQLite FTS5, bm25", theirs.ndcg,
                theirs.recall);
    std::printf("  %-22s nDCG@10 %.4f  recall@10 %.4f\n", "lode, BM25", bm25.ndcg, bm25.recall);
    std::printf("  %-22s nDCG@10 %.4f  recall@10 %.4f\n", "lode, TF-IDF", tfidf.ndcg, tfidf.recall);
    return !bm25.below(theirs);
  }

 private:
  Engine ours(Scoring scoring) const {
    return [this, scoring](const std::string& query) {
      std::vector<std::int64_t> ids;
      for (const auto& hit : index_.search(query, {.limit = kDepth, .scoring = scoring})) {
        ids.push_back(std::stoll(hit.key));
      }
      return ids;
    };
  }

  Index index_;
  Fts5 fts5_;
};

int run(const char* directory) {
  const auto pages = read_pages(directory);
  std::vector<std::string> names;
  std::vector<std::string> descriptions;
  for (const auto& page : pages) {
    names.push_back(page.name);
    descriptions.push_back(description(page.name));
  }
  if (pages.size() < kFewestQueries) {
    std::fprintf(stderr, "%s has %zu pages; %zu are needed\n", directory, pages.size(),
                 kFewestQueries);
    return 1;
  }
  const Comparison comparison(pages);
  const bool by_name = comparison.run("the NAME line", names);
  const bool by_description =
      comparison.run("what the NAME line says after the dash", descriptions);
  return by_name && by_description ? 0 : 1;
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: lode_search_quality DIRECTORY\n");
    return 2;
  }
  return lode::run(argv[1]);
}
