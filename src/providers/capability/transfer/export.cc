#include "providers/capability/transfer/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "providers/capability/element_files.h"
#include "providers/capability/folder.h"
#include "providers/capability/skill_folder.h"
#include "providers/capability/skill_text.h"
#include "providers/capability/transfer/convert.h"
#include "providers/capability/transfer/forms.h"
#include "workspace/secrets.h"
#include "workspace/write_rule.h"

namespace lode {
namespace {

constexpr std::string_view kSheet = "/SKILL.md";

// A skill with a folder of its own, below the elements; empty: it has none.
std::string skill_folder_of(const Element& element) {
  const std::string_view file = element.file;
  if (element.type != ElementType::skill || !file.ends_with(kSheet)) return "";
  const auto folder = file.substr(0, file.size() - kSheet.size());
  return folder.find('/') == folder.npos && !element.foreign ? "" : std::string(folder);
}

std::string skill_name_of(const Element& element) {
  if (is_skill_name(element.name)) return element.name;
  auto name = skill_name(element.name);
  if (name.empty()) name = skill_name(element.id);
  return name.empty() ? "skill-" + content_hash(element.file).substr(0, 8) : name;
}

// By id or "type:id"; else by name.
std::vector<Element> meant_by(std::string_view word, const std::vector<Element>& all) {
  const auto colon = word.find(':');
  const auto type = colon == word.npos ? std::nullopt : find_element_type(word.substr(0, colon));
  const auto rest = type ? word.substr(colon + 1) : word;
  std::vector<Element> with_id;
  std::vector<Element> with_name;
  for (const auto& element : all) {
    if (type && element.type != *type) continue;
    if (element.id == rest) with_id.push_back(element);
    if (slug(element.name) == slug(rest)) with_name.push_back(element);
  }
  return with_id.empty() ? with_name : with_id;
}

// Not only each file: a dry run is to say it too.
Status check_place(const ExportRequest& request, const std::filesystem::path& to) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const auto base = request.below.empty() ? fs::path("/") : fs::canonical(request.base, problem);
  return check_write(base.string(), to.lexically_relative(base).string());
}

// What is exported must not become elements again.
Status check_apart(const ExportRequest& request) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const auto to =
      fs::weakly_canonical(fs::absolute(fs::path(request.base) / request.below, problem), problem);
  for (const auto& folder :
       {request.collection.folders().workspace, request.collection.folders().user}) {
    if (folder.empty()) continue;
    const auto home = fs::weakly_canonical(folder, problem);
    const auto [end, differs] = std::mismatch(home.begin(), home.end(), to.begin(), to.end());
    if (end == home.end()) {
      return invalid("elements are kept there; name a directory of its own for an export");
    }
  }
  return check_place(request, to);
}

Result<std::vector<Element>> chosen(const ExportRequest& request, const ElementGate& gate) {
  std::vector<Element> all;
  for (const auto type : kElementTypes) request.collection.load(type);
  request.collection.each([&](const Element& element) {
    if (!request.type || element.type == *request.type) all.push_back(element);
    return true;
  });
  std::erase_if(all, [&](Element& element) {
    auto shown = request.collection.find(element.type, element.id, [&](const Element& one) {
      return one.id == element.id && gate.shows(one);
    });
    if (shown) element = std::move(*shown);
    return !shown;
  });
  if (request.only.empty()) {
    std::erase_if(all, [](const Element& element) { return element.foreign; });
    return all;
  }
  std::vector<Element> out;
  for (const auto& word : request.only) {
    const auto meant = meant_by(word, all);
    if (request.one && meant.size() > 1) {
      return invalid(fmt::format("{} elements have the id or name \"{}\": say the type, and the id",
                                 meant.size(), word));
    }
    out.insert(out.end(), meant.begin(), meant.end());
    if (!meant.empty()) continue;
    std::vector<std::string_view> ids;
    ids.reserve(all.size());
    for (const auto& element : all) ids.push_back(element.id);
    return not_found(fmt::format("no element has the id \"{}\"{}", word, did_you_mean(word, ids)));
  }
  // Named twice, it is exported once.
  const auto key = [](const Element& one) { return std::pair(one.folder, one.file); };
  std::sort(out.begin(), out.end(),
            [&](const Element& a, const Element& b) { return key(a) < key(b); });
  out.erase(std::unique(out.begin(), out.end(),
                        [&](const Element& a, const Element& b) { return key(a) == key(b); }),
            out.end());
  return out;
}

