#include "providers/capability/manage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/nearest.h"
#include "base/utf8.h"
#include "providers/capability/element_edit.h"
#include "providers/capability/element_files.h"
#include "providers/capability/folder.h"
#include "providers/capability/manage_arguments.h"
#include "providers/capability/template_text.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::size_t kMostCandidates = 10'000;  // for "did you mean"

Error conflict(std::string message) { return {Code::conflict, std::move(message), {}}; }

Error no_records() {
  return {Code::unsupported,
          "which elements are active is kept in the records of a workspace, and there are none "
          "here: start lode with a workspace",
          {}};
}

DocumentForm form_of(std::string_view file) {
  return file.ends_with(".md") ? DocumentForm::markdown : DocumentForm::yaml;
}

bool is_agent_skill(const Element& element) { return element.file.ends_with("/SKILL.md"); }

// A name becomes a file's name and a line of a list.
Status check_name(std::string_view what, std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), control)) {
    return invalid(fmt::format("\"{}\" has a control character in it", what));
  }
  const auto word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  if (std::none_of(text.begin(), text.end(), word)) {
    return invalid(fmt::format("\"{}\" needs a letter or a digit", what));
  }
  return {};
}

JsonObject frontmatter_of(const ElementManager::New& wanted, const std::string& now) {
  JsonObject out{{"name", wanted.name}, {"description", wanted.description}};
  if (const auto* id = wanted.fields.if_contains("id")) out["id"] = *id;
  out["version"] = "1.0.0";
  out["created"] = now;
  out["updated"] = now;
  for (const auto& field : wanted.fields) {
    if (!field.value().is_null()) out[field.key()] = field.value();
  }
  return out;
}

Error wrong_fields(const std::vector<std::string>& problems) {
  return invalid(fmt::format("nothing was written: {}", fmt::join(problems, "; ")));
}

// What is wrong now and was not before; a line may have moved.
std::vector<std::string> new_problems(const std::vector<Problem>& before,
                                      const std::vector<Problem>& after) {
  std::multimap<std::string_view, bool> known;
  for (const auto& problem : before) known.emplace(problem.text, true);
  std::vector<std::string> out;
  for (const auto& problem : after) {
    if (problem.harmless) continue;
    const auto old = known.find(problem.text);
    if (old == known.end()) {
      out.push_back(problem.text);
    } else {
      known.erase(old);
    }
  }
  return out;
}

Result<std::vector<std::string>> merge(Document& document, const ElementManager::Change& change,
                                       DocumentForm form,
                                       std::chrono::system_clock::time_point now) {
  auto changed = merge_fields(document, change.fields);
  if (!changed) return changed;
  if (change.entry) {
    auto appended = append_entry(document, form, *change.entry, now);
    if (!appended) return std::move(appended).error().in("the entry");
    changed->push_back(std::move(*appended));
  }
  if (!change.body) return changed;
  const auto with_fields = document.text();
  Result<std::string> where = std::string("body");
  if (auto body = merge_body(document, *change.body); !body) where = std::move(body).error();
  if (!where && where.error().code == Code::unsupported && form == DocumentForm::yaml) {
    where = merge_text(document, change.type, *change.body);
  }
  if (!where) return std::move(where).error().in("the body");
  if (document.text() != with_fields) changed->push_back(std::move(*where));
  return changed;
}

struct Edit {
  std::string text;
  std::vector<std::string> changed;  // empty: nothing to be written
  Element before;
  Element after;
};

// What the file will say.
Result<Edit> edited(const ElementManager::Change& change, const Element& element,
                    const ElementFiles::Snapshot& old, std::chrono::system_clock::time_point now) {
  const auto& file = element.file;
  auto before = read_element({change.type, file, old.text, old.modified});
  auto document = Document::parse(old.text, form_of(file));
  if (!before || !document) {
    const auto& why = before ? document.error() : before.error();
    return invalid(
        fmt::format("{}: {}. It is left as it is until you mend it by hand", file, why.message));
  }
  auto changed = merge(*document, change, form_of(file), now);
  if (!changed) return std::move(changed).error().in(file);
  if (changed->empty()) return Edit{"", {}, std::move(before->element), {}};
  auto marked = mark_changed(*document, change.fields, now, !is_agent_skill(element));
  if (!marked) return std::move(marked).error().in(file);
  auto after = read_element({change.type, file, document->text(), now});
  if (!after) return std::move(after).error().in("nothing was written");
  if (after->element.id != before->element.id) {
    return invalid("nothing was written: an id does not change; create another element instead");
  }
  const auto problems = new_problems(before->problems, after->problems);
  if (!problems.empty()) return wrong_fields(problems);
  return Edit{document->text(), std::move(*changed), std::move(before->element),
              std::move(after->element)};
}

