// What tests of providers ask them with: a gate by a function, and reading as the engine
// does it.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "base/uri.h"
#include "engine/catalog.h"
#include "engine/gate.h"

namespace lode {

class TestGate final : public Gate {
 public:
  using Permits = std::function<bool(Action action, const Uri& address)>;

  explicit TestGate(Permits permits) : permits_(std::move(permits)) {}

  bool may(const Principal&, Action action, const Uri& uri) const override {
    return permits_(action, uri);
  }
  bool may(const Principal&, Action action, const Uri& uri, const FileBehind&) const override {
    return permits_(action, uri);
  }
  Result<Uri> parse(std::string_view text) const override { return Uri::parse(text); }
  bool exposes(const Uri&) const override { return true; }
  bool offers_some(const Principal&, std::string_view) const override { return true; }
  bool refuses(const Principal&, Action action, std::string_view path, bool) const override {
    const auto uri = Uri::parse(file_uri(path));
    return !uri || !permits_(action, *uri);
  }

 private:
  const Permits permits_;
};

// Somebody who asks. Outlives the exchanges it gives.
class TestRequest {
 public:
  explicit TestRequest(TestGate::Permits permits) : gate_(std::move(permits)) {}
  Exchange exchange() { return {who_, {}, {}, progress_, client_, answers_, &gate_}; }

 private:
  const Principal who_ = Principal::local();
  NoProgress progress_;
  const ClientAbilities client_;
  const Answers answers_;
  const TestGate gate_;
};

inline Result<Outcome> read_at(Provider& provider, const Exchange& exchange, const Uri& uri) {
  const auto manifest = provider.manifest();
  const Member member{std::shared_ptr<Provider>(std::shared_ptr<void>(), &provider), manifest,
                      Routes::make(manifest->routes).value()};
  const Uri one = provider.resources()->canonical(uri);
  auto answer = Catalog::find_answer(member, one);
  if (!answer) return not_found("no such resource");
  return (*answer->read)(exchange, Address(one, std::move(answer->match)));
}

}  // namespace lode
