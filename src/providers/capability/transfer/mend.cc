#include "providers/capability/transfer/mend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "providers/capability/transfer/convert.h"
#include "providers/capability/transfer/origin.h"
#include "providers/capability/transfer/value.h"
#include "store/document.h"
#include "store/yaml_write.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 5> kCreated{"created", "created_at", "createdat",
                                                   "created_date", "date_created"};
constexpr std::size_t kDayLength = 10;
constexpr std::string_view kSheet = "/SKILL.md";

bool is_nested(const YamlNode& root) { return &maps_of(root).common != &root; }

// Where a common field is, or belongs.
YamlPath common_path(const YamlNode& root, std::string_view key) {
  if (is_nested(root)) return {"metadata", std::string(key)};
  return {std::string(key)};
}

// What a file is called; a SKILL.md as its folder is.
std::string stem_of(std::string_view path) {
  if (path.ends_with(kSheet)) path.remove_suffix(kSheet.size());
  const auto name = path.substr(path.rfind('/') + 1);
  return std::string(name.substr(0, name.rfind('.')));
}

// The object under one of two spellings.
const JsonObject* object_in(const JsonObject& map, std::string_view one, std::string_view other) {
  const auto* value = map.if_contains(one);
  if (value == nullptr) value = map.if_contains(other);
  return value == nullptr ? nullptr : value->if_object();
}

// {"metadata": {…}, "element": {…}}, as a backup has it. Nothing: it is no element.
Result<std::string> yaml_of_json(const std::string& text) {
  auto json = parse_json(text);
  if (!json) return std::move(json).error().in("line 1");
  const auto* root = json->if_object();
  const auto* metadata = root == nullptr ? nullptr : object_in(*root, "metadata", "Metadata");
  if (metadata == nullptr) return std::string();
  const auto* element = object_in(*root, "element", "data");
  if (element == nullptr) element = object_in(*root, "Data", "Element");
  JsonObject data = element == nullptr ? JsonObject() : *element;
  const auto* again = data.if_contains("metadata");
  if (again != nullptr && *again == Json(*metadata)) data.erase("metadata");
  JsonObject out{{"metadata", *metadata}, {"data", std::move(data)}};
  for (const auto& member : *root) {
    const std::string_view key(member.key().data(), member.key().size());
    const bool taken = member.value().is_object() && (&member.value().get_object() == metadata ||
                                                      &member.value().get_object() == element);
    if (!taken) out.emplace(key, member.value());
  }
  return to_yaml(out);
}

// A key, without its value.
std::string renamed(const Document& document, const YamlMember& member, std::string_view name) {
  const auto yaml = document.frontmatter_text();
  std::string text = document.text();
  const auto begin = static_cast<std::size_t>(yaml.data() - document.text().data());
  text.replace(begin + member.span.begin, member.span.end - member.span.begin, name);
  return text;
}

class Mender {
 public:
  Mender(TransferFormat format, const std::string& path, Document document, Mended& out)
      : format_(format), path_(path), document_(std::move(document)), out_(out) {}

  Status run() {
    if (auto done = spell_maps(); !done) return done;
    if (document_.frontmatter().members.empty()) return none("it has no frontmatter");
    if (format_ == TransferFormat::nexs && !looks_like_nexs()) {
      return none("it has neither metadata nor a name");
    }
    place_by_type();
    if (is_marked(document_.frontmatter())) return unconvert();
    for (const auto step : {&Mender::name_it, &Mender::list_entries, &Mender::date_it}) {
      if (auto done = (this->*step)(); !done) return done;
    }
    note_missing_data();
    out_.text = document_.text();
    return {};
  }

 private:
  Status none(std::string_view why) {
    out_.no_element = fmt::format("not an element: {}", why);
    return {};
  }

  Status set(const YamlPath& path, const Json& value, std::string note) {
    if (auto done = document_.set(path, value); !done) return done;
    out_.mended.push_back(std::move(note));
    return {};
  }

  Status spell_maps() {
    for (const auto& [wrong, right] :
         {std::pair{"Metadata", "metadata"}, std::pair{"Data", "data"}}) {
      const auto& members = document_.frontmatter().members;
      const auto found = std::find_if(members.begin(), members.end(),
                                      [&](const YamlMember& one) { return one.key == wrong; });
      if (found == members.end() || document_.find({right}) != nullptr) continue;
      auto read = Document::parse(renamed(document_, *found, right), form_of_file(out_.target));
      if (!read) return std::move(read).error();
      document_ = std::move(*read);
      out_.mended.push_back(fmt::format("{} is spelled {}", wrong, right));
    }
    return {};
  }

  bool looks_like_nexs() const {
    const auto& root = document_.frontmatter();
    return is_nested(root) || root.find("name") != nullptr;
  }

