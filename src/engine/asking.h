// One request of the engine: its gate, the exchange that providers see, and the
// record of it, which is told when it ends.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/access.h"
#include "engine/engine.h"

namespace lode {

// Puts what was read into its record.
inline void add_contents(Access& access, const std::shared_ptr<const Cached>& contents) {
  access.contents = contents;
  const auto& items = contents->contents().items;
  if (!items.empty()) access.version = items.front().version;
  for (const auto& item : items) access.bytes += item.bytes.size();
}

class Engine::Asking {
 public:
  // subject: an address, or the name of a list; valid as long as this.
  Asking(const Engine& engine, const Exchange& asked, Action action, std::string_view subject)
      : log_(engine.access_),
        gate_(engine.admission()),
        exchange_(asked),
        action_(action),
        subject_(subject) {
    exchange_.gate = &gate_;
  }
  ~Asking() {
    if (log_) tell();
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  const Admission& gate() const { return gate_; }
  const Catalog& catalog() const { return gate_.catalog(); }
  const Exchange& exchange() const { return exchange_; }
  const Principal& who() const { return exchange_.who; }

  // The address that the request turned out to be about.
  void about(const Uri& uri) { address_ = uri.text(); }
  void read(std::shared_ptr<const Cached> contents) {
    contents_ = std::move(contents);
    verdict_ = Access::Verdict::allowed;
  }
  // What became of it. A refusal looks to the caller as if nothing were there, so
  // what is not there is recorded as refused too.
  template <class T>
  Result<T> done(Result<T> result) {
    if (result) {
      verdict_ = Access::Verdict::allowed;
    } else {
      const Code code = result.error().code;
      verdict_ = code == Code::denied || code == Code::not_found ? Access::Verdict::refused
                                                                 : Access::Verdict::failed;
    }
    return result;
  }

 private:
  void tell() const {
    Access access{exchange_.who, action_, address_.empty() ? subject_ : address_, verdict_};
    if (contents_) add_contents(access, contents_);
    access.took = std::chrono::steady_clock::now() - began_;
    access.trace = exchange_.trace;
    access.asked = gate_.asked();
    access.refused = gate_.refused();
    log_(access);
  }

  const AccessLog& log_;
  const Admission gate_;
  Exchange exchange_;
  const Action action_;
  const std::string_view subject_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::string address_;
  std::shared_ptr<const Cached> contents_;
  Access::Verdict verdict_ = Access::Verdict::failed;
};

}  // namespace lode