Collection::Shows shown_by(const ElementGate& gate) {
  return [&gate](const Element& element) { return gate.shows(element); };
}

std::string quoted(const Element& element) {
  return fmt::format("{} \"{}\"", to_string(element.type), element.id);
}

}  // namespace

ElementManager::ElementManager(Collection& collection, ActiveElements* active,
                               std::string trash_directory, Clock clock)
    : collection_(collection),
      active_(active),
      trash_(std::move(trash_directory), clock),
      clock_(std::move(clock)) {
  add_operations();
}

// ---- finding ----

const std::string& ElementManager::folder(bool of_workspace) const {
  const auto& folders = collection_.folders();
  return of_workspace ? folders.workspace : folders.user;
}

Error ElementManager::no_such(const ElementGate& gate, ElementType type,
                              std::string_view id) const {
  Element wanted;
  wanted.type = type;
  wanted.id = slug(id);
  const auto address = wanted.uri();
  for (const auto& problem : collection_.problems(Collection::kMostProblems)) {
    if (problem.uri == address && gate.shows(problem)) {
      return invalid(
          fmt::format("{}. It is left as it is until you mend it by hand", problem.sentence()));
    }
  }
  std::vector<std::string> ids;
  collection_.each(type, "", [&](const Element& element) {
    if (gate.shows(element)) ids.push_back(element.id);
    return ids.size() < kMostCandidates;
  });
  const std::vector<std::string_view> candidates(ids.begin(), ids.end());
  const auto list = fmt::format("capability-index://elements/{}", to_string(type));
  const auto where =
      gate.names(list)
          ? list + " lists them"
          : fmt::format("{{\"operation\":\"list\",\"type\":\"{}\"}} lists them", to_string(type));
  return not_found(fmt::format("no {} has the id \"{}\"{}; {}", to_string(type), id,
                               did_you_mean(id, candidates), where));
}

Result<Element> ElementManager::find(const ElementGate& gate, ElementType type,
                                     std::string_view id) const {
  collection_.load(type);
  auto element = collection_.find(type, id, shown_by(gate));
  if (!element) return no_such(gate, type, id);
  if (element->id != id) {
    const auto others = collection_.ids_of(type, id, shown_by(gate));
    if (others.size() > 1) return several(type, id, others);
  }
  return std::move(*element);
}

Result<Element> ElementManager::find_writable(const ElementGate& gate, ElementType type,
                                              std::string_view id) const {
  auto element = find(gate, type, id);
  if (!element) return element;
  if (auto admitted = gate.admit(Action::write, *element); !admitted) {
    return std::move(admitted).error();
  }
  return element;
}

// One that other programs keep is read, and no more.
Status ElementManager::check_own(const Element& element) const {
  if (!element.foreign) return {};
  return Error{
      Code::unsupported,
      fmt::format("{} is kept in {}, where other programs use it and Lode writes nothing: change "
                  "it there, or create one of its name, which counts before it",
                  quoted(element), collection_.shown({element.folder, element.file})),
      {}};
}

// ---- making and changing ----

// One that is hidden, and would be lost or doubled, may not be written: the words are those
// for an address that may not. Other hidden ones stand in nobody's way.
Status ElementManager::check_hidden(const ElementGate& gate, const Element& element) const {
  const auto in_the_way = [&](const Element& other) {
    return other.id == element.id && other.of_workspace == element.of_workspace && !other.foreign &&
           !gate.shows(other);
  };
  const auto same_file = collection_.in_file(element.of_workspace, element.file);
  const bool file_hidden = same_file && !gate.shows(*same_file);
  if (!file_hidden && !collection_.find(element.type, element.id, in_the_way)) return {};
  return ElementGate::refusal(Action::write, element);
}

