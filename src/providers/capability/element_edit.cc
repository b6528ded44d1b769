#include "providers/capability/element_edit.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/hash.h"

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

// 1.2.3 or 1.2 or 1: its last number's offset.
std::optional<std::size_t> last_number(std::string_view core) {
  constexpr std::size_t kMostNumbers = 4;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < kMostNumbers; ++i) {
    const auto end = std::min(core.find('.', begin), core.size());
    if (!is_number(core.substr(begin, end - begin))) return std::nullopt;
    if (end == core.size()) return begin;
    begin = end + 1;
  }
  return std::nullopt;
}

constexpr std::string_view kEntries = "entries";

// Where the text of a type may be, the usual place first.
std::vector<std::string_view> text_fields(ElementType type) {
  switch (type) {
    case ElementType::template_:
    case ElementType::memory: return {"content"};
    case ElementType::skill: return {"instructions", "content"};
    case ElementType::persona: return {"instructions", "system_prompt"};
    case ElementType::agent:
    case ElementType::ensemble: break;
  }
  return {"instructions"};
}

Result<std::string> set_at(Document& document, const YamlPath& path, const Json& value) {
  if (auto set = document.set(path, value); !set) return std::move(set).error();
  return fmt::format("{}", fmt::join(path, "."));
}

// As Dollhouse names entries: a time, and what tells two of one moment apart.
std::string entry_id(std::string_view text, std::chrono::system_clock::time_point now) {
  const auto since = now.time_since_epoch();
  return fmt::format("mem_{}_{}",
                     std::chrono::duration_cast<std::chrono::milliseconds>(since).count(),
                     content_hash(text).substr(0, 8));
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
  const auto last_one = last_number(core);
  const bool build = plus == version.npos || are_identifiers(version.substr(plus + 1));
  if (!last_one || !build) return std::string(version);
  if (dash == before.npos) {
    return fmt::format("{}{}", core.substr(0, *last_one), plus_one(core.substr(*last_one)));
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

Result<std::string> merge_text(Document& document, ElementType type, std::string_view text) {
  const bool memory = type == ElementType::memory;
  const auto entries_at = path_of(document, kEntries);
  const auto* entries = memory ? document.find(entries_at) : nullptr;
  if (entries != nullptr && entries->is_list() && !entries->items.empty()) {
    if (entries->items.size() > 1) {
      return invalid(
          fmt::format("the memory has {} entries: append adds one, and "
                      "\"fields\":{{\"entries\":[…]}} replaces them",
                      entries->items.size()));
    }
    auto path = entries_at;
    path.emplace_back("0");
    if (entries->items.front().is_map()) path.emplace_back("content");
    return set_at(document, path, Json(text));
  }
  const auto fields = text_fields(type);
  for (const auto field : fields) {
    const auto path = path_of(document, field);
    if (document.find(path) != nullptr) return set_at(document, path, Json(text));
  }
  return set_at(document, path_of(document, fields.front()), Json(text));
}

Result<std::string> append_entry(Document& document, DocumentForm form, std::string_view text,
                                 std::chrono::system_clock::time_point now) {
  const auto id = entry_id(text, now);
  JsonObject entry{{"id", id}, {"timestamp", iso_time(now)}, {"content", text}};
  auto path = path_of(document, kEntries);
  const auto* entries = document.find(path);
  const bool empty = document.body().find_first_not_of("\r\n") == std::string_view::npos;
  const auto content_at = path_of(document, "content");
  const auto* content = document.find(content_at);
  if (entries != nullptr && entries->is_map()) {
    entry.erase("id");
    path.emplace_back(id);
    return set_at(document, path, entry);
  }
  if (entries != nullptr && entries->is_list() && !entries->items.empty()) {
    path.push_back(std::to_string(entries->items.size()));
    return set_at(document, path, entry);
  }
  if (entries != nullptr) return set_at(document, path, JsonArray{entry});
  if (empty && content != nullptr && content->is_string()) {
    return set_at(document, content_at, Json(fmt::format("{}\n\n{}", content->text, text)));
  }
  if (empty && form == DocumentForm::yaml) return set_at(document, path, JsonArray{entry});
  std::string body(document.body());
  if (!empty && !body.ends_with('\n')) body += '\n';
  body += fmt::format("\n[{}] {}", iso_time(now), text);
  if (!body.ends_with('\n')) body += '\n';
  if (auto set = document.set_body(body); !set) return std::move(set).error();
  return "body";
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
