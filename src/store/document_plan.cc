#include "store/document_plan.h"

#include <algorithm>
#include <string>

namespace lode {
namespace {

YamlPath below(const YamlPath& path, std::string key) {
  YamlPath out = path;
  out.push_back(std::move(key));
  return out;
}

class Plan {
 public:
  void change(const YamlNode& old, const YamlPath& path, const Json& value) {
    if (equal(old, value)) return;
    const auto* map = value.if_object();
    const auto* list = value.if_array();
    const bool open = old.style == YamlStyle::block || old.style == YamlStyle::flow;
    if (open && old.is_map() && map != nullptr && shares(old, *map)) {
      change_map(old, path, *map);
    } else if (open && old.is_list() && list != nullptr && change_list(old, path, *list)) {
      return;
    } else {
      steps_.push_back({path, value});
    }
  }

  std::vector<DocumentStep> take() {
    std::reverse(removals_.begin(), removals_.end());
    std::move(removals_.begin(), removals_.end(), std::back_inserter(steps_));
    return std::move(steps_);
  }

 private:
  static bool shares(const YamlNode& old, const JsonObject& map) {
    return std::any_of(old.members.begin(), old.members.end(),
                       [&](const auto& member) { return map.contains(member.key); });
  }

  void change_map(const YamlNode& old, const YamlPath& path, const JsonObject& map) {
    for (const auto& member : map) {
      const std::string key(member.key().data(), member.key().size());
      if (const auto* found = old.find(key)) {
        change(*found, below(path, key), member.value());
      } else {
        steps_.push_back({below(path, key), member.value()});
      }
    }
    for (const auto& member : old.members) {
      if (!map.contains(member.key)) removals_.push_back({below(path, member.key), {}});
    }
  }

  // What both begin and end with stays; between, item by item.
  bool change_list(const YamlNode& old, const YamlPath& path, const JsonArray& list) {
    const auto& items = old.items;
    const auto shorter = std::min(items.size(), list.size());
    std::size_t same = 0;
    while (same < shorter && equal(items[same], list[same])) ++same;
    std::size_t same_end = 0;
    while (same_end < shorter - same &&
           equal(items[items.size() - 1 - same_end], list[list.size() - 1 - same_end])) {
      ++same_end;
    }
    if (same + same_end == 0) return false;
    if (list.size() > items.size() && same_end > 0) return false;
    for (std::size_t i = same; i < shorter - same_end; ++i) {
      change(items[i], below(path, std::to_string(i)), list[i]);
    }
    for (std::size_t i = items.size(); i < list.size(); ++i) {
      steps_.push_back({below(path, std::to_string(i)), list[i]});
    }
    for (std::size_t i = shorter - same_end; i < items.size() - same_end; ++i) {
      removals_.push_back({below(path, std::to_string(i)), {}});
    }
    return true;
  }

  std::vector<DocumentStep> steps_;
  std::vector<DocumentStep> removals_;
};

}  // namespace

std::vector<DocumentStep> plan_steps(const YamlNode& old, const YamlPath& path, const Json& value) {
  Plan plan;
  plan.change(old, path, value);
  return plan.take();
}

}  // namespace lode
