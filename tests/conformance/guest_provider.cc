#include "guest_provider.h"

#include <optional>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "base/whole_number.h"

namespace lode::fixture {
namespace {

constexpr std::size_t kMostRounds = 10'000;

Outcome said(std::string text) {
  Contents contents;
  contents.items.push_back(Content::text(std::move(text)));
  return contents;
}

Result<Outcome> read_id(const Exchange&, const Address& address) {
  return said("guest " + address.value("id"));
}

// Answers with its address.
Result<Outcome> echo(const Exchange&, const Address& address) {
  return said(std::string(address.uri().text()));
}

std::shared_ptr<const Manifest> guest_manifest(int round) {
  Tool tool;
  tool.name = "guest_call";
  tool.description = "Round " + std::to_string(round);
  tool.input_schema = JsonObject{{"type", "object"}};
  Manifest manifest;
  manifest.name = "guest";
  manifest.families = {{"guest:"}};
  manifest.routes = {{{"guest://{id}", "guest", "", "", ""}, read_id}};
  manifest.tools = {std::move(tool)};
  return std::make_shared<const Manifest>(std::move(manifest));
}

class Guest final : public Provider, public Resources, public Tools {
 public:
  std::shared_ptr<const Manifest> manifest() const override {
    const Lock lock(mutex_);
    return manifest_;
  }
  void turn(int round) {
    const Lock lock(mutex_);
    manifest_ = guest_manifest(round);
  }
  Resources* resources() override { return this; }
  Tools* tools() override { return this; }
  Prompts* prompts() override { return &prompts_; }

  Result<Page<Entry>> list(const Exchange&, const ListQuery&) override {
    Entry entry;
    entry.uri = "guest://1";
    entry.name = "a guest";
    return Page<Entry>{{std::move(entry)}, ""};
  }
  Result<Outcome> call(const Exchange&, std::string_view, const Json&) override {
    return said("called");
  }

 private:
  struct Said final : Prompts {
    const std::vector<Prompt> all{{"guest_prompt", "", "", {}}};
    Result<Page<Prompt>> list(const Exchange&, const ListQuery& query) override {
      return page_of_prompts(all, query);
    }
    std::optional<Prompt> find(std::string_view name) const override {
      return name == all.front().name ? std::optional(all.front()) : std::nullopt;
    }
    Result<Outcome> get(const Exchange&, std::string_view, const JsonObject&) override {
      return said("prompted");
    }
  };

  mutable Mutex mutex_;
  std::shared_ptr<const Manifest> manifest_ LODE_GUARDED_BY(mutex_) = guest_manifest(0);
  Said prompts_;
};

std::shared_ptr<const Manifest> host_manifest() {
  Tool tool;
  tool.name = "test_guests";
  tool.input_schema = *parse_json(R"({"type":"object","required":["rounds"],
      "properties":{"rounds":{"type":"integer","minimum":1}}})");
  Manifest manifest;
  manifest.name = "guests";
  manifest.tools = {std::move(tool)};
  return std::make_shared<const Manifest>(std::move(manifest));
}

Status come_and_go(CatalogSource& catalog) {
  auto guest = std::make_shared<Guest>();
  auto done = catalog.add(guest);
  if (done) {
    guest->turn(1);
    done = catalog.change("guest");
  }
  if (done) done = catalog.remove("guest");
  return done;
}

std::shared_ptr<const Manifest> raw_manifest() {
  Manifest manifest;
  manifest.name = "raw";
  manifest.families = {{"raw://box/", true, echo}};
  manifest.exact = {"ui://panel/Main#top"};
  manifest.read_exact = echo;
  manifest.routes = {{{"ui://panel/{id}", "panel", "", "", ""}, echo}};
  return std::make_shared<const Manifest>(std::move(manifest));
}

}  // namespace

GuestHost::GuestHost(CatalogSource& catalog) : catalog_(catalog), manifest_(host_manifest()) {}

Result<Outcome> GuestHost::call(const Exchange&, std::string_view, const Json& arguments) {
  auto rounds = whole_number(arguments.at("rounds"), "rounds", 1);
  if (!rounds) return std::move(rounds).error();
  for (std::size_t round = 0; round < std::min(*rounds, kMostRounds); ++round) {
    if (auto done = come_and_go(catalog_); !done) return std::move(done).error();
  }
  return said("done");
}

RawProvider::RawProvider() : manifest_(raw_manifest()) {}

Result<Page<Entry>> RawProvider::list(const Exchange&, const ListQuery&) { return Page<Entry>{}; }

}  // namespace lode::fixture
