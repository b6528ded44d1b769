#include "cli/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string_view>

#include "base/base64.h"
#include "base/credentials.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/local_request.h"

namespace lode {
namespace {

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print_line(const std::string& text) { print(text + "\n"); }

void write_content(JsonWriter& w, const Content& content) {
  w.begin_object().member("uri", content.uri).member_if("mimeType", content.mime);
  w.member_if("version", content.version);
  w.member("size", static_cast<std::int64_t>(content.bytes.size()));
  if (content.form == Content::Form::binary) {
    w.member("blob", base64_encode(content.bytes));
  } else {
    w.member("text", content.bytes);
  }
  w.end_object();
}

void print_contents(const std::vector<Content>& items, bool json) {
  if (!json) {
    // A program gets the bytes; what drives a terminal does not reach one.
    const bool terminal = ::isatty(STDOUT_FILENO) != 0;
    for (const auto& item : items) print(terminal ? visible_lines(item.bytes) : item.bytes);
    return;
  }
  std::string out;
  JsonWriter w(out);
  w.begin_array();
  for (const auto& item : items) write_content(w, item);
  w.end_array();
  print_line(out);
}

template <class T, class List>
Result<std::vector<T>> all_pages(List&& list) {
  std::vector<T> all;
  std::string cursor;
  do {
    auto page = list(cursor);
    if (!page) return std::move(page).error();
    std::move(page->items.begin(), page->items.end(), std::back_inserter(all));
    cursor = page->next;
  } while (!cursor.empty());
  return all;
}

int status_of(Code code, bool typed) {
  if (code == Code::not_found) return kNotFound;
  if (code == Code::denied) return kDenied;
  return typed && code == Code::invalid ? kUsage : kFailed;
}

int tell(const Error& error, int status, bool json) {
  // Names of files are in messages, and this goes to a terminal.
  const std::string message = visible(error.message);
  std::fprintf(stderr, "lode: %s\n", message.c_str());
  if (!json) return status;
  std::string out;
  JsonWriter w(out);
  w.begin_object().key("error").begin_object().member("code", to_string(error.code));
  w.member("message", message).member("status", std::int64_t{status});
  w.end_object().end_object();
  print_line(out);
  return status;
}

}  // namespace

int report(const Error& error, bool json) {
  return tell(error, status_of(error.code, false), json);
}

int report_usage(const Error& error, bool json) {
  return tell(error, status_of(error.code, true), json);
}

int refuse_off(bool json) {
  return report({Code::unsupported,
                 "resources are off; turn them on with --resources-enabled, "
                 "LODE_RESOURCES_ENABLED=true, or `resources.enabled = true` in lode.toml",
                 {}},
                json);
}

int run_read(const Command& command, const std::string& uri) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  LocalRequest request;
  auto reading = command.instance.engine().read(request.exchange(), uri);
  if (!reading) {
    return report_usage(std::move(reading).error().in("reading " + without_credentials(uri)),
                        command.json);
  }
  if (auto* verbatim = std::get_if<Verbatim>(&*reading)) {
    print_line(verbatim->json);
    return 0;
  }
  const auto* cached = std::get_if<std::shared_ptr<const Cached>>(&*reading);
  if (cached == nullptr)
    return report({Code::unsupported, uri + " asks for input", {}}, command.json);
  print_contents((*cached)->contents().items, command.json);
  return 0;
}

int run_search(const Command& command, const std::string& query) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  LocalRequest request;
  auto reading = command.instance.engine().read(request.exchange(),
                                                "lode://search?q=" + encode_component(query));
  if (!reading) return report_usage(reading.error(), command.json);
  const auto* cached = std::get_if<std::shared_ptr<const Cached>>(&*reading);
  if (cached == nullptr)
    return report({Code::unsupported, "the search asks for input", {}}, command.json);
  const std::string& found = (*cached)->contents().items.front().bytes;
  auto document = JsonDocument::parse(found);
  if (!document) return report(document.error(), command.json);
  std::size_t count = 0;
  document->root()["hits"].each([&](JsonView hit) {
    ++count;
    if (command.json) return;
    const std::string uri(hit["uri"].string().value_or(""));
    const std::string title(hit["title"].string().value_or(""));
    print_line(uri + "  " + visible(title));
  });
  if (command.json) print_line(found);
  return count > 0 ? 0 : kNotFound;
}

int run_list(const Command& command, const std::string& prefix) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  LocalRequest request;
  const auto& engine = command.instance.engine();
  auto entries = all_pages<Entry>(
      [&](const std::string& cursor) { return engine.resources(request.exchange(), cursor); });
  if (!entries) return report(entries.error(), command.json);
  std::erase_if(*entries, [&](const Entry& entry) { return !entry.uri.starts_with(prefix); });
  std::string out;
  JsonWriter w(out);
  w.begin_array();
  for (const auto& entry : *entries) {
    if (!command.json) print_line(entry.uri);
    w.begin_object().member("uri", entry.uri).member("name", entry.name);
    w.member_if("mimeType", entry.mime);
    if (entry.size) w.member("size", *entry.size);
    w.end_object();
  }
  w.end_array();
  if (command.json) print_line(out);
  return 0;
}

