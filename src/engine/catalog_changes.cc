#include "engine/catalog_changes.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lode {
namespace {

// What a list shows, by address: what is alike is the same text.
using Shown = std::map<std::string, std::string>;

std::vector<std::string> difference(const Shown& before, const Shown& after) {
  std::vector<std::string> addresses;
  for (const auto& [address, text] : before) {
    const auto now = after.find(address);
    if (now == after.end() || now->second != text) addresses.push_back(address);
  }
  for (const auto& [address, text] : after) {
    if (!before.contains(address)) addresses.push_back(address);
  }
  return addresses;
}

std::string text_of(const Tool& tool) {
  std::string text = tool.title + '\n' + tool.description + '\n' + to_text(tool.input_schema);
  if (tool.output_schema) text += '\n' + to_text(*tool.output_schema);
  if (!tool.hints) return text;
  const auto& hints = *tool.hints;
  for (const bool hint : {hints.read_only, hints.destructive, hints.idempotent, hints.open_world}) {
    text += hint ? '1' : '0';
  }
  return text;
}

Shown tools_of(const Catalog& catalog) {
  Shown shown;
  for (const auto& member : catalog.members()) {
    for (const auto& tool : member->manifest->tools) {
      if (const auto uri = tool_uri(tool.name)) shown[std::string(uri->text())] = text_of(tool);
    }
  }
  return shown;
}

// Families and single addresses: who may see something of them may see another list.
Shown resources_of(const Catalog& catalog) {
  Shown shown;
  for (const auto& member : catalog.members()) {
    for (const auto& family : member->manifest->families) shown[family.root] = member->name();
    for (const auto& address : member->manifest->exact) shown[address] = member->name();
    for (const auto& route : member->manifest->routes) {
      const auto& entry = route.entry;
      if (!route.listed) continue;
      shown[entry.uri_template] =
          entry.name + '\n' + entry.title + '\n' + entry.description + '\n' + entry.mime;
    }
  }
  return shown;
}

Shown prompts_of(const Catalog& catalog) {
  Shown shown;
  for (const auto& member : catalog.members()) {
    if (member->provider->prompts() != nullptr) shown[member->name()] = "";
  }
  return shown;
}

}  // namespace

// What a family's addresses showed may be in the cache: the engine drops it at the
// change of its tree.
void tell_changes(const Catalog& before, const Catalog& after, Events& events) {
  const auto resources = difference(resources_of(before), resources_of(after));
  std::set<std::string> changed(resources.begin(), resources.end());
  for (const auto* catalog : {&before, &after}) {
    for (const auto& member : catalog->members()) {
      const auto& manifest = *member->manifest;
      const auto drop = [&](const std::string& address) {
        if (changed.erase(address) == 0) return;
        // A whole scheme ("guest:") is the tree above all of its addresses.
        const bool scheme = address.ends_with(':');
        events.publish({Change::Kind::tree, scheme ? address + "//" : address, {}});
      };
      for (const auto& family : manifest.families) drop(family.root);
      for (const auto& address : manifest.exact) drop(address);
    }
  }
  const auto list = [&](Change::Kind kind, std::vector<std::string> listed) {
    if (!listed.empty()) events.publish({kind, "", std::move(listed)});
  };
  list(Change::Kind::resource_list, resources);
  list(Change::Kind::tool_list, difference(tools_of(before), tools_of(after)));
  if (prompts_of(before) != prompts_of(after)) events.publish({Change::Kind::prompt_list});
}

}  // namespace lode
