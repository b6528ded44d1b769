// The engine seen from outside: one search over the indexes that there are, at
// lode://search, and two tools for clients whose model sees only tools.
//
//   lode://search{?q,kinds,limit}   hits with their scores, as JSON
//   resource_read                   reads any address
//   resource_find                   searches, or lists the addresses that begin so
//
// Who listens to a search hears of every change of an index that it asks: whether the hits
// are the same is found by searching.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/events.h"
#include "engine/provider.h"
#include "engine/watched.h"
#include "search/index.h"

namespace lode {

class MirrorProvider final : public Provider, public Resources, public Tools {
 public:
  // Of a hit; what is empty is not told.
  struct Details {
    std::string type{};
    std::string description{};
    std::string snippet{};  // of its text, with words of the query
  };
  // One of the indexes that are searched. Words weigh in each as they weigh among its
  // own documents, so that hits of several are put together by their ranks.
  struct Searched {
    const Index& index;
    std::string_view kind;  // of its documents; a constant
    // Why it may lack something at the moment; empty: it does not.
    std::function<std::string()> incomplete = {};
    // In place of the index's own search, for who ranks by more than words.
    std::function<std::vector<Index::Hit>(std::string_view query, const Index::Options& options)>
        search = {};
    // What else is told of a hit to who asks; none: nothing is.
    std::function<Details(const Exchange& exchange, std::string_view key, std::string_view query)>
        details = {};
  };

  // REQUIRES: all outlive it.
  MirrorProvider(const Engine& engine, std::vector<Searched> searched);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Tools* tools() override { return this; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;
  Status watchable(const Uri& uri) const override;
  void watch(const Uri& uri, bool on) override { watched_.watch(uri, on); }

  // The index of that kind changed: tells the searches that ask it and somebody listens to.
  void publish(std::string_view kind, const std::vector<Cause>& because, Events& events) const;

 private:
  struct Wanted {
    std::string query;
    std::vector<std::string> kinds;
    std::size_t limit = 10;
  };
  Manifest make_manifest();
  // What an address asks for. Code::invalid: nothing that can be answered.
  Result<Wanted> wanted_at(const Address& address) const;
  Result<Wanted> wanted_at(const Uri& uri) const;
  Result<Outcome> answer_search(const Exchange& exchange, const Address& address) const;
  Status check_kinds(const std::vector<std::string>& kinds) const;
  std::string search(const Exchange& exchange, const Wanted& wanted) const;
  Result<Outcome> read_resource(const Exchange& exchange, std::string_view uri) const;
  Result<Outcome> find(const Exchange& exchange, const JsonObject& arguments) const;
  Result<Outcome> list_prefix(const Exchange& exchange, std::string_view prefix,
                              std::size_t limit) const;

  const Engine& engine_;
  const std::vector<Searched> searched_;
  const std::shared_ptr<const Manifest> manifest_;
  WatchedAddresses watched_;
};

}  // namespace lode
