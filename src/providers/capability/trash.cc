#include "providers/capability/trash.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "providers/capability/collection.h"
#include "providers/capability/move.h"
#include "store/private_directory.h"

namespace lode {
namespace {

using std::chrono::microseconds;
using std::chrono::system_clock;

constexpr std::string_view kSkillFile = "/SKILL.md";
constexpr std::size_t kMostOfId = 100;  // in the name of an entry
constexpr int kNameTries = 100;

std::string time_name(system_clock::time_point time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::duration_cast<microseconds>(time - whole);
  return fmt::format("{:%Y%m%dT%H%M%S}.{:06}Z", fmt::gmtime(system_clock::to_time_t(whole)),
                     rest.count());
}

std::string_view scope(bool of_workspace) { return of_workspace ? "workspace" : "user"; }

// ASCII only, so that it can be cut anywhere.
std::string short_name(std::string_view id) {
  std::string name = slug(id).substr(0, kMostOfId);
  for (char& c : name) c = static_cast<unsigned char>(c) < 0x80 ? c : '_';
  return name;
}

// A new directory for an entry: where nobody else has one.
Result<std::string> make_entry(int trash, const Element& element, system_clock::time_point now) {
  for (int tries = 0; tries < kNameTries; ++tries, now += microseconds(1)) {
    auto name =
        fmt::format("{}~{}~{}", time_name(now), to_string(element.type), short_name(element.id));
    if (::mkdirat(trash, name.c_str(), 0700) == 0) {
      if (auto synced = sync_directory(trash); !synced) return std::move(synced).error();
      return name;
    }
    if (errno != EEXIST) break;
  }
  return internal("an entry of the trash cannot be made");
}

// Removes the directories that held something, from the innermost.
void remove_emptied(int trash, std::string path) {
  while (!path.empty() && ::unlinkat(trash, path.c_str(), AT_REMOVEDIR) == 0) {
    const auto slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
}

// Down to what was moved: a file, or a directory with a SKILL.md.
std::string find_moved(const Root& root, const std::string& top) {
  std::string path = top;
  for (;;) {
    const auto names = root.names(path);
    if (!names) return path == top ? "" : path;  // a file
    if (root.stamp(path + std::string(kSkillFile)) != 0) return path;
    if (names->size() != 1) return "";
    path += "/" + names->front();
  }
}

bool is_meant(const Element& element, ElementType type, std::string_view id) {
  return element.type == type && (element.id == id || slug(element.name) == slug(id));
}

}  // namespace

std::string moved_with(const Element& element) {
  const std::string_view file = element.file;
  const bool folder = element.type == ElementType::skill && file.ends_with(kSkillFile);
  const auto path = folder ? file.substr(0, file.size() - kSkillFile.size()) : file;
  return std::string(path.find('/') == path.npos ? file : path);
}

Result<std::string> Trash::take(const ElementFiles& files, const Element& element) const {
  auto trash = open_private_directory(directory_);
  if (!trash) return std::move(trash).error();
  const auto moved = moved_with(element);
  auto from = files.directory_of(moved, false);
  if (!from) return std::move(from).error();
  auto entry = make_entry(trash->get(), element, clock_());
  if (!entry) return std::move(entry).error();
  const auto inside = fmt::format("{}/{}/{}", *entry, scope(element.of_workspace), moved);
  const auto above = inside.substr(0, inside.rfind('/'));
  auto to = open_private_directory(fmt::format("{}/{}", directory_, above));
  if (!to) return std::move(to).error();
  const auto name = last_segment(moved);
  auto done = move_durably({from->descriptor.get(), name}, {to->get(), name});
  if (!done) {
    remove_emptied(trash->get(), above);
    return std::move(done).error().in(fmt::format("moving {} to the trash", moved));
  }
  return entry;
}

Result<std::string> Trash::keep(const Element& element, const std::string& file,
                                std::string_view text) const {
  auto trash = open_private_directory(directory_);
  if (!trash) return std::move(trash).error();
  auto entry = make_entry(trash->get(), element, clock_());
  if (!entry) return std::move(entry).error();
  auto files = ElementFiles::open_below(directory_, *entry);
  if (!files) return std::move(files).error();
  constexpr mode_t kOwn = 0600;
  auto kept = files->create(fmt::format("{}/{}", scope(element.of_workspace), file), text, kOwn);
  if (!kept) return std::move(kept).error().in("keeping what is replaced in the trash");
  return entry;
}

Result<Trash::Entry> Trash::read(const Root& root, const std::string& name) const {
  for (const bool of_workspace : {true, false}) {
    const auto top = fmt::format("{}/{}", name, scope(of_workspace));
    const auto moved = find_moved(root, top);
    if (moved.empty()) continue;
    auto file = root.open_without_links(moved);
    const bool folder = file && file->is_directory();
    const std::string path = folder ? moved + std::string(kSkillFile) : moved;
    if (folder) file = root.open_without_links(path);
    const auto below = path.substr(top.size() + 1);
    const auto type = find_element_type(below.substr(0, below.find('/')));
    auto text = file && type ? read_all(*file, Collection::kFileBytes) : not_found("");
    if (!text) continue;
    auto reading = read_element({*type, below, *text, system_clock::now()});
    if (!reading) continue;
    reading->element.of_workspace = of_workspace;
    return Entry{name, std::move(reading->element), moved.substr(top.size() + 1)};
  }
  return not_found("no such entry");
}

Error Trash::no_such(ElementType type, std::string_view id) {
  return not_found(fmt::format("the trash has no {} \"{}\"", to_string(type), id));
}

Error Trash::no_such(std::string_view entry) {
  return not_found(fmt::format("the trash has no entry \"{}\"", entry));
}

Result<Trash::Entry> Trash::find(ElementType type, std::string_view id) const {
  const auto root = Root::open(directory_);
  auto names = root ? root->names("") : not_found("");
  if (names) {
    const auto mark = fmt::format("~{}~", to_string(type));
    std::erase_if(*names, [&](const std::string& name) { return name.find(mark) == name.npos; });
    if (names->size() > kMostLooks) {
      names->erase(names->begin(), names->end() - static_cast<std::ptrdiff_t>(kMostLooks));
    }
    for (auto name = names->rbegin(); name != names->rend(); ++name) {
      auto entry = read(*root, *name);
      if (entry && is_meant(entry->element, type, id)) return entry;
    }
  }
  return no_such(type, id);
}

Result<Trash::Entry> Trash::find(std::string_view entry) const {
  const auto root = Root::open(directory_);
  const std::string name(entry);
  if (root && name.find('/') == name.npos && name.find('~') != name.npos) {
    if (auto found = read(*root, name)) return found;
  }
  return no_such(entry);
}

Status Trash::bring_back(const Entry& entry, const ElementFiles& files) const {
  auto trash = open_private_directory(directory_);
  if (!trash) return std::move(trash).error();
  auto to = files.directory_of(entry.moved, true);
  if (!to) return std::move(to).error();
  const auto inside =
      fmt::format("{}/{}/{}", entry.name, scope(entry.element.of_workspace), entry.moved);
  const auto above = inside.substr(0, inside.rfind('/'));
  auto from = open_private_directory(fmt::format("{}/{}", directory_, above));
  if (!from) return std::move(from).error();
  const auto name = last_segment(entry.moved);
  auto done = move_durably({from->get(), name}, {to->descriptor.get(), name});
  if (!done) return std::move(done).error().in(fmt::format("restoring {}", entry.moved));
  remove_emptied(trash->get(), above);
  return {};
}

}  // namespace lode