  // NEXS goes by what the file says.
  void place_by_type() {
    if (format_ != TransferFormat::nexs) return;
    const auto said = text_of(maps_of(document_.frontmatter()).common, "type");
    const auto type = said ? find_element_type(*said) : std::nullopt;
    if (!type || *type == out_.type) return;
    out_.mended.push_back(fmt::format("it is a {}, and lay among others of the type {}",
                                      to_string(*type), to_string(out_.type)));
    out_.target = fmt::format("{}{}", to_string(*type), out_.target.substr(out_.target.find('/')));
    out_.type = *type;
  }

  Status unconvert() {
    const auto& root = document_.frontmatter();
    if (const auto origin = origin_in(root, out_.type)) {
      if (auto restored = restore(*origin, out_.type, format_, document_)) {
        const bool same = restored->text == origin->text;
        out_.target = origin->file;
        out_.text = std::move(restored->text);
        out_.notes.insert(out_.notes.end(), restored->left.begin(), restored->left.end());
        out_.mended.emplace_back(same ? "it is the file that was exported again"
                                      : "it is the file that was exported, with what was changed");
        return {};
      }
    }
    const auto read = read_element({out_.type, out_.target, document_.text(), {}});
    if (!read) return read.error();
    auto native = to_native(value_of(out_.type, read->element.id, root, document_.body()));
    if (!native) return std::move(native).error();
    out_.target = std::move(native->file);
    out_.text = std::move(native->text);
    if (!note_missing_data()) out_.mended.emplace_back("what an export had converted is as it was");
    return {};
  }

  Status name_it() {
    const auto& root = document_.frontmatter();
    if (!text_of(maps_of(root).common, "name").value_or("").empty()) return {};
    const auto name = stem_of(out_.target.ends_with(kSheet) ? out_.target : path_);
    return set(common_path(root, "name"), Json(name),
               fmt::format("it had no name, and is called \"{}\" as its file is", name));
  }

  Status list_entries() {
    const auto* entries = document_.find({"entries"});
    if (out_.type != ElementType::memory || entries == nullptr || !entries->is_map()) return {};
    JsonArray list;
    for (const auto& member : entries->members) {
      JsonObject entry;
      const auto value = to_json(member.value);
      if (const auto* map = value.if_object()) {
        if (!map->contains("id")) entry.emplace("id", member.key);
        for (const auto& field : *map) entry.emplace(field.key(), field.value());
      } else {
        entry = JsonObject{{"id", member.key}, {"content", value}};
      }
      list.push_back(std::move(entry));
    }
    return set({"entries"}, list, "entries was a map, and is a list");
  }

  Status date_it() {
    if (out_.type != ElementType::memory || format_ != TransferFormat::dollhouse) return {};
    const auto folder = out_.target.substr(out_.target.find('/') + 1);
    const auto day = folder.substr(0, folder.find('/'));
    if (day.size() != kDayLength || !full_time(day)) return {};
    const auto& common = maps_of(document_.frontmatter()).common;
    const auto says = [&](std::string_view key) { return text_of(common, key).has_value(); };
    if (std::any_of(kCreated.begin(), kCreated.end(), says)) return {};
    return set(common_path(document_.frontmatter(), "created"), Json(day),
               fmt::format("it had no date, and is of {} as its folder is", day));
  }

  // Whether it is.
  bool note_missing_data() {
    const auto& root = document_.frontmatter();
    const auto* data = root.find("data");
    const bool has_data = data != nullptr && data->is_map() && !data->members.empty();
    if (format_ != TransferFormat::nexs || !is_nested(root) || has_data) return false;
    out_.notes.emplace_back("its data is missing, as after an update by NEXS");
    return true;
  }

  const TransferFormat format_;
  const std::string& path_;
  Document document_;
  Mended& out_;
};

}  // namespace

Result<Mended> mend(TransferFormat format, const Placement& place, const std::string& path,
                    std::string text) {
  Mended out;
  out.type = place.type;
  out.target = place.target;
  if (path.ends_with(".json")) {
    auto yaml = yaml_of_json(text);
    if (!yaml) return std::move(yaml).error();
    if (yaml->empty()) {
      out.no_element = "not an element: it has no metadata";
      return out;
    }
    text = std::move(*yaml);
    out.mended.emplace_back("JSON became YAML");
  }
  auto document = Document::parse(std::move(text), form_of_file(out.target));
  if (!document) return std::move(document).error();
  if (auto done = Mender(format, path, std::move(*document), out).run(); !done) {
    return std::move(done).error();
  }
  return out;
}

Result<std::string> with_id(const std::string& text, const std::string& file,
                            const std::string& id) {
  auto document = Document::parse(text, form_of_file(file));
  if (!document) return std::move(document).error();
  auto set = document->set(common_path(document->frontmatter(), "id"), Json(id));
  if (!set) return std::move(set).error();
  return document->text();
}

}  // namespace lode
