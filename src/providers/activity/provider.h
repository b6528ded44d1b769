// What the server did in the last hour, as a resource.
//
//   lode://activity   JSON, minute by minute; who counts it says what is in it
//
// Who listens to it hears at most once in kPause that there is something new.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/events.h"
#include "engine/provider.h"

namespace lode {

class ActivityProvider final : public Provider, public Resources {
 public:
  static constexpr std::string_view kAddress = "lode://activity";
  static constexpr std::chrono::seconds kPause{5};

  // revision: another number whenever the text may be another. Both: any thread.
  ActivityProvider(std::function<std::string()> text, std::function<std::uint64_t()> revision);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  void watch(const Uri&, bool on) override { watched_ = on; }

  // Tells the events, if it is time to, somebody listens and there is something new. By one
  // thread at a time.
  void publish(std::chrono::steady_clock::time_point now, Events& events);

 private:
  const std::function<std::string()> text_;
  const std::function<std::uint64_t()> revision_;
  const std::shared_ptr<const Manifest> manifest_;
  std::atomic<bool> watched_{false};
  std::uint64_t told_ = 0;  // publish() alone
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace lode
