#include "providers/capability/transfer/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "providers/capability/transfer/convert.h"
#include "providers/capability/transfer/forms.h"
#include "providers/capability/transfer/value.h"

namespace lode {
namespace {

constexpr std::size_t kMostPath = 500;
constexpr std::string_view kText = "text";  // what is no field: the element's text

std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

// Below the folder of its type, without hidden or odd segments: it comes from a file that
// anybody may have written.
bool is_place(std::string_view file, ElementType type) {
  if (file.size() > kMostPath || !valid_utf8(file) || visible(file) != file) return false;
  if (!file.ends_with(".md") && !file.ends_with(".yaml") && !file.ends_with(".yml")) return false;
  const auto folder = file.substr(0, file.find('/'));
  if (folder == file || find_element_type(folder) != type) return false;
  for (auto rest = file; !rest.empty();) {
    const auto segment = rest.substr(0, rest.find('/'));
    if (segment.empty() || segment.starts_with('.')) return false;
    rest.remove_prefix(std::min(segment.size() + 1, rest.size()));
  }
  return !file.ends_with('/');
}

bool is_nothing(const Json& value) {
  return value.is_null() || (value.is_bool() && !value.get_bool()) ||
         (value.is_string() && value.get_string().empty()) ||
         (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty());
}

bool same(const Json& a, const Json& b);

bool same_map(const JsonObject& a, const JsonObject& b) {
  const auto covers = [](const JsonObject& all, const JsonObject& some) {
    return std::all_of(some.begin(), some.end(), [&](const auto& member) {
      const auto* other = all.if_contains(member.key());
      return other == nullptr ? is_nothing(member.value()) : same(*other, member.value());
    });
  };
  return covers(a, b) && covers(b, a);
}

// Whether another program, that read the one and wrote it again, may have written the other.
bool same(const Json& a, const Json& b) {
  if (a == b || (is_nothing(a) && is_nothing(b))) return true;
  if (a.is_number() && b.is_number()) return a.to_number<double>() == b.to_number<double>();
  if (a.is_string() && b.is_string()) {
    const auto time = full_time(view(a.get_string()));
    return time && time == full_time(view(b.get_string()));
  }
  if (a.is_array() && b.is_array()) {
    const auto& one = a.get_array();
    const auto& other = b.get_array();
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), same);
  }
  return a.is_object() && b.is_object() && same_map(a.get_object(), b.get_object());
}

// NEXS writes the ids of skills anew when it starts.
bool same_skills(const Json& before, const Json& now) {
  if (!before.is_array() || !now.is_array()) return false;
  const auto renamed = [](const Json& a, const Json& b) {
    return a == b || (b.is_string() && view(b.get_string()).starts_with("skill_"));
  };
  const auto& one = before.get_array();
  const auto& other = now.get_array();
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), renamed);
}

// When it was made and written, its type and its id are not the other program's to say;
// `custom` is ours.
bool is_ours(std::string_view name) {
  constexpr std::array<std::string_view, 10> kOurs{kOriginMark, "id",          "type",     "custom",
                                                   "created",   "updated",     "modified", "stats",
                                                   "unique_id", "content_hash"};
  return std::find(kOurs.begin(), kOurs.end(), name) != kOurs.end();
}

// What a file of the form says, by our names; its text under a name of its own.
JsonObject said_in(TransferFormat format, const JsonObject& fields, std::string_view body) {
  JsonObject out;
  const auto add = [&](std::string_view name, const Json& value) {
    if (!is_ours(name)) out.insert_or_assign(name, value);
  };
  if (format == TransferFormat::nexs) {
    const auto map = [&](std::string_view key) {
      const auto* value = fields.if_contains(key);
      return value == nullptr || !value->is_object() ? JsonObject() : value->get_object();
    };
    for (const auto& member : map("data")) add(view(member.key()), member.value());
    for (const auto& member : map("metadata")) {
      const auto name = name_in_nexs_metadata(view(member.key()));
      if (!name.empty()) add(name, member.value());
    }
    return out;
  }
  for (const auto& member : fields) add(view(member.key()), member.value());
  out.insert_or_assign(kText, Json(std::string(body)));
  return out;
}

