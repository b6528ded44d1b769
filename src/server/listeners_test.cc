#include "server/listeners.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "engine/policy_file.h"

namespace lode {
namespace {

class DoorProvider final : public Provider, public Resources {
 public:
  DoorProvider() {
    Manifest manifest;
    manifest.name = "doors";
    manifest.families = {{"door:"}};
    manifest.routes = {
        {{"door://{name}", "door", "", "", ""},
         [](const Exchange&, const Address&) -> Result<Outcome> { return Contents{}; }}};
    manifest_ = std::make_shared<const Manifest>(std::move(manifest));
  }
  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Result<Page<Entry>> list(const Exchange&, const ListQuery&) override { return Page<Entry>{}; }
  void watch(const Uri&, bool on) override { watched = on; }

  std::atomic<bool> watched{false};

 private:
  std::shared_ptr<const Manifest> manifest_;
};

// As pages do that open a new stream and leave the old one.
TEST(Listeners, WatchesWhatOneLeavesWhileAnotherComes) {
  Log log(-1, Log::Form::text, LogLevel::off);
  Events events;
  CatalogSource catalog(events);
  Cache cache;
  PolicySource policy(
      *parse_policy("[[rule]]\neffect = \"allow\"\nroles = [\"*\"]\nactions = "
                    "[\"*\"]\nuris = [\"**\"]\n",
                    "test"));
  const Engine engine({catalog, events, policy, cache, log}, {});
  const auto doors = std::make_shared<DoorProvider>();
  ASSERT_TRUE(catalog.add(doors));
  Listeners listeners(events, engine);
  const auto come = [&] {
    const auto id = listeners.add(Principal::owner(), {}, [](const Change&, std::string_view) {});
    EXPECT_TRUE(listeners.subscribe(id, "door://a", 1));
    return id;
  };
  for (int round = 0; round < 200; ++round) {
    const auto first = come();
    Listeners::Id second = 0;
    std::thread comes([&] { second = come(); });
    listeners.remove(first);
    comes.join();
    ASSERT_TRUE(doors->watched) << round;
    listeners.remove(second);
    ASSERT_FALSE(doors->watched) << round;
  }
}

}  // namespace
}  // namespace lode
