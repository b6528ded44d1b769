// How long the vector of a document's TF-IDF weights is at least.
//
// The true length (search/ranking.h) depends on the idf of all its terms, which
// every addition changes for many documents; only a search that must know it
// computes it. What is kept here rules out nearly all others. With w the weight of
// a count, A = ln(1 + N) + 1 and l = ln(1 + df), a length is the root of
//
//   Σ w² (A - l)²  =  A² Σ w²  -  2 A Σ w² l  +  Σ w² l²
//
// so that three sums give it for any number of documents. Kept are the sums with a
// ceiling in place of each l. Where l reaches the ceiling, this is raised by
// kSlack, and the sums of all the term's documents follow: as df must have grown by
// a third since the last time, a posting costs three such visits on the average.
//
// Invariants:
//  (1) ceiling(t) >= ln(1 + df(t)). So the bound is one, and for a text of common
//      and rare words it is some hundredths below the length.
//  (2) ceiling(t) - ln(1 + df(t)) < kSlack + ln 2 < 1 <= idf(t), as a list is
//      rewritten, and its ceiling lowered, before more than half of its documents
//      have died. So nothing squared is negative.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lode {

class Norms {
 public:
  static constexpr float kSlack = 0.3F;

  // What one posting adds to its document's sums.
  struct Sums {
    double flat = 0;     // w²
    double linear = 0;   // w² l
    double squares = 0;  // w² l²

    void add(double weight, double ceiling) {
      const double w2 = weight * weight;
      flat += w2;
      linear += w2 * ceiling;
      squares += w2 * ceiling * ceiling;
    }
  };

  // The next document.
  void append(const Sums& sums) { sums_.push_back(sums); }
  // Makes room for so many documents.
  void reserve(std::size_t documents) { sums_.reserve(documents); }
  // A term's ceiling was changed, and this document has the term.
  void shift(std::uint32_t document, double weight, double from, double to) {
    auto& sums = sums_[document];
    const double w2 = weight * weight;
    sums.linear += w2 * (to - from);
    sums.squares += w2 * (to - from) * (to + from);
  }

  // A lower bound of the length of a document's vector, squared; log_documents:
  // ln(1 + N).
  double bound(std::uint32_t document, double log_documents) const {
    const auto& [flat, linear, squares] = sums_[document];
    const double a = log_documents + 1;
    // As no idf is less than one, no length is less than that of the flat vector.
    return kRounding * std::max(flat, a * (a * flat - 2 * linear) + squares);
  }

  std::size_t heap_bytes() const { return sums_.capacity() * sizeof(Sums); }

 private:
  // What is added and taken away many times rounds by less than this.
  static constexpr double kRounding = 1 - 2e-5;

  std::vector<Sums> sums_;  // by document
};

}  // namespace lode