Status ElementManager::check_free(const ElementGate& gate, const New& wanted,
                                  const Element& element) const {
  collection_.load(wanted.type);
  if (auto hidden = check_hidden(gate, element); !hidden) return hidden;
  auto there = collection_.find(wanted.type, element.id, shown_by(gate));
  if (!there) there = collection_.find(wanted.type, wanted.name, shown_by(gate));
  if (!there) return {};
  // One of the workspace counts before all others, one of the user before those
  // that the user's other programs keep.
  const bool to_workspace = element.of_workspace;
  const bool counts = to_workspace || !there->of_workspace;
  if (there->foreign && counts) return {};
  if (!there->of_workspace && wanted.of_workspace == true) return {};
  const auto hint = there->of_workspace ? ""
                                        : "; or, for one that counts in this workspace alone, "
                                          "create it with \"scope\":\"workspace\"";
  return conflict(fmt::format(
      "there is a {0} already: change it with {{\"operation\":\"update\",\"type\":\"{1}\","
      "\"id\":{2},\"fields\":{{…}}}}{3}",
      quoted(*there), to_string(there->type), to_text(Json(there->id)), hint));
}

Result<Element> ElementManager::create(const ElementGate& gate, const New& wanted) const {
  if (auto named = check_name("name", wanted.name); !named) return std::move(named).error();
  const auto* id = wanted.fields.if_contains("id");
  const auto* id_text = id == nullptr ? nullptr : id->if_string();
  if (id != nullptr && id_text == nullptr) return invalid("\"id\" is a text");
  const std::string called = id_text == nullptr ? wanted.name : std::string(*id_text);
  if (auto named = check_name("id", called); !named) return std::move(named).error();
  const bool of_workspace = wanted.of_workspace.value_or(!folder(true).empty());
  const auto file =
      fmt::format("{}/{}.md", type_directory(folder(of_workspace), wanted.type), slug(called));
  const auto now = clock_();
  auto text = make_document(frontmatter_of(wanted, iso_time(now)), wanted.body);
  if (!text) return std::move(text).error().in("nothing was written");
  auto reading = read_element({wanted.type, file, *text, now});
  if (!reading) return std::move(reading).error().in("nothing was written");
  if (const auto problems = new_problems({}, reading->problems); !problems.empty()) {
    return wrong_fields(problems);
  }
  reading->element.of_workspace = of_workspace;
  if (auto admitted = gate.admit(Action::write, reading->element); !admitted) {
    return std::move(admitted).error();
  }
  if (auto free = check_free(gate, wanted, reading->element); !free) return std::move(free).error();
  auto files = ElementFiles::open(folder(of_workspace), of_workspace);
  if (!files) return std::move(files).error();
  auto made = files->create(file, *text);
  collection_.refresh(of_workspace, file);
  if (!made) {
    // Somebody may have made it a moment ago.
    auto free = check_free(gate, wanted, reading->element);
    return free ? std::move(made).error() : std::move(free).error();
  }
  return std::move(reading->element);
}

Result<ElementManager::Changed> ElementManager::update(const ElementGate& gate,
                                                       const Change& change) const {
  auto element = find_writable(gate, change.type, change.id);
  if (!element) return std::move(element).error();
  if (auto own = check_own(*element); !own) return std::move(own).error();
  const auto& file = element->file;
  auto files = ElementFiles::open(folder(element->of_workspace), element->of_workspace);
  if (!files) return std::move(files).error();
  auto old = files->read(file);
  if (!old) return std::move(old).error();
  auto edit = edited(change, *element, *old, clock_());
  if (!edit) return std::move(edit).error();
  if (edit->changed.empty()) return Changed{std::move(*element), "", {}};
  auto written = files->replace(file, edit->text, old->stamp);
  if (!written) return std::move(written).error();
  collection_.refresh(element->of_workspace, file);
  edit->after.of_workspace = element->of_workspace;
  return Changed{std::move(edit->after), std::move(edit->before.version), std::move(edit->changed)};
}

// ---- deleting and bringing back ----

