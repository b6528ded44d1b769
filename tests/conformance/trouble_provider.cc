#include "trouble_provider.h"

#include <chrono>
#include <stdexcept>
#include <thread>

namespace lode::fixture {
namespace {

// Between two looks at whether the caller still waits.
void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

Result<Outcome> make_trouble(const Exchange& exchange, std::string_view kind) {
  if (kind == "throw") throw std::runtime_error("a secret in an exception");
  if (kind == "throw-anything") throw 42;
  while (kind == "hang") pause();
  while (kind == "slow" && !exchange.stop.stop_requested()) pause();
  Contents contents;
  if (kind == "rubbish") contents.items.push_back(Content::text("\xff\xfe no text"));
  if (kind == "fine") contents.items.push_back(Content::text("fine"));
  return contents;
}

std::shared_ptr<const Manifest> make_manifest() {
  Tool tool;
  tool.name = "test_trouble";
  tool.input_schema =
      JsonObject{{"type", "object"},
                 {"properties", JsonObject{{"kind", JsonObject{{"type", "string"}}}}},
                 {"required", JsonArray{"kind"}}};
  Manifest manifest;
  manifest.name = "trouble";
  manifest.families = {{"trouble:"}};
  manifest.routes = {{{"trouble://{kind}", "", "", "", ""},
                      [](const Exchange& exchange, const Address& address) {
                        return make_trouble(exchange, address.value("kind"));
                      },
                      false}};
  manifest.tools.push_back(std::move(tool));
  return std::make_shared<const Manifest>(std::move(manifest));
}

}  // namespace

TroubleProvider::TroubleProvider() : manifest_(make_manifest()) {}

Result<Page<Entry>> TroubleProvider::list(const Exchange&, const ListQuery&) {
  throw std::runtime_error("no list today");
}

Result<Outcome> TroubleProvider::call(const Exchange& exchange, std::string_view,
                                      const Json& arguments) {
  return make_trouble(exchange, arguments.at("kind").as_string().c_str());
}

}  // namespace lode::fixture
