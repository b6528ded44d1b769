#include "engine/exchange.h"

namespace lode {

const JsonObject* Answers::object(std::string_view key) const {
  const auto* answer = responses.if_contains(boost::json::string_view(key.data(), key.size()));
  return answer == nullptr ? nullptr : answer->if_object();
}

const JsonObject* Answers::accepted(std::string_view key) const {
  const auto* answer = object(key);
  if (answer == nullptr) return nullptr;
  const auto* action = answer->if_contains("action");
  if (action == nullptr || !action->is_string() || action->get_string() != "accept") return nullptr;
  const auto* content = answer->if_contains("content");
  return content == nullptr ? nullptr : content->if_object();
}

bool Exchange::may(Action action, std::string_view address) const {
  if (gate == nullptr) return false;
  const auto uri = gate->parse(address);
  return uri && may(action, *uri);
}

bool Exchange::may(Action action, std::string_view address, const FileBehind& file) const {
  if (gate == nullptr) return false;
  const auto uri = gate->parse(address);
  return uri && may(action, *uri, file);
}

}  // namespace lode
