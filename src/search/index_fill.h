// Fills an index that is empty with many documents, in less time than one by one: the postings of
// all are made at the end, each list in one piece and of the size that it needs.
//
// Until finish() the index knows nothing of them. Who changes the index itself meanwhile loses
// that: what was filled takes the place of all that it has.
//
// put(): any thread, and several at once, which analyse their texts side by side.
#pragma once

#include <cstddef>
#include <memory>

#include "base/mutex.h"
#include "base/result.h"
#include "search/index.h"

namespace lode {

class IndexFill {
 public:
  // documents: about how many there will be. REQUIRES: the index outlives it.
  IndexFill(Index& index, std::size_t documents);
  ~IndexFill();
  IndexFill(const IndexFill&) = delete;
  IndexFill& operator=(const IndexFill&) = delete;

  // As Index::put(). REQUIRES: no two documents have one key.
  Status put(const Index::Document& document) LODE_EXCLUDES(mutex_);
  // What was put is what the index has. Code::internal: two documents had one key, and the index is
  // as it was. REQUIRES: called once, after the last put() has returned.
  Status finish() LODE_EXCLUDES(mutex_);

 private:
  Index& index_;
  Mutex mutex_;
  std::unique_ptr<Corpus> corpus_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
