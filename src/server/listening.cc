#include "server/listening.h"

#include <utility>

#include "protocol/jsonrpc.h"
#include "protocol/mcp.h"

namespace lode {
namespace {

std::string_view method_of(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::resource:
    case Change::Kind::tree: return "notifications/resources/updated";
    case Change::Kind::resource_list: return "notifications/resources/list_changed";
    case Change::Kind::tool_list: return "notifications/tools/list_changed";
    case Change::Kind::prompt_list: return "notifications/prompts/list_changed";
  }
  return "";
}

void write_meta(JsonWriter& w, std::string_view subscription) {
  w.key("_meta").begin_object().raw_member(mcp::kMetaSubscription, subscription).end_object();
}

}  // namespace

std::string change_text(const Change& change, std::string_view uri, std::string_view subscription) {
  std::string params;
  if (!uri.empty() || !subscription.empty()) {
    JsonWriter w(params);
    w.begin_object().member_if("uri", uri);
    if (!subscription.empty()) write_meta(w, subscription);
    w.end_object();
  }
  return notification_text(method_of(change.kind), params);
}

void Listening::send(std::string message) {
  if (auto call = call_.lock()) call->send(std::move(message));
}

void Listening::deliver(const Change& change, std::string_view uri) {
  std::string text = change_text(change, uri, id_);
  Lock lock(mutex_);
  if (acknowledged_) {
    send(std::move(text));
  } else {
    waiting_.push_back(std::move(text));
  }
}

void Listening::acknowledge(const Listeners::Lists& lists, const std::vector<std::string>& uris) {
  std::string params;
  JsonWriter w(params);
  w.begin_object().key("notifications").begin_object();
  if (lists.tools) w.member("toolsListChanged", true);
  if (lists.prompts) w.member("promptsListChanged", true);
  if (lists.resources) w.member("resourcesListChanged", true);
  if (!uris.empty()) {
    w.key("resourceSubscriptions").begin_array();
    for (const auto& uri : uris) w.value(uri);
    w.end_array();
  }
  w.end_object();
  write_meta(w, id_);
  w.end_object();
  Lock lock(mutex_);
  send(notification_text("notifications/subscriptions/acknowledged", params));
  acknowledged_ = true;
  for (auto& text : std::exchange(waiting_, {})) send(std::move(text));
}

}  // namespace lode