Result<ElementManager::Removed> ElementManager::remove(const ElementGate& gate, ElementType type,
                                                       std::string_view id) const {
  auto element = find_writable(gate, type, id);
  if (!element) return std::move(element).error();
  if (auto own = check_own(*element); !own) return std::move(own).error();
  auto files = ElementFiles::open(folder(element->of_workspace), element->of_workspace);
  if (!files) return std::move(files).error();
  auto entry = trash_.take(*files, *element);
  if (!entry) return std::move(entry).error();
  collection_.refresh(element->of_workspace, element->file);
  auto other = collection_.find(type, element->id, shown_by(gate));
  if (other && other->id != element->id) other.reset();
  if (!other && active_ != nullptr) {
    // The element has gone already; a mark that stays does no harm.
    static_cast<void>(active_->deactivate(type, element->id).ok());
  }
  return Removed{std::move(*element), std::move(*entry), std::move(other)};
}

Result<Element> ElementManager::restore(const ElementGate& gate, Result<Trash::Entry> entry,
                                        const Error& absent) const {
  if (!entry) return std::move(entry).error();
  const auto& element = entry->element;
  if (!gate.shows(element)) return absent;
  if (auto admitted = gate.admit(Action::write, element); !admitted) {
    return std::move(admitted).error();
  }
  collection_.load(element.type);
  if (auto hidden = check_hidden(gate, element); !hidden) return std::move(hidden).error();
  const auto there = collection_.find(element.type, element.id, shown_by(gate));
  if (there && there->id == element.id && there->of_workspace == element.of_workspace &&
      !there->foreign) {
    return conflict(
        fmt::format("there is a {} again ({}): delete it, then restore this one with "
                    "{{\"operation\":\"restore\",\"id\":\"{}\"}}",
                    quoted(*there), there->file, entry->name));
  }
  auto files = ElementFiles::open(folder(element.of_workspace), element.of_workspace);
  if (!files) return std::move(files).error();
  if (auto back = trash_.bring_back(*entry, *files); !back) return std::move(back).error();
  collection_.refresh(element.of_workspace, element.file);
  return element;
}

Result<Element> ElementManager::restore(const ElementGate& gate, ElementType type,
                                        std::string_view id) const {
  return restore(gate, trash_.find(type, id), Trash::no_such(type, id));
}

Result<Element> ElementManager::restore(const ElementGate& gate,
                                        std::string_view trash_entry) const {
  return restore(gate, trash_.find(trash_entry), Trash::no_such(trash_entry));
}

// ---- using ----

Result<ElementManager::Marked> ElementManager::activate(const ElementGate& gate, ElementType type,
                                                        std::string_view id) const {
  if (active_ == nullptr) return no_records();
  auto element = find_writable(gate, type, id);
  if (!element) return std::move(element).error();
  auto changed = active_->activate(type, element->id);
  if (!changed) return std::move(changed).error();
  return Marked{std::move(element->id), *changed};
}

Result<ElementManager::Marked> ElementManager::deactivate(const ElementGate& gate, ElementType type,
                                                          std::string_view id) const {
  if (active_ == nullptr) return no_records();
  auto element = find_writable(gate, type, id);
  // The element itself may have gone, but not behind the gate.
  if (!element && collection_.find(type, id)) return std::move(element).error();
  Element meant;
  meant.type = type;
  meant.id = element ? element->id : std::string(id);
  if (!element && !gate.admit(Action::write, meant)) return std::move(element).error();
  Marked marked{meant.id};
  auto changed = active_->deactivate(type, marked.id);
  if (!changed) return std::move(changed).error();
  marked.changed = *changed;
  if (!element && !marked.changed) return std::move(element).error();
  return marked;
}

Result<std::string> ElementManager::render(const ElementGate& gate, std::string_view id,
                                           const JsonObject& values) const {
  auto element = find(gate, ElementType::template_, id);
  if (!element) return std::move(element).error();
  if (auto admitted = gate.admit(Action::read, *element); !admitted) {
    return std::move(admitted).error();
  }
  auto text = collection_.text_of(*element);
  if (!text) return std::move(text).error();
  auto document = Document::parse(std::move(*text), form_of(element->file));
  if (!document) return std::move(document).error().in(element->file);
  return render_template(template_content(*document), element->variables, values);
}

std::string ElementManager::notes(const ElementGate& gate, const Element& element) const {
  std::string out;
  if (collection_.loading()) return out;  // not everything is known
  for (const auto& relation : element.relations) {
    const auto target = collection_.resolve(relation);
    if (target && gate.shows(*target)) continue;
    out += fmt::format("\nnote: {} \"{}\", which is not there", relation.kind,
                       visible(relation.target));
  }
  return out;
}

}  // namespace lode