std::string without_empty_lines(std::string_view text) {
  const auto first = text.find_first_not_of("\r\n");
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of("\r\n") + 1 - first));
}

// Makes the changes in the original.
class Restoring {
 public:
  Restoring(ElementType type, Document document) : type_(type), document_(std::move(document)) {}

  Status set(std::string_view name, const Json& value, const ElementValue& was) {
    const auto main = main_field(type_);
    if (name == kText || (name == main && !has_field(name))) {
      // A YAML document has no place for a text but a field.
      auto set = set_text(value, was);
      if (set || main.empty()) return set;
      return document_.set(path_of(main), value);
    }
    return document_.set(path_of(name), value);
  }

  std::string take() const { return document_.text(); }

 private:
  bool has_field(std::string_view name) const {
    return maps_of(document_.frontmatter()).typed.find(name) != nullptr;
  }

  // Where a field is, or belongs.
  YamlPath path_of(std::string_view name) const {
    const auto& root = document_.frontmatter();
    const auto [common, typed] = maps_of(root);
    const bool nested = &common != &root;
    if (nested && common.find(name) != nullptr) return {"metadata", std::string(name)};
    if (&typed != &root) {
      const bool metadata = !name_in_nexs_metadata(name).empty();
      return {metadata ? "metadata" : "data", std::string(name)};
    }
    return {std::string(name)};
  }

  Status set_text(const Json& value, const ElementValue& was) {
    const auto* text = value.if_string();
    if (text == nullptr) return invalid("the text is none");
    std::string next(view(*text));
    // What had been cut off for NEXS stays behind what is there now.
    if (type_ == ElementType::persona && was.text.size() > kNexsPrompt) {
      next += was.text.substr(first_bytes(was.text, kNexsPrompt).size());
    }
    const bool ended = document_.body().ends_with('\n');
    if (ended && !next.ends_with('\n')) next += '\n';
    return document_.set_body(next);
  }

  const ElementType type_;
  Document document_;
};

}  // namespace

JsonObject Origin::json() const { return {{"file", file}, {"text", text}}; }

std::optional<Origin> origin_in(const YamlNode& root, ElementType type) {
  const auto [common, typed] = maps_of(root);
  const auto* custom = common.find(kCustom);
  const auto* carried = typed.find(kOriginMark);
  if (carried == nullptr && custom != nullptr) carried = custom->find(kOriginMark);
  if (carried == nullptr) return std::nullopt;
  const auto file = text_of(*carried, "file");
  const auto text = text_of(*carried, "text");
  if (!file || !text || !is_place(*file, type)) return std::nullopt;
  return Origin{*file, *text};
}

Result<Restored> restore(const Origin& origin, ElementType type, TransferFormat format,
                         const Document& converted) {
  auto document = Document::parse(origin.text, form_of_file(origin.file));
  if (!document) return std::move(document).error();
  const auto now_json = to_json(converted.frontmatter());
  const auto* now_fields = now_json.if_object();
  if (now_fields == nullptr) return invalid("it has no fields");
  auto was = value_of(type, id_of_file(origin.file), document->frontmatter(), document->body());
  // What was made up has the times that the element had then.
  const auto dated = value_of(type, was.id, converted.frontmatter(), "");
  for (const std::string_view name : {"created", "updated"}) {
    was.fields[name] = text_field(dated.fields, name);
  }
  const auto form = format == TransferFormat::nexs ? nexs_form(was) : dollhouse_form(was);
  const auto before = said_in(format, form.fields, without_empty_lines(form.body));
  const auto now = said_in(format, *now_fields, without_empty_lines(converted.body()));
  Restoring restoring(type, std::move(*document));
  Restored out;
  for (const auto& member : now) {
    const auto name = view(member.key());
    const auto* old = before.if_contains(name);
    if (old == nullptr ? is_nothing(member.value()) : same(*old, member.value())) continue;
    if (old != nullptr && name == "related_skills" && same_skills(*old, member.value())) continue;
    if (const auto set = restoring.set(name, member.value(), was); !set) {
      out.left.push_back(fmt::format("{} was changed there, and stays here: {}", cut_text(name, 60),
                                     set.error().message));
    }
  }
  out.text = restoring.take();
  return out;
}

}  // namespace lode
