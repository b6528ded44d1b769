// `lode tokens`: what a registration costs.
#include <cstdio>

#include "base/json.h"
#include "base/tokens.h"
#include "cli/commands.h"
#include "cli/local_request.h"
#include "protocol/revision.h"
#include "server/render.h"

namespace lode {
namespace {

struct Item {
  std::string kind;
  std::string name;
  std::size_t tokens;
};

// The JSON of each item of a list result, as a client of the newest revision
// gets it, and its name.
void add_items(const std::string& result, std::string_view list, std::string_view name,
               std::vector<Item>& items) {
  auto document = JsonDocument::parse(result);
  if (!document) return;
  document->root()[list].each([&](JsonView item) {
    const auto label = item[name].string().value_or("");
    items.push_back({std::string(list), std::string(label), Tokenizer::o200k().count(item.text())});
  });
}

std::vector<Item> registration(const Instance& instance) {
  const Engine& engine = instance.engine();
  LocalRequest request;
  const auto exchange = request.exchange();
  const auto instructions = instance.instructions(exchange.who);
  const Renderer renderer("{}");
  std::vector<Item> items;
  if (auto tools = engine.tools(exchange, "")) {
    add_items(renderer.tools(*tools, kNewest), "tools", "name", items);
  }
  if (auto templates = engine.templates(exchange, "")) {
    add_items(renderer.templates(*templates, kNewest), "resourceTemplates", "uriTemplate", items);
  }
  if (!instructions.empty()) {
    items.push_back({"instructions", "", Tokenizer::o200k().count(instructions)});
  }
  return items;
}

}  // namespace

int run_tokens(const Command& command) {
  const auto items = registration(command.instance);
  std::size_t total = 0;
  std::string out;
  JsonWriter w(out);
  w.begin_object().key("items").begin_array();
  for (const auto& item : items) {
    total += item.tokens;
    w.begin_object().member("kind", item.kind).member_if("name", item.name);
    w.member("tokens", static_cast<std::int64_t>(item.tokens)).end_object();
    if (!command.json) {
      std::printf("%6zu  %s %s\n", item.tokens, item.kind.c_str(), item.name.c_str());
    }
  }
  w.end_array().member("total", static_cast<std::int64_t>(total)).end_object();
  if (command.json) {
    std::printf("%s\n", out.c_str());
  } else {
    std::printf("%6zu  in all (o200k_base)\n", total);
  }
  return 0;
}

}  // namespace lode
