// `lode tokens` and `lode doctor`: what a registration costs, and what the
// program was told.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "base/json.h"
#include "base/tokens.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/config_keys.h"
#include "cli/local_request.h"
#include "cli/state_dir.h"
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

// One thing that must be right, and the word for a person if it is not.
struct Check {
  std::string name;
  bool good;
  std::string word;
};

Check check_state(const std::vector<std::string>& roots) {
  auto directory = roots.empty() ? Result<std::string>(invalid("no workspace"))
                                 : state_dir(process_environment(), roots.front());
  if (!directory) return {"state directory", false, directory.error().message};
  return {"state directory", true, *directory};
}

Check check_watches() {
  std::size_t most = 0;
  std::ifstream("/proc/sys/fs/inotify/max_user_watches") >> most;
  return {"file watches", most >= 8192,
          fmt::format("{} directories can be watched (fs.inotify.max_user_watches)", most)};
}

// What is amiss is the elements' affair, and no failure of ours.
Check check_elements(const Command& command) {
  if (!command.config.resources_enabled) return {"elements", true, "not read: resources are off"};
  LocalRequest request;
  const auto exchange = request.exchange();
  constexpr std::string_view kProblems = "capability-index://problems";
  auto reading = command.instance.engine().read(exchange, kProblems);
  if (!reading) return {"elements", true, reading.error().message};
  const auto& contents = std::get<std::shared_ptr<const Cached>>(*reading)->contents();
  auto problems = JsonDocument::parse(contents.items.front().bytes);
  const auto total = problems ? problems->root()["total"].integer().value_or(0) : 0;
  if (total == 0) return {"elements", true, "nothing is amiss"};
  return {"elements", true,
          fmt::format("{} problem{}: lode read {}", total, total == 1 ? "" : "s", kProblems)};
}

Check check_workspace(const std::vector<std::string>& roots) {
  if (roots.empty()) return {"workspace", false, "none; name one with --workspace DIR"};
  return {"workspace", true, fmt::format("{}", fmt::join(roots, ", "))};
}

// Not a failure: an untrusted workspace is served, with what it may say.
Check check_trust(const Config& config) {
  const auto& notes = config.workspace_notes;
  const auto ignored = std::count_if(notes.begin(), notes.end(), [](const WorkspaceNote& note) {
    return note.effect == WorkspaceNote::Effect::ignored;
  });
  if (notes.empty()) return {"workspace files", true, "there are none"};
  if (ignored == 0) return {"workspace files", true, "all that they say counts"};
  return {"workspace files", true,
          fmt::format("{} of {} entries ignored; lode trust shows what they would change", ignored,
                      notes.size())};
}

// A value as it may be shown: an address without its password.
std::string shown(std::string text) {
  const auto scheme = text.find("://");
  if (scheme == std::string::npos) return text;
  const auto at = text.rfind('@', text.find('/', scheme + 3));
  const auto colon = text.find(':', scheme + 3);
  if (at == std::string::npos || colon == std::string::npos || colon > at) return text;
  return text.replace(colon + 1, at - colon - 1, "***");
}

// What the workspace's files say, and what becomes of it.
void print_workspace_notes(const Config& config) {
  if (!config.workspace_notes.empty()) std::printf("\n");
  for (const auto& note : config.workspace_notes) {
    std::printf("%-8s %-24s %-28s %s%s%s\n", std::string(to_string(note.effect)).c_str(),
                visible(note.key).c_str(), visible(shown(note.value)).c_str(),
                visible(note.origin.text()).c_str(), note.why.empty() ? "" : ": ",
                visible(note.why).c_str());
  }
}

void print_doctor_json(const Config& config, const std::vector<Check>& checks) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().key("settings").begin_array();
  for (const auto& setting : config.settings) {
    w.begin_object().member("key", setting.key->name).member("value", shown(setting.text));
    w.member("from", setting.origin.text()).end_object();
  }
  w.end_array().key("workspace").begin_array();
  for (const auto& note : config.workspace_notes) {
    w.begin_object().member("key", note.key).member("value", shown(note.value));
    w.member("from", note.origin.text()).member("effect", to_string(note.effect));
    w.member_if("why", note.why).end_object();
  }
  w.end_array().key("checks").begin_array();
  for (const auto& check : checks) {
    w.begin_object().member("name", check.name).member("good", check.good);
    w.member("word", check.word).end_object();
  }
  w.end_array().end_object();
  std::printf("%s\n", out.c_str());
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

int run_doctor(const Command& command, const std::vector<std::string>& roots) {
  const std::vector<Check> checks = {check_workspace(roots), check_state(roots), check_watches(),
                                     check_elements(command), check_trust(command.config)};
  bool good = true;
  for (const auto& check : checks) good &= check.good;
  if (command.json) {
    print_doctor_json(command.config, checks);
    return good ? 0 : kFailed;
  }
  for (const auto& setting : command.config.settings) {
    const std::string name(setting.key->name);
    std::printf("%-24s %-28s %s\n", name.c_str(), visible(shown(setting.text)).c_str(),
                visible(setting.origin.text()).c_str());
  }
  print_workspace_notes(command.config);
  std::printf("\n");
  for (const auto& check : checks) {
    std::printf("%-4s %-16s %s\n", check.good ? "ok" : "BAD", check.name.c_str(),
                visible(check.word).c_str());
  }
  return good ? 0 : kFailed;
}

}  // namespace lode