class Export {
 public:
  Export(const ExportRequest& request, const ElementGate& gate) : request_(request), gate_(gate) {
    report_.format = to_string(request.format);
    report_.dry_run = request.dry_run;
  }

  Result<TransferReport> run(const std::vector<Element>& elements,
                             const TransferProgress& progress) {
    if (auto root = Root::open(request_.base)) root_.emplace(std::move(*root));
    std::size_t done = 0;
    for (const auto& element : elements) {
      if (auto moved = write_element(element); !moved) return std::move(moved).error();
      if (progress) progress(++done, elements.size());
    }
    std::stable_sort(report_.moved.begin(), report_.moved.end(),
                     [](const Moved& a, const Moved& b) { return a.from < b.from; });
    return std::move(report_);
  }

 private:
  // Errors are those that end everything.
  Status write_element(const Element& element) {
    Moved moved{shown(element, element.file), Fate::kept, "", {}};
    if (request_.format == TransferFormat::skills && element.type != ElementType::skill) {
      moved.fate = Fate::skipped;
      moved.notes.emplace_back("only skills have this format");
      return add(std::move(moved));
    }
    auto made = convert(element);
    if (!made) {
      moved.fate = Fate::broken;
      moved.notes.push_back(made.error().message);
      return add(std::move(moved));
    }
    moved.fate = made->as_it_was ? Fate::kept : Fate::converted;
    moved.to = free_place(made->file);
    moved.notes = std::move(made->lost);
    if (auto written = write(made->text, 0666, moved); !written) return written;
    const auto sheet = moved.to;
    const bool taken = moved.fate != Fate::conflict && moved.fate != Fate::broken;
    if (auto added = add(std::move(moved)); !added) return added;
    const auto folder = skill_folder_of(element);
    return folder.empty() || !taken ? Status() : write_parts(element, folder, sheet);
  }

  std::string shown(const Element& element, const std::string& file) const {
    return request_.collection.shown({element.folder, file});
  }

  Status add(Moved moved) {
    report_.moved.push_back(std::move(moved));
    return {};
  }

  Result<Converted> convert(const Element& element) {
    if (auto admitted = gate_.admit(Action::read, element); !admitted) {
      return std::move(admitted).error();
    }
    auto text = request_.collection.text_of(element);
    if (!text) return std::move(text).error();
    if (request_.format == TransferFormat::dollhouse) return to_portfolio(element, *text);
    if (request_.format == TransferFormat::nexs) return to_own_id(element, *text);
    return to_skill(element, *text);
  }

  Result<Converted> to_portfolio(const Element& element, const std::string& text) {
    auto made = to_dollhouse(element, text);
    if (!made || element.type != ElementType::memory) return made;
    if (!names_.insert(slug(dollhouse_name(element.name))).second) {
      made->lost.emplace_back(
          "another memory has its name, and Dollhouse shows the newer one alone");
    }
    return made;
  }

  // NEXS knows elements by their ids alone, whatever their type, and makes a new id of
  // type, name and the end of the old one when it starts: of two that would be one, the
  // second is lost.
  Result<Converted> to_own_id(const Element& element, const std::string& text) {
    auto made = to_nexs(element, text);
    if (!made) return made;
    const auto takes = [&](const std::string& id) {
      const auto name = nexs_name(element.type, element.name, id);
      if (ids_.contains(id) || names_.contains(name)) return false;
      ids_.insert(id);
      names_.insert(name);
      return true;
    };
    if (takes(made->id)) return made;
    const auto mark = content_hash(fmt::format("{} {}", element.folder, element.file)).substr(0, 8);
    made = to_nexs(element, text, fmt::format("{}_{}", element.id, mark));
    if (!made) return made;
    static_cast<void>(takes(made->id));
    made->lost.push_back(
        fmt::format("its id is \"{}\" there: another element has \"{}\", or its type and name",
                    made->id, element.id));
    return made;
  }

  static Result<Converted> to_skill(const Element& element, const std::string& text) {
    const auto name = skill_name_of(element);
    auto made = make_skill_text(text, form_of_file(element.file), name);
    if (!made) return std::move(made).error();
    Converted out;
    out.file = name + std::string(kSheet);
    out.as_it_was = made->text == text;
    out.text = std::move(made->text);
    if (!out.as_it_was) out.lost.emplace_back("steps and instructions are told as text");
    return out;
  }