int run_path(const Command& command, const std::string& uri) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  const auto& engine = command.instance.engine();
  auto address = engine.admit(Principal::local(), Action::read, uri);
  if (!address) {
    return report_usage(std::move(address).error().in(without_credentials(uri)), command.json);
  }
  const auto path = engine.local_path(Principal::local(), uri);
  if (!path) return report(not_found("no file behind " + uri), command.json);
  if (command.json) {
    std::string out;
    JsonWriter(out).begin_object().member("path", *path).end_object();
    print_line(out);
  } else {
    print_line(::isatty(STDOUT_FILENO) != 0 ? visible(*path) : *path);
  }
  return 0;
}

namespace {

constexpr std::chrono::seconds kWaitLoaded{10};
constexpr timespec kBetweenLooks{0, 500'000'000};  // at what nobody follows

}  // namespace

int run_watch(const Command& command, const std::string& uri) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  auto address = command.instance.engine().admit(Principal::local(), Action::subscribe, uri);
  if (!address) {
    return report_usage(std::move(address).error().in(without_credentials(uri)), command.json);
  }
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const auto heard = [&](const Change& change) {
    if (!concerns(change, *address)) return;
    std::string line(address->text());
    if (command.json) {
      line.clear();
      JsonWriter(line).begin_object().member("uri", address->text()).end_object();
    }
    print_line(line);
    std::fflush(stdout);
  };
  const auto subscription = command.instance.events().listen(heard);
  if (auto started = command.instance.follow(command.config, command.log); !started)
    return report(started.error(), command.json);
  // That elements are found at first is no change of the lists that have them.
  command.instance.elements().wait_loaded(std::chrono::steady_clock::now() + kWaitLoaded);
  command.instance.engine().watch(*address, true);
  while (::sigtimedwait(&signals, nullptr, &kBetweenLooks) < 0) command.instance.look_at_backlog();
  return 0;
}

int run_call(const Command& command, const std::string& tool, const std::string& arguments) {
  auto json = parse_json(arguments.empty() ? "{}" : arguments);
  if (!json) return report_usage(std::move(json).error().in("the arguments"), command.json);
  if (!json->is_object()) {
    return report_usage(invalid("the arguments: not a JSON object, such as {\"pattern\":\"*.ts\"}"),
                        command.json);
  }
  LocalRequest request;
  auto outcome = command.instance.engine().call(request.exchange(), tool, *json);
  if (!outcome) return report_usage(outcome.error(), command.json);
  const auto* contents = std::get_if<Contents>(&*outcome);
  if (contents == nullptr)
    return report({Code::unsupported, tool + " asks for input", {}}, command.json);
  if (command.json) {
    print_contents(contents->items, true);
  } else {
    for (const auto& item : contents->items) {  // each begins a line
      print_contents({item}, false);
      print("\n");
    }
  }
  return contents->failed ? kFailed : 0;
}

namespace {

// Why one of the addresses that rules are held against is permitted, or not.
struct Held {
  std::string uri;
  bool passes = false;
  Explanation explanation;
};

std::vector<Held> explain_all(const Command& command, const std::string& who, Action action,
                              const Uri& uri) {
  std::vector<Held> all;
  const auto gate = command.instance.engine().admission();
  for (const auto& held : gate.held_against(uri)) {
    auto explanation = gate.policy()->explain({who}, action, held.uri);
    const bool denied = std::ranges::any_of(
        explanation.steps, [](const auto& step) { return step.matched && !step.allow; });
    const bool passes = held.must_be_allowed ? explanation.permitted : !denied;
    all.push_back({std::string(held.uri.text()), passes, std::move(explanation)});
  }
  return all;
}

std::string explanations_json(const std::vector<Held>& all, bool permitted) {
  std::string out;
  JsonWriter w(out);
  const auto write_rules = [&](const Held& held) {
    w.key("rules").begin_array();
    for (const auto& step : held.explanation.steps) {
      w.begin_object().member("where", step.where).member("effect", step.allow ? "allow" : "deny");
      w.member("matched", step.matched).member("why", step.why).end_object();
    }
    w.end_array();
  };
  w.begin_object().member("permitted", permitted).member("uri", all.front().uri);
  write_rules(all.front());
  w.key("files").begin_array();
  for (std::size_t i = 1; i < all.size(); ++i) {
    w.begin_object().member("uri", all[i].uri).member("permitted", all[i].passes);
    write_rules(all[i]);
    w.end_object();
  }
  w.end_array().end_object();
  return out;
}

}  // namespace

// By the same questions that the engine asks.
int run_policy_test(const Command& command, const std::string& who, const std::string& action,
                    const std::string& uri_text) {
  auto wanted = parse_action(action);
  if (!wanted) return report_usage(wanted.error(), command.json);
  auto uri = Uri::parse(uri_text);
  if (!uri) {
    return report_usage(std::move(uri).error().in(without_credentials(uri_text)), command.json);
  }
  const auto all = explain_all(command, who, *wanted, *uri);
  const bool permitted = std::ranges::all_of(all, &Held::passes);
  if (command.json) {
    print_line(explanations_json(all, permitted));
    return permitted ? 0 : kDenied;
  }
  for (const auto& held : all) {
    if (all.size() > 1) print_line(held.uri);
    for (const auto& step : held.explanation.steps) {
      print_line(fmt::format("{:<20} {:<5} {:<12} {}", step.where, step.allow ? "allow" : "deny",
                             step.matched ? "matches" : "does not", step.why));
    }
  }
  print_line(permitted ? "permitted" : "refused");
  return permitted ? 0 : kDenied;
}

}  // namespace lode
