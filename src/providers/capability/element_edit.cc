#include "providers/capability/element_edit.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace lode {
namespace {

constexpr std::array<std::string_view, 5> kUpdated{"updated", "updated_at", "updatedat", "modified",
                                                   "last_modified"};
// Of files with `metadata` and `data`, what belongs in the first.
constexpr std::array<std::string_view, 14> kCommon{
    "id",   "name",     "description", "version",   "author",    "tags",      "created",
    "type", "isactive", "custom",      "createdat", "updatedat", "unique_id", "updated"};

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string_view view(const boost::json::string_view& text) { return {text.data(), text.size()}; }

bool is_nested(const Document& document) {
  return &maps_of(document.frontmatter()).common != &document.frontmatter();
}

// Where a field is, or belongs.
YamlPath path_of(const Document& document, std::string_view key) {
  std::string name(key);
  if (!is_nested(document) || document.find({name}) != nullptr) return {name};
  for (const char* map : {"metadata", "data"}) {
    if (document.find({map, name}) != nullptr) return {map, name};
  }
  if (holds(kCommon, key)) return {"metadata", name};
  const auto* data = document.find({"data"});
  return data != nullptr && data->is_map() ? YamlPath{"data", name} : YamlPath{name};
}

// A value that is new has nothing that null could remove.
Json without_nulls(const Json& value) {
  const auto* map = value.if_object();
  if (map == nullptr) return value;
  JsonObject out;
  for (const auto& member : *map) {
    if (!member.value().is_null()) out[member.key()] = without_nulls(member.value());
  }
  return out;
}

class Merge {
 public:
  explicit Merge(Document& document) : document_(document) {}

  Status merge(const YamlPath& path, const Json& value) {
    const auto* there = document_.find(path);
    const auto* map = value.if_object();
    if (value.is_null()) return there == nullptr ? Status() : change(path, nullptr);
    if (map == nullptr || there == nullptr || !there->is_map()) {
      const Json wanted = without_nulls(value);
      return there != nullptr && equal(*there, wanted) ? Status() : change(path, &wanted);
    }
    for (const auto& member : *map) {
      auto inner = path;
      inner.emplace_back(view(member.key()));
      if (auto done = merge(inner, member.value()); !done) return done;
    }
    return {};
  }

  std::vector<std::string> take() { return std::move(changed_); }

 private:
  Status change(const YamlPath& path, const Json* value) {
    if (changed_.size() == kMostFieldChanges) {
      return invalid(fmt::format("an update changes at most {} fields", kMostFieldChanges));
    }
    changed_.push_back(fmt::format("{}", fmt::join(path, ".")));
    return value == nullptr ? document_.remove(path) : document_.set(path, *value);
  }

  Document& document_;
  std::vector<std::string> changed_;
};

bool is_number(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text.size() <= 9 && std::all_of(text.begin(), text.end(), digit) &&
         (text.size() == 1 || text[0] != '0');
}

std::string plus_one(std::string_view number) {
  std::uint32_t value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return std::to_string(value + 1);
}

// 1.2.3, its last number's offset.
std::optional<std::size_t> patch_of(std::string_view core) {
  const auto first = core.find('.');
  const auto second = first == core.npos ? first : core.find('.', first + 1);
  if (second == core.npos || !is_number(core.substr(0, first)) ||
      !is_number(core.substr(first + 1, second - first - 1)) ||
      !is_number(core.substr(second + 1))) {
    return std::nullopt;
  }
  return second + 1;
}

bool are_identifiers(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.';
  };
  return !text.empty() && !text.starts_with('.') && !text.ends_with('.') &&
         text.find("..") == text.npos && std::all_of(text.begin(), text.end(), fits);
}

}  // namespace

std::string next_version(std::string_view version) {
  const auto plus = version.find('+');
  const auto before = version.substr(0, plus);
  const auto dash = before.find('-');
  const auto core = before.substr(0, dash);
  const auto patch = patch_of(core);
  const bool build = plus == version.npos || are_identifiers(version.substr(plus + 1));
  if (!patch || !build) return std::string(version);
  if (dash == before.npos) {
    return fmt::format("{}{}", core.substr(0, *patch), plus_one(core.substr(*patch)));
  }
  const auto pre = before.substr(dash + 1);
  if (!are_identifiers(pre)) return std::string(version);
  const auto last = pre.rfind('.') + 1;  // 0 if there is no dot
  if (!is_number(pre.substr(last))) return fmt::format("{}.1", before);
  return fmt::format("{}-{}{}", core, pre.substr(0, last), plus_one(pre.substr(last)));
}

Result<std::vector<std::string>> merge_fields(Document& document, const JsonObject& fields) {
  Merge merge(document);
  for (const auto& member : fields) {
    auto done = merge.merge(path_of(document, view(member.key())), member.value());
    if (!done) return std::move(done).error();
  }
  return merge.take();
}

Status merge_body(Document& document, std::string_view body) {
  const auto old = document.body();
  const auto first = std::min(old.find_first_not_of("\r\n"), old.size());
  const auto before = old.substr(0, first);
  // Without CR: the document puts in what its lines have.
  std::string text(static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')), '\n');
  if (text.empty() && old.empty()) text.push_back('\n');
  text.append(body);
  if (!text.ends_with('\n')) text += '\n';
  return document.set_body(text);
}

Status mark_changed(Document& document, const JsonObject& fields,
                    std::chrono::system_clock::time_point now, bool add) {
  const bool nested = is_nested(document);
  const auto at = [&](std::string_view key) {
    return nested ? YamlPath{"metadata", std::string(key)} : YamlPath{std::string(key)};
  };
  const auto* version = document.find(at("version"));
  const bool scalar = version != nullptr && !version->is_map() && !version->is_list();
  if (!fields.contains("version") && (scalar || (version == nullptr && add))) {
    const auto old = scalar ? version->text : std::string("1.0.0");
    const auto next = next_version(old);
    if (next != old) {
      if (auto set = document.set(at("version"), Json(next)); !set) return set;
    }
  }
  const auto given = [&](std::string_view key) { return fields.contains(key); };
  if (std::any_of(kUpdated.begin(), kUpdated.end(), given)) return {};
  for (const auto key : kUpdated) {
    if (document.find(at(key)) != nullptr) return document.set(at(key), Json(iso_time(now)));
  }
  return add ? document.set(at("updated"), Json(iso_time(now))) : Status();
}

}  // namespace lode