  // Two elements may want one place.
  std::string free_place(const std::string& file) {
    const auto slash = file.rfind('/');
    const bool sheet = file.ends_with(kSheet);
    const auto dot = sheet ? slash : file.rfind('.');
    auto place = file;
    for (int number = 2; !used_.insert(place).second; ++number) {
      place = fmt::format("{}-{}{}", file.substr(0, dot), number, file.substr(dot));
    }
    return place;
  }

  // The files beside a SKILL.md.
  Status write_parts(const Element& element, const std::string& folder, const std::string& sheet) {
    const auto elements = request_.collection.folder(element.folder);
    if (!elements) return {};
    auto tree = SourceTree::open(elements->root().path(), folder);
    auto files = tree ? tree->files() : tree.error();
    if (!files) return {};  // it has just gone
    for (const auto& file : *files) {
      if (file.path == kSheet.substr(1)) continue;
      Moved moved{shown(element, fmt::format("{}/{}", folder, file.path)), Fate::skipped, "", {}};
      const auto why = unfit(file);
      if (!why.empty()) {
        moved.fate = request_.format == TransferFormat::skills ? Fate::skipped : Fate::broken;
        moved.notes.emplace_back(why);
      } else if (auto bytes = tree->read(file.path, SkillLimits().bytes)) {
        moved.fate = Fate::kept;
        moved.to =
            fmt::format("{}{}", sheet.substr(0, sheet.size() - kSheet.size() + 1), file.path);
        const mode_t mode = file.is_executable ? 0777 : 0666;
        if (auto written = write(*bytes, mode, moved); !written) return written;
      } else {
        moved.fate = Fate::broken;
        moved.notes.push_back(bytes.error().message);
      }
      report_.moved.push_back(std::move(moved));
    }
    return {};
  }

  std::string_view unfit(const SourceFile& file) const {
    if (request_.format != TransferFormat::skills) {
      return "lost: the format has no place for files beside a skill; export them as skills";
    }
    if (file.is_link) return "a link, or no file; links are not followed";
    if (!valid_utf8(file.path)) return "its name is no UTF-8";
    return secret_path(file.path) ? "its name is that of a secret" : "";
  }

  // At moved.to; what became of it is said there.
  Status write(const std::string& text, mode_t mode, Moved& moved) {
    if (request_.writes && !request_.writes(moved.to)) {
      moved.fate = Fate::broken;
      moved.notes.push_back(fmt::format("not permitted: write {}", moved.to));
      return {};
    }
    const auto path =
        request_.below.empty() ? moved.to : fmt::format("{}/{}", request_.below, moved.to);
    auto there = root_ ? root_->open_without_links(path) : not_found("");
    const bool is_there = there && there->is_regular();
    const auto old = is_there ? read_all(*there, SkillLimits().bytes) : Result<std::string>("");
    if (is_there && old && *old == text) {
      moved.fate = Fate::present;
      moved.notes.emplace_back("already there");
      return {};
    }
    if (is_there && !request_.replace) {
      moved.fate = Fate::conflict;
      moved.notes.emplace_back(
          "already there and different, and left as it is; to overwrite it, replace");
      return {};
    }
    if (request_.dry_run) return {};
    if (auto opened = open_files(); !opened) return opened;
    auto done = is_there ? files_->replace(moved.to, text, stamp_of(there->info))
                         : files_->create(moved.to, text, mode);
    if (done) return {};
    moved.fate = done.error().code == Code::conflict ? Fate::conflict : Fate::broken;
    moved.notes.push_back(done.error().message);
    return {};
  }

  Status open_files() {
    if (files_) return {};
    std::error_code problem;
    std::filesystem::create_directories(request_.base, problem);
    auto files = ElementFiles::open_below(request_.base, request_.below);
    if (!files) return std::move(files).error();
    files_.emplace(std::move(*files));
    return {};
  }

  const ExportRequest& request_;
  const ElementGate& gate_;
  std::optional<Root> root_;           // of the base; nothing: it is not there yet
  std::optional<ElementFiles> files_;  // once something was to be written
  std::set<std::string> used_;
  std::set<std::string> ids_;    // in a tree of NEXS
  std::set<std::string> names_;  // what NEXS makes of them; of Dollhouse's memories, theirs
  TransferReport report_;
};

}  // namespace

Result<TransferReport> export_elements(const ExportRequest& request, const ElementGate& gate,
                                       const TransferProgress& progress) {
  if (auto apart = check_apart(request); !apart) return std::move(apart).error();
  auto elements = chosen(request, gate);
  if (!elements) return std::move(elements).error();
  return Export(request, gate).run(*elements, progress);
}

}  // namespace lode
